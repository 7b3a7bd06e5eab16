import { createRequire } from "node:module";
import url from "node:url";
import { describe, HookwrightError } from "../core/errors.ts";
import { loadLibsql } from "./libsql.ts";

export type Value = string | number | null | Uint8Array;
export type Row = Record<string, Value>;

export interface Statement {
  run(...values: Value[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  get(...values: Value[]): Row | undefined;
  all(...values: Value[]): Row[];
  /** Returns rows as lists of values; not every version of Node has it. */
  setReturnArrays?(isOn: boolean): void;
}

/** The few calls that node:sqlite and libsql have in common. */
export interface Connection {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

// In the CommonJS bundle esbuild leaves import.meta.url empty and `require` is the real one.
const load = typeof require === "function" ? require : createRequire(import.meta.url);

export function openConnection(file: string): Connection {
  const builtin = builtinSqlite();
  return builtin ? (new builtin.DatabaseSync(file) as Connection) : openLibsql(file);
}

/**
 * Opens a database that exists, without ever writing to it. `isUnused` promises that no process has it open. It is then
 * read without locks and without the files of the log, which SQLite would otherwise make and leave behind.
 */
export function openReadOnly(file: string, isUnused: boolean): Connection {
  const address = `${url.pathToFileURL(file).href}?mode=ro${isUnused ? "&immutable=1" : ""}`;
  const builtin = builtinSqlite();
  if (!builtin) return openLibsql(address);
  try {
    return new builtin.DatabaseSync(address, { readOnly: true }) as Connection;
  } catch (error) {
    // Node before 22.15 takes the address for the path of a file that does not exist.
    if (!isCannotOpen(error)) throw error;
    return new builtin.DatabaseSync(file, { readOnly: true }) as Connection;
  }
}

function builtinSqlite(): typeof import("node:sqlite") | undefined {
  return quietly(() => process.getBuiltinModule("node:sqlite"));
}

function openLibsql(file: string): Connection {
  let Libsql: new (file: string) => Connection;
  try {
    Libsql = loadLibsql(load);
  } catch (error) {
    throw new HookwrightError("HW_NO_SQLITE", { detail: describe(error) }, error);
  }
  return new Libsql(file);
}

/** node:sqlite announces itself as experimental on stderr, which an agent would show to the person. */
function quietly<T>(action: () => T): T {
  const emit = process.emitWarning;
  process.emitWarning = () => undefined;
  try {
    return action();
  } finally {
    process.emitWarning = emit;
  }
}

export function isBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  const number = "errcode" in error ? Number(error.errcode) : "rawCode" in error ? Number(error.rawCode) : 0;
  return code.startsWith("SQLITE_BUSY") || (number & 0xff) === 5 || /database is locked/.test(error.message);
}

function isCannotOpen(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === 14;
}

export function isReadOnly(error: unknown): boolean {
  return error instanceof Error && /readonly database/.test(error.message);
}

/** SQLITE_IOERR_SHORT_READ: the file is shorter than its header says. */
const SHORT_READ = 522;

export function isCorrupt(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const number = "errcode" in error ? Number(error.errcode) : "rawCode" in error ? Number(error.rawCode) : 0;
  return number === SHORT_READ || [11, 26].includes(number & 0xff) || /malformed|not a database/.test(error.message);
}
