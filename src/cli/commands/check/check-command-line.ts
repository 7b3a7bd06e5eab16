import { randomUUID } from "node:crypto";
import os from "node:os";
import type { Attributed, Ruling } from "../../../core/ruling.ts";
import { lastAnswersTo } from "../../../domain/loss/answer-effects.ts";
import { lastReadingOf } from "../../../domain/loss/started-scripts.ts";
import type { Effect } from "../../../effects/effect.ts";
import type { Home } from "../../../system/home.ts";
import { withDatabaseCopy } from "../../state/database-copy.ts";
import { type ExamineInput, examineEvent } from "../explain/examine.ts";
import { lastOfSession, recordedEnvironment } from "../explain/recorded-event.ts";

export type CheckVerdict = "pass" | "ask" | "deny";

export interface CheckedEffect {
  readonly kind: string;
  readonly target: string;
  /** The same as an absolute path; empty when it is none. */
  readonly path: string;
  readonly certainty: string;
  readonly why: string;
  readonly instead: string;
  /** The script on disk that has this effect; empty when the command itself has it. */
  readonly startedBy: string;
  /** Would anything be lost in the current state? Null when no enabled policy checks that. */
  readonly loses: boolean | null;
  readonly span: { readonly start: number; readonly end: number };
  /** The part of the command that has this effect. */
  readonly text: string;
}

/** What `check --json` prints. */
export interface CheckResult {
  readonly verdict: CheckVerdict;
  readonly effects: readonly CheckedEffect[];
  /** The policy that gave the answer; empty when the command passes. */
  readonly policy: string;
  /** The text for the agent. */
  readonly reason: string;
  /** Notes for the model beside the answer. */
  readonly notes: readonly Attributed[];
  /** What has switched Hookwright off, so that everything passes; else empty. */
  readonly switchedOff: string;
}

export interface CheckInput {
  readonly home: Home;
  readonly dist: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Use exactly these profiles; empty or missing: those of the configuration. */
  readonly profiles?: readonly string[];
  /** Check as the next call of this session; undefined: as the first call of a new session. */
  readonly session?: string;
}

/** Gives the answer of a hook to an agent that is about to run this command in `cwd`. Changes nothing. */
export async function checkCommandLine(command: string, input: CheckInput): Promise<CheckResult> {
  const { prepared, judgement, switchedOff } = await withDatabaseCopy(input.home.database, (copy) =>
    examineEvent(callOf(command, input, copy)),
  );
  if (prepared.kind !== "event" || !judgement) throw new Error("a call of Bash is an event");
  const { ruling, policies } = judgement;
  const { effects } = lastReadingOf(prepared.event, input.env.HOME || os.homedir());
  const isWeighed = policies.some(({ policy }) => policy.id === LOSS_POLICY);
  const lost = new Set(lastAnswersTo(effects).map(({ effect, whole = effect }) => whole));
  return {
    ...(switchedOff === "" ? answerOf(ruling) : { verdict: "pass", policy: "", reason: "", notes: [] }),
    effects: effects.map((effect) => shown(effect, isWeighed ? lost.has(effect) : null, command)),
    switchedOff,
  };
}

function answerOf({ outcome, policy, reason, end, notes }: Ruling): Omit<CheckResult, "effects" | "switchedOff"> {
  const told = notes.map((note) => ({ policy: note.policy, text: note.text }));
  // A ruling that ends the turn also prevents the call.
  if (end && outcome !== "deny") return { verdict: "deny", policy: end.policy, reason: end.text, notes: told };
  return { verdict: outcome === "deny" || outcome === "ask" ? outcome : "pass", policy, reason, notes: told };
}

/** The policy that computes which effects lose something. */
const LOSS_POLICY = "safety/destructive-command";

/** The event that the agent would send. For a known session, its transcript, mode and environment are reused. */
function callOf(command: string, input: CheckInput, copy: string | undefined): ExamineInput {
  const { session = randomUUID(), profiles = [] } = input;
  const last = copy === undefined ? undefined : lastOfSession(copy, session);
  const { transcript_path, permission_mode } = last?.payload ?? {};
  const body = JSON.stringify({
    hook_event_name: "PreToolUse",
    session_id: session,
    transcript_path,
    permission_mode,
    cwd: input.cwd,
    tool_name: "Bash",
    tool_use_id: randomUUID(),
    tool_input: { command },
  });
  return {
    ...input,
    copy,
    profiles,
    env: { ...input.env, ...(last && recordedEnvironment(last.entry)) },
    event: "PreToolUse",
    body: Buffer.from(body),
  };
}

function shown(effect: Effect, loses: boolean | null, command: string): CheckedEffect {
  const { kind, target, path = "", certainty, why, instead = "", startedBy = "", by } = effect;
  const { start, end } = by.at;
  const span = { start, end };
  return { kind, target, path, certainty, why, instead, startedBy, loses, span, text: command.slice(start, end) };
}
