import os from "node:os";
import type { Home } from "../../core/home.ts";
import type { PolicyResult } from "../../core/pipeline.ts";
import { readingOf } from "../../domain/loss/started-scripts.ts";
import { weighedOf } from "../../domain/loss/weigh.ts";
import type { Effect } from "../../shell/effects/effect.ts";
import { examine } from "../explain/examine.ts";

export type Verdict = "pass" | "ask" | "deny";

export interface CheckedEffect {
  readonly kind: string;
  readonly target: string;
  readonly certainty: string;
  readonly why: string;
  readonly instead: string;
  /** The script on disk that does it; empty when the command says it itself. */
  readonly startedBy: string;
  /** Whether anything would be lost, as things stand now. */
  readonly loses: boolean;
  readonly span: { readonly start: number; readonly end: number };
  /** The piece of the command it comes from. */
  readonly text: string;
}

/** What `check --json` prints. */
export interface Checked {
  readonly verdict: Verdict;
  readonly effects: readonly CheckedEffect[];
  /** What the agent would be told. */
  readonly reason: string;
  /** What else an agent would hear of it: reading a secret aloud loses nothing, and is asked about all the same. */
  readonly also: readonly Also[];
}

interface Also {
  readonly policy: string;
  readonly verdict: Exclude<Verdict, "pass">;
  readonly reason: string;
}

export interface CheckInput {
  readonly home: Home;
  readonly dist: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Asks the guards about a command as if an agent were about to run it in `cwd`, and changes nothing. */
export async function check(command: string, input: CheckInput): Promise<Checked> {
  const body = JSON.stringify({
    hook_event_name: "PreToolUse",
    session_id: "check",
    cwd: input.cwd,
    tool_name: "Bash",
    tool_use_id: "check",
    tool_input: { command },
  });
  const { prepared, judgement } = await examine({
    ...input,
    copy: undefined,
    event: "PreToolUse",
    profiles: ["safety"],
    body: Buffer.from(body),
  });
  if (prepared.kind !== "event" || !judgement)
    return { verdict: "ask", effects: [], reason: "It could not be read.", also: [] };
  const { verdict, reason } = answerOf(judgement.results);
  const { effects } = readingOf(prepared.event, input.env.HOME || os.homedir());
  const lost = new Set(weighedOf(effects).map(({ effect, whole = effect }) => whole));
  return {
    verdict,
    effects: effects.map((effect) => shown(effect, lost.has(effect), command)),
    reason,
    also: alsoSaid(judgement.results),
  };
}

/** Guards what is read, printed and committed, which is no effect that a command has on anything. */
const GUARDS_READING = "safety/secret-leak";

function alsoSaid(results: readonly PolicyResult[]): readonly Also[] {
  return results
    .filter(({ id }) => id === GUARDS_READING)
    .flatMap(({ id, verdicts }) =>
      verdicts.flatMap(({ kind, text }) =>
        kind === "deny" || kind === "ask" ? [{ policy: id, verdict: kind, reason: text }] : [],
      ),
    );
}

/** The strictest word of those who judge what a command does, in their own order. */
function answerOf(results: readonly PolicyResult[]): Pick<Checked, "verdict" | "reason"> {
  const said = results
    .filter(({ id }) => id !== GUARDS_READING)
    .flatMap(({ id, verdicts }) => verdicts.map((one) => ({ id, one })));
  for (const verdict of ["deny", "ask"] as const) {
    const found = said.find(({ one }) => one.kind === verdict);
    if (found) return { verdict, reason: `${found.one.text} [${found.id}]` };
  }
  return { verdict: "pass", reason: "" };
}

function shown(effect: Effect, loses: boolean, command: string): CheckedEffect {
  const { kind, target, certainty, why, instead = "", startedBy = "", by } = effect;
  const { start, end } = by.at;
  const span = { start, end };
  return { kind, target, certainty, why, instead, startedBy, loses, span, text: command.slice(start, end) };
}
