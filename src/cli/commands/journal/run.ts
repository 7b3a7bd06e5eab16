import path from "node:path";
import { HookwrightError } from "../../../core/errors.ts";
import { entryWithId, type JournalFilter, newestEntries } from "../../../state/journal-query.ts";
import type { CommandContext } from "../../command.ts";
import { homeOf } from "../../installation/current-build.ts";
import { openState, openStateOrEmpty } from "../../state/open-state.ts";
import type { Terminal } from "../../terminal/confirm.ts";
import { refusalUnlessPerson } from "../../terminal/person.ts";
import { styleFor } from "../../terminal/style.ts";
import { type JournalObject, journalObject } from "./entry.ts";
import { exportToFile, jsonLines } from "./export.ts";
import { follow } from "./follow.ts";
import { forgetEntriesOf } from "./forget.ts";
import { nearestEvent, readCountOption, readFilter, readForgetRequest, textOption, usageError } from "./options.ts";
import { expandSessionPrefix } from "./session-prefix.ts";
import { type JournalStyle, showEntries, showEntry, showHeader, showLine } from "./show.ts";

const USUAL_LIMIT = 50;

export interface JournalParts {
  readonly terminal: Terminal;
  /** Ends `--follow`. */
  readonly signal: AbortSignal;
  readonly pollMs: number;
}

export async function runJournal(given: CommandContext, parts: JournalParts): Promise<number> {
  const { args, env } = given;
  const [action, ...more] = args;
  if (more.length > 0 || (action !== undefined && action !== "export" && action !== "forget")) {
    throw usageError(`\`${args.join(" ")}\` is not an action; the actions are \`export\` and \`forget\`.`);
  }
  const database = homeOf(env).database;
  const context = { ...given, options: expandSessionPrefix(given.options, database) };
  const { options } = context;
  if (action === "forget") return forgetSome(context, database, parts.terminal);
  for (const name of ["before", "all"]) {
    if (options[name] !== undefined) throw usageError(`--${name} belongs to \`forget\`.`);
  }
  const filter = readFilter(options, Date.now());
  if (action === "export") return exportSome(context, database, filter);
  if (options.out !== undefined) throw usageError("--out belongs to `export`.");
  const look = { style: styleFor(env, process.stdout.isTTY === true), columns: context.columns };
  const limit = readCountOption(options, "limit");
  const id = readCountOption(options, "id");
  if (id !== undefined) return showOne(context, database, id, look);
  if (options.follow) {
    const show = (entry: JournalObject): void =>
      context.out(options.json ? JSON.stringify(entry) : showLine(entry, look));
    if (!options.json) context.out(showHeader(look));
    const { signal, pollMs } = parts;
    const first = limit ?? (filter.since === undefined ? 0 : "all");
    await follow({ database, filter, first, pollMs, signal, show });
    return 0;
  }
  return list(context, database, filter, limit, look);
}

function list(
  { options, out }: CommandContext,
  database: string,
  filter: JournalFilter,
  limit: number | undefined,
  look: JournalStyle,
): number {
  const db = openState(database);
  if (db === undefined) {
    if (!options.json) out("Nothing is recorded yet.");
    return 0;
  }
  try {
    if (options.json && limit === undefined) {
      for (const line of jsonLines(db, filter)) out(line);
      return 0;
    }
    const entries = newestEntries(db, filter, limit ?? USUAL_LIMIT).map((row) => journalObject(db, row));
    if (options.json) for (const entry of entries) out(JSON.stringify(entry));
    else out(entries.length === 0 ? `Nothing matches.${nearestEvent(filter)}` : showEntries(entries, look));
    return 0;
  } finally {
    db.close();
  }
}

function showOne({ options, out }: CommandContext, database: string, id: number, look: JournalStyle): number {
  const db = openState(database);
  try {
    const row = db && entryWithId(db, id);
    if (!db || !row) throw new HookwrightError("HW_NO_ENTRY", { what: `There is no entry ${id}.` });
    const entry = journalObject(db, row);
    out(options.json ? JSON.stringify(entry) : showEntry(entry, look.style));
    return 0;
  } finally {
    db?.close();
  }
}

function exportSome({ options, cwd, out }: CommandContext, database: string, filter: JournalFilter): number {
  const wrong = ["follow", "id", "limit"].find((name) => options[name] !== undefined);
  if (wrong !== undefined) throw usageError(`\`export\` does not take --${wrong}.`);
  const given = textOption(options.out);
  const db = openStateOrEmpty(database);
  try {
    if (given === undefined) {
      for (const line of jsonLines(db, filter)) out(line);
      return 0;
    }
    const file = path.resolve(cwd, given);
    const count = exportToFile(db, filter, file);
    out(options.json ? JSON.stringify({ file, entries: count }) : `Wrote ${count} entries to ${file}.`);
    return 0;
  } finally {
    db.close();
  }
}

async function forgetSome(context: CommandContext, database: string, terminal: Terminal): Promise<number> {
  const forgetting = readForgetRequest(context.options, Date.now());
  const refusal = refusalUnlessPerson("journal forget", context.env, terminal);
  if (refusal !== undefined) {
    context.err(refusal);
    return 1;
  }
  const db = openState(database);
  if (db === undefined) {
    context.out("Nothing is recorded yet.");
    return 0;
  }
  try {
    return await forgetEntriesOf(context, db, forgetting, terminal);
  } finally {
    db.close();
  }
}
