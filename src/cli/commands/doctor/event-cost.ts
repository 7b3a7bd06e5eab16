import { spawnSync } from "node:child_process";
import { DOCTOR_SESSION } from "../../../state/journal.ts";
import { type DoctorFinding, noteFinding, okFinding, problemFinding } from "./finding.ts";

/** The time for one event on this machine, compared with the time to start Node, measured together. */
export interface EventCost {
  readonly medianMs: number;
  readonly nodeMs: number;
  readonly ratio: number;
  readonly runs: number;
  readonly via: "daemon" | "in process";
}

export interface CostInput {
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly runs: number;
  /** False: measure without a daemon, and start none. */
  readonly isDaemonUp: boolean;
  progress?(step: string): void;
}

const LIMIT_MS = 10_000;
/** The measurement stops after this time and uses the runs that it has. */
const PATIENCE_MS = 8_000;

/** Sends a harmless event of doctor's own session through the client that agents call. */
function sendTestEvent({ command, env, isDaemonUp }: Omit<CostInput, "runs" | "progress">) {
  const [program = "", ...args] = command;
  const input = JSON.stringify({ hook_event_name: "CwdChanged", session_id: DOCTOR_SESSION, cwd: "/" });
  const flags = isDaemonUp ? [] : ["--no-daemon"];
  return spawnSync(program, [...args, ...flags], { input, env, encoding: "utf8", timeout: LIMIT_MS });
}

export function clientAnswers(question: Omit<CostInput, "runs">): DoctorFinding {
  const name = "client answers";
  const result = sendTestEvent(question);
  if (result.status === 0) {
    // A message on stderr is no failure: other checks report recording problems and repairs.
    return result.stderr === ""
      ? okFinding(name, "yes")
      : noteFinding(name, `yes, and it said: ${result.stderr.trim()}`);
  }
  // Without output the client could not be started, and a client that exits early causes a broken pipe error.
  const said = result.stderr?.trim() || result.error?.message || `it ended with ${result.status}`;
  return problemFinding(name, said, "Run `hookwright init` again; in a checkout, run `npm ci` before it.");
}

/** `countRequests` asks the daemon for its number of requests, which tells whether it answered all the events. */
export async function measureCost(
  question: CostInput,
  countRequests: () => Promise<number>,
): Promise<EventCost | undefined> {
  const { NODE_OPTIONS: _options, NODE_EXTRA_CA_CERTS: _certificates, ...env } = question.env;
  const before = await countRequests();
  const client: number[] = [];
  const node: number[] = [];
  const started = performance.now();
  for (let run = 0; run < question.runs && (run < 3 || performance.now() - started < PATIENCE_MS); run++) {
    question.progress?.(`Measuring one event, run ${run + 1} of ${question.runs}`);
    const ms = timed(() => sendTestEvent(question).status === 0);
    // Client and Node alternate, so that a busy moment of the machine affects both.
    const base = timed(() => spawnSync(process.execPath, ["-e", "0"], { env, timeout: LIMIT_MS }).status === 0);
    if (ms === undefined || base === undefined) return undefined;
    client.push(ms);
    node.push(base);
  }
  // Minus 1, because asking for the count is a request as well.
  const answered = (await countRequests()) - before - 1;
  const [medianMs, nodeMs] = [median(client), median(node)];
  return {
    medianMs,
    nodeMs,
    ratio: rounded(medianMs / nodeMs),
    runs: client.length,
    via: question.isDaemonUp && answered >= client.length ? "daemon" : "in process",
  };
}

function timed(work: () => boolean): number | undefined {
  const started = performance.now();
  return work() ? performance.now() - started : undefined;
}

function median(values: readonly number[]): number {
  return rounded([...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0);
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
