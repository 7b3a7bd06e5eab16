import { isBusy, openConnection } from "../state/driver.ts";

/** Mutual exclusion is SQLite's: the lock ends with the process, however it ends. Undefined when another has it. */
export function takeLock(file: string): (() => void) | undefined {
  const connection = openConnection(file);
  try {
    connection.exec("PRAGMA busy_timeout = 1; BEGIN EXCLUSIVE");
    return () => connection.close();
  } catch (error) {
    connection.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}
