import type { Database } from "../../../state/database.ts";
import { append } from "../../../state/journal.ts";
import { countEntries, forgetEntries, type JournalFilter } from "../../../state/journal-query.ts";
import type { CommandContext } from "../../command.ts";
import type { Terminal } from "../../terminal/confirm.ts";
import { confirmByTypedWord } from "../../terminal/person.ts";
import { formatTime } from "./time-format.ts";

export interface ForgetRequest {
  readonly filter: Pick<JournalFilter, "session" | "before">;
  /** A description of the deleted entries, which follows the word "entries". */
  readonly what: string;
}

export async function forgetEntriesOf(
  context: CommandContext,
  db: Database,
  { filter, what }: ForgetRequest,
  terminal: Terminal,
): Promise<number> {
  const { entries, oldest } = countEntries(db, filter);
  if (entries === 0) {
    context.out("No entry matches, so nothing was deleted.");
    return 0;
  }
  const since = oldest === undefined ? "" : ` The oldest one was recorded at ${formatTime(oldest)}.`;
  context.out(
    `This deletes ${counted(entries)}${what} permanently.${since} To keep a copy, run \`hookwright journal export --out FILE\` first.`,
  );
  if (!(await confirmByTypedWord("forget", "Deleted entries cannot be restored.", terminal))) {
    context.out("Nothing was deleted.");
    return 1;
  }
  // The record is written first, so that ids keep increasing: `journal --follow` would miss an entry with a reused id.
  const record = recordForgetting(db, entries, what);
  const forgotten = forgetEntries(db, filter, record);
  context.out(`Deleted ${counted(forgotten)}.`);
  return 0;
}

function counted(entries: number): string {
  return entries === 1 ? "1 entry" : `${entries} entries`;
}

/** Records that entries were deleted, without their content. */
function recordForgetting(db: Database, entries: number, what: string): number {
  const at = Date.now();
  const done = db.transaction(() =>
    append(db, `forget-${at}-${process.pid}`, {
      at,
      agent: "",
      session: "",
      agentId: "",
      project: "",
      event: "command",
      agentEvent: "journal forget",
      tool: "",
      toolUseId: "",
      ruling: "pass",
      policy: "",
      reason: `A person chose to delete ${counted(entries)}${what}.`,
      microseconds: 0,
      body: "{}",
      verdicts: "[]",
      facts: "{}",
      reply: { exit: 0, stdout: "", stderr: "" },
    }),
  );
  if (done === undefined) throw new Error("The journal is being written all the time; nothing was deleted. Try again.");
  return done.value;
}
