import { HookwrightError } from "../../../core/errors.ts";
import { shownAddress } from "../../../fleet/connection/address.ts";
import { readConnection } from "../../../fleet/connection/files.ts";
import { readStatus, staleSince } from "../../../fleet/status.ts";
import { formatTime } from "../journal/time-format.ts";
import type { DoctorContext } from "./context.ts";
import { type DoctorFinding, noteFinding, okFinding } from "./finding.ts";

const NAME = "fleet";
const ON =
  "Every decision is made without the server, and what waits is sent later. `hookwright fleet status` tries to reach it now.";

/** Findings about the fleet, from files alone: doctor does not wait for a server. Empty where there is none. */
export function fleetFindings({ home }: Pick<DoctorContext, "home">, now = Date.now()): DoctorFinding[] {
  try {
    const connection = readConnection(home.fleet);
    if (!connection) return [];
    const status = readStatus(home.fleet);
    const server = shownAddress(connection.address);
    if (!status) return [noteFinding(NAME, `connected with ${server}, but the link has not begun`, ON)];
    const { machine, problem, lastContact, waiting, bundle } = status;
    const since = staleSince(status, now);
    if (since === undefined) {
      const found = okFinding(NAME, `${machine}, connected with ${server}; policy bundle ${bundle.revision || "none"}`);
      return bundle.problem === "" ? [found] : [found, noteFinding("policy bundle", bundle.problem)];
    }
    const stale = lastContact === 0 ? "never reached" : `stale since ${formatTime(since)}`;
    const why = problem === "" ? "no daemon runs, which keeps it up to date" : problem;
    return [noteFinding(NAME, `${server}: ${stale} (${why}); ${waiting} journal entries wait`, ON)];
  } catch (error) {
    if (error instanceof HookwrightError) return [noteFinding(NAME, error.message, error.fix)];
    throw error;
  }
}
