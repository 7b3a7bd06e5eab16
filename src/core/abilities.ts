import type { PolicyResult } from "./pipeline.ts";
import type { Ruling } from "./ruling.ts";
import type { VerdictKind } from "./verdict.ts";

/** What the agent carries out at one event. */
export interface Abilities {
  readonly agent: string;
  readonly can: readonly VerdictKind[];
}

/**
 * The ruling as this agent can carry it out. What it would ask a person is denied where it cannot ask, because the agent
 * would run the call; everything else that it cannot do is left out, and its policies count as dropped.
 */
export function carriedOut(ruling: Ruling, results: readonly PolicyResult[], { agent, can }: Abilities): Ruling {
  const asks = ruling.outcome === "ask" && !can.includes("ask");
  const outcome = asks ? "deny" : ruling.outcome;
  const isPossible = outcome === "pass" || can.includes(outcome);
  const { rewrite, wait, end, ...rest } = ruling;
  const canRewrite = can.includes("rewrite");
  const reason = asks ? `${ruling.reason}\n${agent} cannot ask a person about it.` : ruling.reason;
  return {
    ...rest,
    ...(isPossible ? { outcome, reason } : { outcome: "pass", reason: "", policy: "" }),
    // A note beside a change that is not made would tell of it all the same.
    notes: can.includes("note") ? ruling.notes.filter(({ policy }) => canRewrite || policy !== rewrite?.policy) : [],
    // No agent with less abilities passes anything on to the terminal.
    notices: can.includes("notice") ? ruling.notices.filter(({ isAlert }) => !isAlert) : [],
    ...(rewrite && canRewrite ? { rewrite } : {}),
    ...(wait && can.includes("wait") ? { wait } : {}),
    ...(end && can.includes("end") ? { end } : {}),
    watch: can.includes("watch") ? ruling.watch : [],
    environment: can.includes("environment") ? ruling.environment : {},
    fates: fatesWith(ruling, results, asks ? [...can, "ask"] : can, canRewrite ? undefined : rewrite?.policy),
  };
}

/** A policy all of whose verdicts the agent cannot carry out has said nothing to anybody. */
function fatesWith(
  { fates }: Ruling,
  results: readonly PolicyResult[],
  can: readonly VerdictKind[],
  unmade: string | undefined,
): Ruling["fates"] {
  const isHeard = (id: string, kind: VerdictKind): boolean => can.includes(kind) && !(kind === "note" && id === unmade);
  const lost = results.filter(
    ({ id, verdicts }) =>
      fates[id] === "sent" && verdicts.length > 0 && !verdicts.some(({ kind }) => isHeard(id, kind)),
  );
  return lost.length === 0
    ? fates
    : { ...fates, ...Object.fromEntries(lost.map(({ id }) => [id, "dropped" as const])) };
}
