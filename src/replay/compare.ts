import type { PolicyResult } from "../core/pipeline.ts";
import { maskText } from "../state/masking.ts";
import type { DecidedAgain } from "./decide-again.ts";
import type { RecordedEvent } from "./recorded-event.ts";

/** How an answer can change. `held`: the agent would have been kept from stopping. */
export const CHANGES = ["denied", "asked", "allowed", "held", "context"] as const;
export type ChangeKind = (typeof CHANGES)[number];

export interface Change {
  readonly kind: ChangeKind;
  /** The policy that makes the difference; empty when none of them does, as with a note of an earlier event. */
  readonly policy: string;
  readonly was: { readonly ruling: string; readonly policy: string; readonly reason: string };
  readonly now: { readonly ruling: string; readonly policy: string; readonly reason: string };
}

type Decided = Extract<DecidedAgain, { kind: "decided" }>;

/** Undefined: the agent would have got the same answer, byte for byte. */
export function compare(recorded: RecordedEvent, decided: Decided): Change | undefined {
  const { ruling, reply, results } = decided;
  const was = { ruling: recorded.ruling, policy: recorded.policy, reason: recorded.reason };
  const now = { ruling: ruling.outcome, policy: ruling.policy, reason: maskText(ruling.reason) };
  const kind = kindOf(was.ruling, now.ruling);
  if (kind !== undefined) return { kind, policy: kind === "allowed" ? was.policy : now.policy, was, now };
  const before = recorded.reply;
  if (before === undefined ? reply.stdout === "" && reply.stderr === "" : isSame(before, reply)) return undefined;
  return { kind: "context", policy: policyBehind(recorded, results, ruling.fates) ?? now.policy, was, now };
}

function isSame(a: Decided["reply"], b: Decided["reply"]): boolean {
  return a.exit === b.exit && a.stdout === b.stdout && a.stderr === b.stderr;
}

function kindOf(was: string, now: string): ChangeKind | undefined {
  if (was === now) return undefined;
  if (now === "deny") return "denied";
  if (now === "hold") return "held";
  // An agent that gets no approval asks the person.
  return now === "ask" || (was === "approve" && now === "pass") ? "asked" : "allowed";
}

/** The first policy that speaks to the agent in other words than then, or no longer, or for the first time. */
function policyBehind(
  recorded: RecordedEvent,
  results: readonly PolicyResult[],
  fates: Readonly<Record<string, string>>,
): string | undefined {
  const then = new Map(recorded.results.map((one) => [one.policy, said(one.fate, one.verdicts)]));
  for (const { id, verdicts } of results) {
    if (said(fates[id] ?? "silent", verdicts) !== (then.get(id) ?? "")) return id;
    then.delete(id);
  }
  return [...then].find(([, words]) => words !== "")?.[0];
}

function said(fate: string, verdicts: readonly { readonly kind: string; readonly text: string }[]): string {
  return fate === "sent" ? verdicts.map(({ kind, text }) => `${kind} ${maskText(text)}`).join("\n") : "";
}
