import fs from "node:fs";
import path from "node:path";
import { readFailed } from "../../../agents/settings-file.ts";
import { printable } from "../../../config/printable.ts";
import { HookwrightError } from "../../../core/errors.ts";
import { MAX_BODY } from "../../../core/frame.ts";
import type { CommandContext } from "../../command.ts";
import { homeOf } from "../../installation/current-build.ts";
import { readProfiles } from "../../installation/setup-options.ts";
import { withDatabaseCopy } from "../../state/database-copy.ts";
import { type Input, readInput } from "../../terminal/standard-input.ts";
import { styleFor } from "../../terminal/style.ts";
import { type ExamineInput, examineEvent, hookEnvironment } from "./examine.ts";
import { type Explanation, fromExamination, fromJournal, recordedOf } from "./explanation.ts";
import { findRecorded, recordedEnvironment, recordedFolder, registeredProfiles } from "./recorded-event.ts";
import { showExplanation } from "./show.ts";

export interface ExplainParts {
  readonly dist: string;
  readonly input: Input;
}

/** The event to explain: a payload, or a recorded event (the newest one without an id). */
type Subject =
  | { readonly kind: "payload"; readonly body: Buffer }
  | { readonly kind: "recorded"; readonly id: number | undefined };

export async function runExplain(context: CommandContext, parts: ExplainParts): Promise<number> {
  const { options, env, cwd, out } = context;
  const profiles = readProfiles("explain", textOf(options.profile));
  const subject = await readSubject(context, parts.input);
  const home = homeOf(env);
  // Works on a copy of the database, because explaining must not change it.
  const explanation = await withDatabaseCopy(home.database, (copy) =>
    explain(subject, {
      home,
      dist: parts.dist,
      copy,
      cwd,
      env: hookEnvironment(parts.dist, env),
      event: textOf(options.event),
      profiles,
    }),
  );
  out(
    options.json
      ? JSON.stringify(explanation)
      : showExplanation(explanation, styleFor(env, process.stdout.isTTY === true)),
  );
  return 0;
}

async function explain(subject: Subject, base: Omit<ExamineInput, "body">): Promise<Explanation> {
  if (subject.kind === "payload") return fromExamination(await examineEvent({ ...base, body: subject.body }));
  const found = base.copy === undefined ? undefined : findRecorded(base.copy, subject.id);
  if (found === undefined) {
    const what =
      subject.id === undefined ? "The journal holds no event of an agent yet." : `There is no entry ${subject.id}.`;
    throw new HookwrightError("HW_NO_ENTRY", { what });
  }
  const { entry, body, newestWhole } = found;
  if (entry.event === "command") {
    const what = `Entry ${entry.id} is the command \`${printable(entry.subject, 500)}\`, which no policy was asked about.`;
    throw new HookwrightError("HW_NO_ENTRY", { what });
  }
  if (body === undefined) return { ...fromJournal(entry), ...(newestWhole === undefined ? {} : { newestWhole }) };
  const again = await examineEvent({
    ...base,
    body: Buffer.from(body),
    cwd: recordedFolder(entry) ?? base.cwd,
    env: { ...base.env, ...recordedEnvironment(entry) },
    event: base.event ?? entry.agentEvent,
    profiles: base.profiles.length > 0 ? base.profiles : registeredProfiles(base.home, found),
  });
  return { ...fromExamination(again), recorded: recordedOf(entry) };
}

async function readSubject({ args, options, cwd }: CommandContext, input: Input): Promise<Subject> {
  const usage = (detail: string): HookwrightError => new HookwrightError("HW_USAGE", { detail, command: "explain" });
  const [file, ...more] = args;
  const ways = [file !== undefined, options.last === true, options.id !== undefined].filter(Boolean).length;
  if (ways > 1 || more.length > 0) throw usage("Name one event: a FILE, --last or --id N.");
  if (file === undefined) {
    const id = options.id === undefined ? undefined : Number(options.id);
    if (id === undefined || (Number.isInteger(id) && id > 0)) return { kind: "recorded", id };
    throw usage(`\`${options.id}\` is not the number of an entry.`);
  }
  if (file === "-") return { kind: "payload", body: await readInput(input, MAX_BODY) };
  const name = path.resolve(cwd, file);
  try {
    return { kind: "payload", body: fs.readFileSync(name) };
  } catch (error) {
    throw readFailed(name, error);
  }
}

function textOf(option: CommandContext["options"][string]): string | undefined {
  return typeof option === "string" ? option : undefined;
}
