import path from "node:path";
import { HookwrightError } from "../../../core/errors.ts";
import { entryWithId, type JournalFilter, newestEntries } from "../../../state/journal-query.ts";
import { removeSearchIndex } from "../../../state/search/search-index.ts";
import type { CommandContext } from "../../command.ts";
import { homeOf } from "../../installation/current-build.ts";
import { openState, openStateOrEmpty } from "../../state/open-state.ts";
import type { Terminal } from "../../terminal/confirm.ts";
import { refusalUnlessPerson } from "../../terminal/person.ts";
import { styleFor } from "../../terminal/style.ts";
import { type JournalObject, journalObject } from "./entry.ts";
import { exportedLines, writeLines } from "./export.ts";
import { follow } from "./follow.ts";
import { forgetEntriesOf } from "./forget.ts";
import {
  nearestEvent,
  readCountOption,
  readFilter,
  readForgetRequest,
  readFormat,
  readSearch,
  textOption,
  usageError,
} from "./options.ts";
import { type Finder, matching, newestFound } from "./search.ts";
import { expandSessionPrefix } from "./session-prefix.ts";
import { type JournalStyle, showEntries, showEntry, showHeader, showLine } from "./show.ts";
import { journalStats, statsText } from "./stats.ts";

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
  if (more.length > 0 || (action !== undefined && !["stats", "export", "forget"].includes(action))) {
    throw usageError(`\`${args.join(" ")}\` is not an action; the actions are \`stats\`, \`export\` and \`forget\`.`);
  }
  const { database, search } = homeOf(env);
  const context = { ...given, options: expandSessionPrefix(given.options, database) };
  const { options } = context;
  if (action === "forget") return forgetSome(context, database, search, parts.terminal);
  for (const name of ["before", "all"]) {
    if (options[name] !== undefined) throw usageError(`--${name} belongs to \`forget\`.`);
  }
  const filter = readFilter(options, Date.now());
  const words = readSearch(options);
  const finder: Finder | undefined = words === undefined ? undefined : { words, file: search };
  if (action === "export") return exportSome(context, database, filter, finder);
  for (const name of ["out", "format"]) {
    if (options[name] !== undefined) throw usageError(`--${name} belongs to \`export\`.`);
  }
  if (action === "stats") return showStats(context, database, filter);
  const look = { style: styleFor(env, process.stdout.isTTY === true), columns: context.columns };
  const limit = readCountOption(options, "limit");
  const id = readCountOption(options, "id");
  if (id !== undefined) return showOne(context, database, id, look);
  if (options.follow && finder) throw usageError("--follow does not take --search.");
  if (options.follow) {
    const show = (entry: JournalObject): void =>
      context.out(options.json ? JSON.stringify(entry) : showLine(entry, look));
    if (!options.json) context.out(showHeader(look));
    const { signal, pollMs } = parts;
    const first = limit ?? (filter.since === undefined ? 0 : "all");
    await follow({ database, filter, first, pollMs, signal, show });
    return 0;
  }
  return list(context, database, { filter, finder }, limit, look);
}

interface Selection {
  readonly filter: JournalFilter;
  readonly finder: Finder | undefined;
}

function list(
  context: CommandContext,
  database: string,
  { filter, finder }: Selection,
  limit: number | undefined,
  look: JournalStyle,
): number {
  const { options, out } = context;
  const db = openState(database);
  if (db === undefined) {
    if (!options.json) out("Nothing is recorded yet.");
    return 0;
  }
  try {
    if (options.json && limit === undefined) {
      for (const row of matching(db, filter, finder, context)) out(JSON.stringify(journalObject(db, row)));
      return 0;
    }
    const most = limit ?? USUAL_LIMIT;
    const rows = finder ? newestFound(db, filter, finder, context, most) : newestEntries(db, filter, most);
    const entries = rows.map((row) => journalObject(db, row));
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

function exportSome(
  context: CommandContext,
  database: string,
  filter: JournalFilter,
  finder: Finder | undefined,
): number {
  const { options, cwd, out } = context;
  const wrong = ["follow", "id", "limit"].find((name) => options[name] !== undefined);
  if (wrong !== undefined) throw usageError(`\`export\` does not take --${wrong}.`);
  const format = readFormat(options);
  const given = textOption(options.out);
  const db = openStateOrEmpty(database);
  try {
    const lines = exportedLines(db, matching(db, filter, finder, context), format);
    if (given === undefined) {
      for (const line of lines) out(line);
      return 0;
    }
    const file = path.resolve(cwd, given);
    // The first line of a table is its header.
    const count = writeLines(lines, file) - (format === "csv" ? 1 : 0);
    out(options.json ? JSON.stringify({ file, entries: count }) : `Wrote ${count} entries to ${file}.`);
    return 0;
  } finally {
    db.close();
  }
}

function showStats({ options, out, env }: CommandContext, database: string, filter: JournalFilter): number {
  for (const name of ["follow", "id", "limit", "search"]) {
    if (options[name] !== undefined) throw usageError(`\`stats\` does not take --${name}.`);
  }
  const db = openStateOrEmpty(database);
  try {
    const stats = journalStats(db, filter);
    out(options.json ? JSON.stringify(stats) : statsText(stats, styleFor(env, process.stdout.isTTY === true)));
    return 0;
  } finally {
    db.close();
  }
}

async function forgetSome(
  context: CommandContext,
  database: string,
  search: string,
  terminal: Terminal,
): Promise<number> {
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
    const code = await forgetEntriesOf(context, db, forgetting, terminal);
    // The words of forgotten entries must not stay either; the next search fills the index again.
    if (code === 0) removeSearchIndex(search);
    return code;
  } finally {
    db.close();
  }
}
