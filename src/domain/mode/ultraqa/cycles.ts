import type { CallResult } from "./call-result.ts";
import type { UltraqaDetails } from "./details.ts";
import { normalised, shortFailure } from "./failures.ts";

/** So many equal failures in a row say that the same attempt is made again and again. */
export const MOST_EQUAL = 3;
const MOST_KEPT = 20;

/** The details after an ended call; the same object when the call changes nothing. */
export function afterCall(details: UltraqaDetails, result: CallResult): UltraqaDetails {
  switch (result.kind) {
    case "unproven":
      return details;
    case "met":
      return details.exit_reason === "goal_met" ? details : { ...details, exit_reason: "goal_met", equal_failures: 0 };
    case "cannot-run":
      // The code has not failed, so this is no cycle.
      return isDecided(details)
        ? details
        : { ...details, exit_reason: "env_error", last_failure: shortFailure(result.error) };
    default:
      return isDecided(details) ? details : withFailure(details, result.error);
  }
}

/** A later failure changes nothing: the run has ended, and only waits for the end of the turn. A success still counts. */
function isDecided({ exit_reason }: UltraqaDetails): boolean {
  return exit_reason === "same_failure" || exit_reason === "max_cycles";
}

function withFailure(details: UltraqaDetails, error: string): UltraqaDetails {
  const failure = normalised(error);
  const isSame = details.equal_failures > 0 && details.failures.at(-1) === failure;
  const equal = isSame ? details.equal_failures + 1 : 1;
  const failed = {
    ...details,
    failures: [...details.failures, failure].slice(-MOST_KEPT),
    last_failure: shortFailure(error),
    equal_failures: equal,
  };
  if (equal >= MOST_EQUAL) return { ...failed, exit_reason: "same_failure" };
  const cycle = details.cycle + 1;
  return { ...failed, cycle, exit_reason: cycle > details.max_cycles ? "max_cycles" : "" };
}
