import { describe } from "../../core/errors.ts";
import { recordChange } from "../../state/journal.ts";
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
    recordChange(db, { at: Date.now(), folder: context.cwd, words: words.join(" "), reason });
    db.close();
  } catch (error) {
    context.err(`hookwright: the command worked, but the journal could not record it: ${describe(error)}`);
  }
}
