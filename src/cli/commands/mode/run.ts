import { nearestName } from "../../../core/text/nearest-name.ts";
import type { CommandContext } from "../../command.ts";
import type { Input } from "../../terminal/standard-input.ts";
import { modeUsageError } from "./arguments.ts";
import { cancelModes } from "./cancel.ts";
import { type ModeAccess, openModeAccess } from "./mode-access.ts";
import { resumeMode } from "./resume.ts";
import { startMode } from "./start.ts";
import { showHistory, showStatus } from "./status.ts";
import { integrateWork, reportWorker, splitWork } from "./workers.ts";

export interface ModeParts {
  now(): number;
  readonly input: Input;
}

interface Action {
  /** The options of the action besides --json and --session. */
  readonly options?: readonly string[];
  readonly takesWords?: true;
  run(access: ModeAccess, words: readonly string[], parts: ModeParts): number | Promise<number>;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  start: { options: ["goal", "command", "agents", "stages"], takesWords: true, run: startMode },
  status: { run: showStatus },
  cancel: { options: ["all"], takesWords: true, run: cancelModes },
  resume: { options: ["rounds"], takesWords: true, run: resumeMode },
  history: { run: showHistory },
  split: { run: (access, _words, { input }) => splitWork(access, input) },
  worker: { takesWords: true, run: reportWorker },
  integrate: { run: integrateWork },
};

export async function runMode(context: CommandContext, parts: ModeParts): Promise<number> {
  const [name = "", ...words] = context.args;
  const names = Object.keys(ACTIONS);
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (name === "") throw modeUsageError(`Give an action: ${names.join(", ")}.`);
  if (!action) throw modeUsageError(`There is no action \`${name}\`.${nearestName(name, names)}`);
  const known = ["json", "session", ...(action.options ?? [])];
  const odd = Object.keys(context.options).find((option) => !known.includes(option));
  if (odd !== undefined) throw modeUsageError(`\`${name}\` does not take --${odd}.`);
  if (!action.takesWords && words.length > 0)
    throw modeUsageError(`\`${name}\` takes no argument, and got \`${words[0]}\`.`);
  return action.run(openModeAccess(context, parts.now()), words, parts);
}
