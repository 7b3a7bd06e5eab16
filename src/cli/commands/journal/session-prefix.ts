import { sessionsBeginning } from "../../../state/journal-query.ts";
import type { CommandContext } from "../../command.ts";
import { openState } from "../../state/open-state.ts";
import { textOption, usageError } from "./options.ts";
import { SHOWN_OF_SESSION } from "./show.ts";

type Options = CommandContext["options"];

/** Replaces the session prefix that the list shows by the full id, if exactly one session has this prefix. */
export function expandSessionPrefix(options: Options, database: string): Options {
  const given = textOption(options.session);
  if (given === undefined || given.length !== SHOWN_OF_SESSION) return options;
  const db = openState(database);
  if (db === undefined) return options;
  try {
    const found = sessionsBeginning(db, given);
    const [only = given, another] = found;
    if (another === undefined) return { ...options, session: only };
    if (found.includes(given)) return options;
    throw usageError(
      `\`${given}\` is the beginning of several sessions, such as ${only} and ${another}. Type all of it.`,
    );
  } finally {
    db.close();
  }
}
