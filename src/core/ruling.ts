import type { InForce } from "./arbiter.ts";
import type { Section } from "./context-budget.ts";
import type { AnyEvent } from "./event.ts";
import { areAllSilent, failureVerdict, isSilent, type PolicyResult } from "./pipeline.ts";
import type { Fate } from "./policy.ts";
import { firstSentence, IN_FULL, type Wording } from "./repeated-texts.ts";
import { STAGES } from "./stages.ts";
import type { HoldVerdict, NoticeVerdict, Retry, Verdict } from "./verdict.ts";

export interface Attributed {
  readonly policy: string;
  readonly text: string;
}

export interface Notice extends Attributed {
  /** For the terminal, and not for the conversation. */
  readonly isAlert?: true;
}

/** What the engine answers after merging all verdicts. */
export interface Ruling {
  readonly outcome: "pass" | "deny" | "ask" | "hold" | "approve";
  /** For deny, ask and hold: the whole text, headline first. */
  readonly reason: string;
  /** The policy that supplied the headline. */
  readonly policy: string;
  /** A soft hold goes out as context, a hard one as a block. */
  readonly strength: "soft" | "hard";
  readonly notes: readonly Section[];
  readonly notices: readonly Notice[];
  readonly rewrite?: { readonly policy: string; readonly value: unknown };
  /** Set when the answer is to wait for a person; nobody objects. The text is what guards ask about the call. */
  readonly wait?: Attributed;
  /** Set when the turn shall end here. */
  readonly end?: Attributed;
  readonly watch: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** For the policies that said something. */
  readonly fates: Readonly<Record<string, Fate>>;
}

export const PASS: Ruling = {
  outcome: "pass",
  reason: "",
  policy: "",
  strength: "soft",
  notes: [],
  notices: [],
  watch: [],
  environment: {},
  fates: {},
};

interface Said<V extends Verdict = Verdict> {
  readonly policy: string;
  readonly order: number;
  readonly verdict: V;
}

/** The answer of the Stop arbiter to the holds of one event. */
export interface Arbitration {
  readonly held: readonly InForce[];
  readonly notice: string;
}

/** The merge rules, one function each; the result does not depend on the order of `results`. */
export function merge(
  event: AnyEvent,
  results: readonly PolicyResult[],
  arbitrate: (holds: readonly Said<HoldVerdict>[], released: ReadonlySet<string>) => Arbitration,
  wording: Wording = IN_FULL,
): Ruling {
  if (areAllSilent(results)) {
    const { notice } = arbitrate([], NO_POLICY);
    return notice === "" ? PASS : { ...PASS, notices: [{ policy: "core/stop-arbiter", text: notice }] };
  }
  const said = collect(event, results);
  const deny = firstWins(said, "deny", wording) ?? endedBefore(event, said);
  // Asks are read by a person, who may not have seen the one before.
  const ask = deny ? undefined : (firstWins(said, "ask", IN_FULL) ?? rewriteConflict(said));
  const arbitration = arbitrate(verdictsOf(said, "hold"), releasedPolicies(said));
  const sentHolds = new Set(arbitration.held.map((hold) => hold.policy));
  const hold = deny || ask ? undefined : holdText(arbitration.held);
  const rewrite = deny || ask ? undefined : verdictsOf(said, "rewrite")[0];
  const notes = survivingNotes(said, deny?.order, wording);
  const isTold = ({ ifPassed }: NoticeVerdict): boolean => !(ifPassed && hold);
  const told = verdictsOf(said, "notice").filter(({ verdict }) => isTold(verdict));
  const notices: Notice[] = told.map(({ policy, verdict: { text, isAlert } }) => ({
    policy,
    text,
    ...(isAlert ? { isAlert } : {}),
  }));
  if (arbitration.notice !== "") notices.push({ policy: "core/stop-arbiter", text: arbitration.notice });

  const wasSent = ({ policy, verdict }: Said): boolean => {
    switch (verdict.kind) {
      case "deny":
        return true;
      case "ask":
        return !deny;
      case "note":
        return notes.some((note) => note.policy === policy);
      case "rewrite":
        return rewrite?.policy === policy;
      case "notice":
        return isTold(verdict);
      case "hold":
        return hold !== undefined && sentHolds.has(policy);
      case "approve":
        return approve?.policy === policy;
      case "wait":
        return wait?.policy === policy;
      default:
        return true;
    }
  };
  const approve = deny || ask ? undefined : verdictsOf(said, "approve")[0];
  const [wait] = deny || ask || approve ? [] : verdictsOf(said, "wait");
  const headline = deny ?? ask ?? hold ?? (approve && { policy: approve.policy, text: approve.verdict.text });
  const [end] = verdictsOf(said, "end");
  return {
    outcome: deny ? "deny" : ask ? "ask" : hold ? "hold" : approve ? "approve" : "pass",
    reason: headline?.text ?? "",
    policy: headline?.policy ?? "",
    strength: arbitration.held.some((said) => said.verdict.strength === "hard") ? "hard" : "soft",
    notes,
    notices,
    ...(rewrite ? { rewrite: { policy: rewrite.policy, value: rewrite.verdict.value } } : {}),
    ...(wait ? { wait: { policy: wait.policy, text: wait.verdict.text } } : {}),
    ...(end ? { end: { policy: end.policy, text: end.verdict.text } } : {}),
    watch: [...new Set(verdictsOf(said, "watch").flatMap((one) => one.verdict.paths))].sort(),
    environment: earliestWins(said),
    fates: Object.fromEntries(
      results.filter((result) => !isSilent(result)).map((result) => [result.id, fateOf(result, said, wasSent)]),
    ),
  };
}

const NO_POLICY: ReadonlySet<string> = new Set();

/** Enforced verdicts only, sorted by stage, then policy, then position. */
function collect(event: AnyEvent, results: readonly PolicyResult[]): Said[] {
  return results
    .filter((result) => result.mode === "enforce")
    .flatMap((result) => {
      const failure = failureVerdict(result, event);
      const verdicts = failure ? [failure] : result.verdicts;
      return verdicts.map((verdict) => ({ policy: result.id, order: STAGES[result.stage].order, verdict }));
    })
    .sort((a, b) => a.order - b.order || (a.policy < b.policy ? -1 : a.policy > b.policy ? 1 : 0));
}

function verdictsOf<K extends Verdict["kind"]>(said: readonly Said[], kind: K): Said<Extract<Verdict, { kind: K }>>[] {
  return said.filter((one): one is Said<Extract<Verdict, { kind: K }>> => one.verdict.kind === kind);
}

/** The first in stage order supplies the headline, the others become one-liners. */
function firstWins(
  said: readonly Said[],
  kind: "deny" | "ask",
  wording: Wording,
): (Attributed & { order: number }) | undefined {
  const [first, ...others] = verdictsOf(said, kind);
  if (!first) return undefined;
  const { policy, order, verdict } = first;
  const ids = [policy];
  const also: string[] = [];
  for (const other of others) {
    const line = other.verdict.text === verdict.text ? undefined : wording.also(other.policy, other.verdict.text);
    if (line === undefined) ids.push(other.policy);
    else also.push(`Also: ${line} [${other.policy}]`);
  }
  const { text, isBrief } = wording.headline(policy, verdict.text);
  const retry = verdict.kind === "deny" ? verdict.retry : undefined;
  // The other policies that denied it were named with the full text.
  const lines = [isBrief && retry ? `${text} ${briefRetry(retry)} [${policy}]` : `${text} [${ids.join(", ")}]`];
  if (!isBrief && retry) lines.push(retryText(retry));
  lines.push(...also);
  return { policy, order, text: lines.join("\n") };
}

/** An agent that ends the turn at a call still runs that call, so ending here has to deny it as well. */
function endedBefore(event: AnyEvent, said: readonly Said[]): (Attributed & { order: number }) | undefined {
  const [end] = event.name === "tool.before" ? verdictsOf(said, "end") : [];
  return end && { policy: end.policy, order: end.order, text: `${end.verdict.text} [${end.policy}]` };
}

/** A variable that two policies set has the value of the earlier stage. */
function earliestWins(said: readonly Said[]): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const { verdict } of verdictsOf(said, "environment").reverse()) Object.assign(variables, verdict.variables);
  return variables;
}

function retryText(retry: Retry): string {
  if (retry === "never") return "Trying the same call again will not help.";
  if (retry === "once") return "The same call may be tried once more.";
  return `The same call may be tried again ${retry}.`;
}

/** The same for a denial that was given in full before. */
function briefRetry(retry: Retry): string {
  if (retry === "never") return "A retry will not help.";
  return retry === "once" ? "One retry is allowed." : `Retry ${retry}.`;
}

/** Two policies that rewrite one call cannot both be right: a person decides. */
function rewriteConflict(said: readonly Said[]): (Attributed & { order: number }) | undefined {
  const writers = [...new Set(verdictsOf(said, "rewrite").map((one) => one.policy))];
  const [first] = verdictsOf(said, "rewrite");
  if (!first || writers.length < 2) return undefined;
  return {
    policy: first.policy,
    order: first.order,
    text: `Several policies want to change this call in different ways: ${writers.join(", ")}.`,
  };
}

/** On a denial, notes of later stages describe something that will not happen, and nothing has changed for the others. */
function survivingNotes(said: readonly Said[], denyOrder: number | undefined, wording: Wording): Section[] {
  return verdictsOf(said, "note")
    .filter(
      ({ order, policy, verdict }) =>
        denyOrder === undefined || (order <= denyOrder && !wording.isSaid(policy, verdict.text)),
    )
    .map(({ policy, verdict }) => ({
      policy,
      text: verdict.text,
      ...(verdict.pointer === undefined ? {} : { pointer: verdict.pointer }),
    }));
}

function releasedPolicies(said: readonly Said[]): ReadonlySet<string> {
  return new Set(verdictsOf(said, "release").flatMap((one) => one.verdict.policies));
}

/** The whole text the first time. A repeated hold is one line that says that it still holds. */
function holdText(held: readonly InForce[]): Attributed | undefined {
  const [first] = held;
  if (!first) return undefined;
  const lines = held.map(({ policy, verdict, repeated }) =>
    repeated === undefined
      ? `${verdict.text} ${verdict.exit} [${policy}]`
      : `Still: ${firstSentence(verdict.text)} Held ${repeated} of at most ${verdict.limit} times. [${policy}]`,
  );
  if (held.every(({ verdict }) => verdict.once)) lines.push("Stopping again ends the turn.");
  return { policy: first.policy, text: lines.join("\n") };
}

function fateOf(result: PolicyResult, said: readonly Said[], wasSent: (one: Said) => boolean): Fate {
  if (result.mode === "observe") return result.verdicts.length === 0 ? "silent" : "observed";
  const own = said.filter((one) => one.policy === result.id);
  if (own.length === 0) return "silent";
  return own.some(wasSent) ? "sent" : "dropped";
}
