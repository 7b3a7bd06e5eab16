import fs from "node:fs";
import { errorCode, writeFailed } from "../../../agents/settings-file.ts";
import { HookwrightError } from "../../../core/errors.ts";
import type { Database } from "../../../state/database.ts";
import type { Row } from "../../../state/driver.ts";
import { journalObject } from "./entry.ts";

export const FORMATS = ["jsonl", "csv"] as const;
export type ExportFormat = (typeof FORMATS)[number];

/** Columns of a table; the rest of an entry is nested. */
const COLUMNS = [
  ...["id", "at", "agent", "agentId", "session", "project", "event", "agentEvent", "tool", "toolUseId", "subject"],
  ...["ruling", "policy", "reason", "microseconds", "build", "config"],
] as const;

/** The entries as lines of JSON, or as a table with a header. */
export function* exportedLines(db: Database, rows: Iterable<Row>, format: ExportFormat): Generator<string> {
  if (format === "csv") yield COLUMNS.join(",");
  for (const row of rows) {
    const entry = journalObject(db, row) as unknown as Readonly<Record<string, unknown>>;
    yield format === "csv" ? COLUMNS.map((name) => cell(String(entry[name]))).join(",") : JSON.stringify(entry);
  }
}

/** Spreadsheets take a text that begins like this for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

function cell(text: string): string {
  const plain = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** Writes a new file that only its owner can read. An existing file is kept, an incomplete one removed. Returns the lines. */
export function writeLines(lines: Iterable<string>, file: string): number {
  let fd: number;
  try {
    fd = fs.openSync(file, "wx", 0o600);
  } catch (error) {
    throw errorCode(error) === "EEXIST" ? new HookwrightError("HW_FILE_EXISTS", { file }) : writeFailed(file, error);
  }
  let count = 0;
  try {
    for (const line of lines) {
      fs.writeFileSync(fd, `${line}\n`);
      count++;
    }
    fs.fsyncSync(fd);
    return count;
  } catch (error) {
    fs.rmSync(file, { force: true });
    throw errorCode(error) === undefined ? error : writeFailed(file, error);
  } finally {
    fs.closeSync(fd);
  }
}
