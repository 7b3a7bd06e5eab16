import fs from "node:fs";
import { readFailed } from "../../agents/settings-file.ts";
import { describe, HookwrightError } from "../../core/errors.ts";
import { Database } from "../../state/database.ts";
import { isCorrupt } from "../../state/driver.ts";

const BUSY_MS = 5_000;

/** Opens an existing database; undefined when there is none. A damaged file is reported and left in place. */
export function openState(file: string): Database | undefined {
  if (!fs.existsSync(file)) return undefined;
  try {
    return new Database(file, BUSY_MS, false);
  } catch (error) {
    if (isCorrupt(error)) throw new HookwrightError("HW_STATE_DAMAGED", { file, detail: describe(error) }, error);
    throw readFailed(file, error);
  }
}

/** For commands that only read: without a database, an empty one in memory. */
export function openStateOrEmpty(file: string): Database {
  return openState(file) ?? new Database(":memory:", BUSY_MS);
}
