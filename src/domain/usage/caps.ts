import type { Spending, SpentSoFar } from "../../core/ports.ts";

export interface CapOptions {
  readonly sessionDollars?: number | undefined;
  readonly sessionTokens?: number | undefined;
  readonly projectDollars?: number | undefined;
  readonly projectTokens?: number | undefined;
  readonly projectDays: number;
}

export const CAPS = ["sessionDollars", "sessionTokens", "projectDollars", "projectTokens"] as const;
export type CapName = (typeof CAPS)[number];

/** How much of one cap is spent. */
export interface CapState {
  readonly cap: CapName;
  /** 1 is all of it. */
  readonly ratio: number;
  /** For people. */
  readonly who: string;
  readonly spent: string;
  readonly limit: string;
  /** What the sum does not have, as a sentence with a blank before it; mostly empty. */
  readonly missing: string;
}

export function hasCap(options: CapOptions): boolean {
  return CAPS.some((cap) => options[cap] !== undefined);
}

/** The state of every cap that is set, the one that is spent most first. */
export function capStates(options: CapOptions, { session, days }: SpentSoFar): readonly CapState[] {
  const project = days.filter(({ age }) => age < options.projectDays).reduce<Spending>(added, NOTHING);
  const time = options.projectDays === 1 ? "today" : `in the last ${options.projectDays} days`;
  const states = CAPS.flatMap((cap) => {
    const limit = options[cap];
    if (limit === undefined) return [];
    const isSession = cap.startsWith("session");
    const sum = isSession ? session : project;
    const isDollars = cap.endsWith("Dollars");
    const spent = isDollars ? sum.dollars : sum.tokens;
    return [
      {
        cap,
        ratio: spent / limit,
        who: isSession ? "This session has used" : `The sessions of this project have used, ${time},`,
        spent: isDollars ? dollars(spent) : tokens(spent),
        limit: isDollars ? dollars(limit) : tokens(limit),
        missing:
          isDollars && sum.unpriced > 0
            ? ` Not counted: ${tokens(sum.unpriced)} of models whose price is not known.`
            : "",
      },
    ];
  });
  return states.sort((a, b) => b.ratio - a.ratio);
}

const NOTHING: Spending = { dollars: 0, tokens: 0, unpriced: 0 };

function added(sum: Spending, one: Spending): Spending {
  return {
    dollars: sum.dollars + one.dollars,
    tokens: sum.tokens + one.tokens,
    unpriced: sum.unpriced + one.unpriced,
  };
}

const dollars = (sum: number): string => `$${sum.toFixed(2)}`;

function tokens(count: number): string {
  if (count >= 1_000_000) return `${(count / 1_000_000).toFixed(1)} million tokens`;
  return count >= 10_000 ? `${Math.round(count / 1000)} thousand tokens` : `${Math.round(count)} tokens`;
}
