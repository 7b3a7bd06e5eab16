import { oneLine } from "../../../core/text/one-line.ts";
import type { ModeRun } from "../mode-run.ts";
import { type AutopilotDetails, detailsOf } from "./details.ts";
import { PHASES, type Phase, phaseNumber } from "./phases.ts";
import { MOST_ROUNDS, REVIEWS } from "./verdicts.ts";

const LONGEST_IDEA = 50;
const MINUTE_MS = 60_000;

/** What the person reads at the end. */
export function summaryText(run: ModeRun, now: number): string {
  const details = detailsOf(run);
  const { execution, qa, validation, total_agents_spawned: agents } = details;
  const done = PHASES.filter((phase) => details.phase_durations[phase] !== undefined);
  // The phase in which a run fails has ended, but was not completed.
  const completed = validation.all_approved ? done.length : done.filter((phase) => phase !== "validation").length;
  const stories = execution.tasks_total > 0 ? [`${execution.tasks_completed} of ${execution.tasks_total} stories`] : [];
  const files = `${counted(execution.files_created.length, "file")} created, ${execution.files_modified.length} changed`;
  const unverified = execution.ralph_outcome === "unverified" ? ["ralph's reviewer did not approve the execution"] : [];
  return [
    `Idea: ${oneLine(details.originalIdea, LONGEST_IDEA)}`,
    `phases ${completed}/${PHASES.length}`,
    ...stories,
    files,
    `tests ${TESTS[qa.test_status]}`,
    `${counted(agents, "agent")}, ${counted(validation.validation_rounds, "round")} of validation`,
    ...unverified,
    durationText(now - run.startedAt),
  ].join("; ");
}

const TESTS = { passing: "passing", failing: "failing", pending: "not seen to succeed" } as const;

/** One line for tables and the status line; the name of the phase stands beside it. */
export function compactText(phase: Phase, { execution, qa, validation }: AutopilotDetails): string {
  const at = `phase ${phaseNumber(phase)} of ${PHASES.length}`;
  if (phase === "execution" && execution.tasks_total > 0) {
    return `${at}, ${execution.tasks_completed} of ${execution.tasks_total} stories`;
  }
  if (phase === "qa" && qa.test_status !== "pending") return `${at}, tests ${qa.test_status}`;
  if (phase !== "validation" || validation.validation_rounds === 0) return at;
  const approved = validation.verdicts.filter(({ verdict }) => verdict === "APPROVED").length;
  return `${at}, ${approved} of ${REVIEWS.length} approved in round ${validation.validation_rounds} of ${MOST_ROUNDS}`;
}

function durationText(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / MINUTE_MS));
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
