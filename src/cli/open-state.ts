import fs from "node:fs";
import { readFailed } from "../agents/settings-file.ts";
import { Database } from "../state/database.ts";

const BUSY_MS = 5_000;

/** The state as it is: nothing is made where there is none, and a damaged file is named and left where it lies. */
export function openState(file: string): Database | undefined {
  if (!fs.existsSync(file)) return undefined;
  try {
    return new Database(file, BUSY_MS, false);
  } catch (error) {
    throw readFailed(file, error);
  }
}
