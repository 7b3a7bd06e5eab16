import { readStatus, staleSince } from "./status.ts";

/** A machine of the fleet, for a page. */
export interface ShownMachine {
  readonly name: string;
  readonly lastSeen: number;
  readonly sessions: number;
  readonly isStale: boolean;
}

/** Empty without a fleet. While the server is out of reach, what is known of every other machine is stale. */
export function shownMachines(folder: string, now: number): readonly ShownMachine[] {
  const status = readStatus(folder);
  if (!status) return [];
  const isOutOfReach = staleSince(status, now) !== undefined;
  return status.machines.map(({ name, lastSeen, sessions, isStale }) => {
    return { name, lastSeen, sessions, isStale: isStale || (isOutOfReach && name !== status.machine) };
  });
}
