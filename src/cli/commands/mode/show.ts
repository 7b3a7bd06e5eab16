import { printable } from "../../../config/printable.ts";
import type { ModeReader } from "../../../domain/mode/machine.ts";
import { machineOf } from "../../../domain/mode/machines.ts";
import { type EndedRun, type ModeRun, shownStatus } from "../../../domain/mode/mode-run.ts";
import { table } from "../../terminal/style.ts";
import { shortened, widthOf } from "../../terminal/width.ts";
import { formatTime } from "../journal/time-format.ts";

const LONGEST_REQUEST = 2_000;
const NARROWEST_REQUEST = 20;
const SHORTEST_SESSION = 8;

export interface Shown {
  readonly now: number;
  readonly reader: ModeReader;
  readonly columns?: number | undefined;
}

export function statusTable(runs: readonly ModeRun[], { now, reader, columns }: Shown): string {
  const sessions = runs.map(({ session }) => session);
  const rows = runs.map((run) => [
    nameOf(run, runs),
    shownStatus(run, now),
    `${run.round}/${run.limit}`,
    progressOf(run, reader) || "-",
    shortSession(run.session, sessions),
    formatTime(run.startedAt),
  ]);
  const head = ["mode", "state", "round", "progress", "session", "since"];
  return withRequests([head, ...rows], runs, columns);
}

export function historyTable(runs: readonly EndedRun[], columns: number | undefined): string {
  const sessions = runs.map(({ session }) => session);
  const rows = runs.map((run) => [
    nameOf(run, runs),
    printable(run.outcome),
    String(run.round),
    durationText(run.endedAt - run.startedAt),
    shortSession(run.session, sessions),
    formatTime(run.endedAt),
  ]);
  return withRequests([["mode", "outcome", "rounds", "duration", "session", "ended"], ...rows], runs, columns);
}

/** What a person is to know of the runs that do not go on by themselves. */
export function restingTexts(runs: readonly ModeRun[], now: number): string[] {
  return runs.flatMap((run) => {
    const { mode, why } = run;
    switch (shownStatus(run, now)) {
      case "waiting":
        return [`${mode} waits for an answer in its session: ${printable(why, LONGEST_REQUEST)}`];
      case "paused":
        return [`${mode} is paused: ${sentence(why)} Go on with \`hookwright mode resume ${mode}\`.`];
      case "detached":
        return [`${mode} has no session: ${sentence(why)} Go on with \`hookwright mode resume ${mode}\`.`];
      case "stale":
        return [
          `Nothing was seen of ${mode} since ${formatTime(run.seenAt)}. Go on with \`hookwright mode resume ${mode}\`.`,
        ];
      default:
        return [];
    }
  });
}

export function runJson(run: ModeRun, { now, reader }: Shown): object {
  const { mode, session, round, limit, phase, request, parent, why } = run;
  const state = shownStatus(run, now);
  return {
    ...{ mode, session, state, round, limit, phase, request },
    progress: machineOf(mode).progress(run, reader),
    since: new Date(run.startedAt).toISOString(),
    seen: new Date(run.seenAt).toISOString(),
    ...(parent === "" ? {} : { startedBy: parent }),
    ...(run.status === "waiting" ? { question: why } : {}),
    ...(run.status === "waiting" || why === "" ? {} : { why }),
  };
}

export function endedJson(run: EndedRun): object {
  const { mode, session, outcome, round, limit, phase, request, parent, startedAt, endedAt } = run;
  return {
    ...{ mode, session, state: "ended", outcome, round, limit, phase, request },
    since: new Date(startedAt).toISOString(),
    ended: new Date(endedAt).toISOString(),
    seconds: Math.round((endedAt - startedAt) / 1_000),
    ...(parent === "" ? {} : { startedBy: parent }),
  };
}

/** `ralph (round 7 of 100, 2 of 5 stories)` */
export function runText(run: ModeRun, reader: ModeReader): string {
  const progress = progressOf(run, reader);
  return `${run.mode} (round ${run.round} of ${run.limit}${progress === "" ? "" : `, ${progress}`})`;
}

/** The beginning of the session's id by which it is told apart from the others. */
export function shortSession(session: string, sessions: readonly string[]): string {
  const others = sessions.filter((other) => other !== session);
  let length = SHORTEST_SESSION;
  while (length < session.length && others.some((other) => other.startsWith(session.slice(0, length)))) length++;
  return printable(session.slice(0, length));
}

export function requestText(request: string): string {
  return printable(request, 200) || "the work at hand";
}

function nameOf(run: ModeRun, runs: readonly ModeRun[]): string {
  const isShown = runs.some(({ mode, session }) => mode === run.parent && session === run.session);
  return isShown ? `  ${run.mode} for ${run.parent}` : run.mode;
}

function progressOf(run: ModeRun, reader: ModeReader): string {
  const progress = machineOf(run.mode).progress(run, reader);
  return [run.phase, progress].filter((part) => part !== "").join(", ");
}

/** The request comes last and gets the rest of the line, so that each run has one line. */
function withRequests(cells: readonly string[][], runs: readonly ModeRun[], columns: number | undefined): string {
  const taken = Math.max(...table(cells).split("\n").map(widthOf)) + 2;
  const room = columns === undefined ? LONGEST_REQUEST : Math.max(NARROWEST_REQUEST, columns - taken);
  const requests = runs.map(({ request }) => shortened(printable(request.replace(/\s+/g, " "), LONGEST_REQUEST), room));
  const texts = ["request", ...requests.map((request) => request || "-")];
  return table(cells.map((row, at) => [...row, texts[at] ?? ""]));
}

function durationText(ms: number): string {
  if (ms < 60_000) return `${Math.max(0, Math.round(ms / 1_000))} s`;
  const minutes = Math.round(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function sentence(text: string): string {
  const plain = printable(text, LONGEST_REQUEST);
  return /[.!?]$/.test(plain) ? plain : `${plain}.`;
}
