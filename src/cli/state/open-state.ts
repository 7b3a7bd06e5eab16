import fs from "node:fs";
import { readFailed } from "../../agents/settings-file.ts";
import { describe, HookwrightError } from "../../core/errors.ts";
import { Database } from "../../state/database.ts";
import { isCorrupt } from "../../state/driver.ts";

const BUSY_MS = 5_000;

/** The state as it is: nothing is made where there is none, and a damaged file is named and left where it lies. */
export function openState(file: string): Database | undefined {
  if (!fs.existsSync(file)) return undefined;
  try {
    return new Database(file, BUSY_MS, false);
  } catch (error) {
    if (isCorrupt(error)) throw new HookwrightError("HW_STATE_DAMAGED", { file, detail: describe(error) }, error);
    throw readFailed(file, error);
  }
}

/** For commands that only look: where nothing is recorded, an empty state that is gone afterwards. */
export function lookAtState(file: string): Database {
  return openState(file) ?? new Database(":memory:", BUSY_MS);
}
