import { HookwrightError } from "../../../core/errors.ts";
import { nearestName } from "../../../core/text/nearest-name.ts";
import type { StartRequest } from "../../../domain/mode/machine.ts";
import { isMode, MODES, type ModeName } from "../../../domain/mode/modes.ts";
import type { CommandContext } from "../../command.ts";

const LONGEST_REQUEST = 10_000;
const MOST_ROUNDS = 1_000;
const MOST_AGENTS = 1_000;

/** The modes that options of `start` belong to. */
const OPTION_OF: Readonly<Record<string, ModeName>> = {
  goal: "ultraqa",
  command: "ultraqa",
  agents: "swarm",
  stages: "pipeline",
};

export function modeUsageError(detail: string): HookwrightError {
  return new HookwrightError("HW_USAGE", { detail, command: "mode" });
}

/** The mode with this name; throws with the nearest name when there is none. */
export function modeNamed(name: string): ModeName {
  if (isMode(name)) return name;
  const data = { name: name.slice(0, 80), nearest: nearestName(name.slice(0, 80), MODES), known: MODES.join(", ") };
  throw new HookwrightError("HW_MODE_UNKNOWN", data);
}

/** The one optional argument of `cancel` and `resume`. */
export function optionalMode(action: string, words: readonly string[]): ModeName | undefined {
  const [name, more] = words;
  if (more !== undefined) throw modeUsageError(`\`${action}\` takes one mode, and got \`${more}\` too.`);
  return name === undefined ? undefined : modeNamed(name);
}

/** What `start MODE REQUEST` asks for. Several words are joined, so that a request needs no quotes. */
export function startRequest(words: readonly string[], options: CommandContext["options"]): StartRequest {
  const [name, ...rest] = words;
  if (name === undefined) throw modeUsageError(`\`start\` needs a mode: ${MODES.join(", ")}.`);
  const mode = modeNamed(name);
  const request = rest.join(" ").trim();
  if (request.length > LONGEST_REQUEST) {
    throw modeUsageError(`The request has ${request.length} characters; at most ${LONGEST_REQUEST} are kept.`);
  }
  for (const [option, owner] of Object.entries(OPTION_OF)) {
    if (options[option] !== undefined && owner !== mode) throw modeUsageError(`\`--${option}\` belongs to ${owner}.`);
  }
  const goal = textOption(options, "goal");
  const command = textOption(options, "command");
  const stages = textOption(options, "stages");
  const agents = numberOption(options, "agents", MOST_AGENTS);
  return {
    mode,
    request,
    ...(goal === undefined ? {} : { goal }),
    ...(command === undefined ? {} : { command }),
    ...(stages === undefined ? {} : { stages }),
    ...(agents === undefined ? {} : { agents }),
  };
}

export function roundsOption(options: CommandContext["options"]): number | undefined {
  return numberOption(options, "rounds", MOST_ROUNDS);
}

export function textOption(options: CommandContext["options"], name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value.trim() : undefined;
}

function numberOption(options: CommandContext["options"], name: string, most: number): number | undefined {
  const text = textOption(options, name);
  if (text === undefined) return undefined;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= most) return value;
  throw modeUsageError(`\`--${name}\` needs a whole number from 1 to ${most}, and \`${text}\` is none.`);
}
