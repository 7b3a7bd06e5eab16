import { describe } from "../../core/errors.ts";
import { append } from "../../state/journal.ts";
import { maskText } from "../../state/masking.ts";
import type { CommandContext } from "../command.ts";
import { homeOf } from "../installation/current-build.ts";
import { openState } from "./open-state.ts";

/** Records in the journal a command that changed something. A failure is reported, but does not fail the command. */
export function recordCommand(
  words: readonly string[],
  reason: string,
  context: Pick<CommandContext, "env" | "err" | "cwd">,
): void {
  try {
    const db = openState(homeOf(context.env).database);
    if (!db) return;
    const at = Date.now();
    db.transaction(() =>
      append(db, `command-${at}-${process.pid}`, {
        at,
        agent: "",
        session: "",
        agentId: "",
        project: context.cwd,
        event: "command",
        agentEvent: maskText(words.join(" ")).slice(0, 500),
        tool: "",
        toolUseId: "",
        ruling: "pass",
        policy: "",
        reason,
        microseconds: 0,
        body: "{}",
        verdicts: "[]",
        facts: "{}",
        reply: { exit: 0, stdout: "", stderr: "" },
      }),
    );
    db.close();
  } catch (error) {
    context.err(`hookwright: the command worked, but the journal could not record it: ${describe(error)}`);
  }
}
