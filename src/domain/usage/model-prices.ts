/** What a model costs, in dollars for a million tokens. Writing to the cache is priced by the input; see prices.ts. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** Prices of a request whose prompt is longer than so many tokens. */
  readonly long?: {
    readonly above: number;
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
  };
}

/** Public list prices of November 2026, by the name of the model without its date. */
export const MODEL_PRICES: Readonly<Record<string, Price>> = {
  "claude-3-haiku": { input: 0.25, output: 1.25, cacheRead: 0.03 },
  "claude-3-5-haiku": { input: 0.8, output: 4, cacheRead: 0.08 },
  "claude-haiku-4-5": { input: 1, output: 5, cacheRead: 0.1 },
  "claude-haiku-5-5": {
    input: 0.1,
    output: 0.5,
    cacheRead: 0.01,
    long: { above: 100_000, input: 0.5, output: 2.5, cacheRead: 0.05 },
  },
  "claude-3-5-sonnet": { input: 3, output: 15, cacheRead: 0.3 },
  "claude-3-7-sonnet": { input: 3, output: 15, cacheRead: 0.3 },
  "claude-sonnet-4": { input: 3, output: 15, cacheRead: 0.3 },
  "claude-sonnet-4-0": { input: 3, output: 15, cacheRead: 0.3 },
  "claude-sonnet-4-5": { input: 3, output: 15, cacheRead: 0.3 },
  "claude-sonnet-4-6": { input: 3, output: 15, cacheRead: 0.3 },
  "claude-sonnet-5": { input: 2, output: 10, cacheRead: 0.2 },
  "claude-sonnet-5-5": { input: 2, output: 10, cacheRead: 0.1 },
  "claude-3-opus": { input: 15, output: 75, cacheRead: 1.5 },
  "claude-opus-4": { input: 15, output: 75, cacheRead: 1.5 },
  "claude-opus-4-0": { input: 15, output: 75, cacheRead: 1.5 },
  "claude-opus-4-1": { input: 15, output: 75, cacheRead: 1.5 },
  "claude-opus-4-5": { input: 5, output: 25, cacheRead: 0.5 },
  "claude-opus-4-6": { input: 5, output: 25, cacheRead: 0.5 },
  "claude-opus-4-7": { input: 5, output: 25, cacheRead: 0.5 },
  "claude-opus-4-8": { input: 5, output: 25, cacheRead: 0.5 },
  "claude-opus-5": { input: 5, output: 25, cacheRead: 0.5 },
  "claude-opus-5-5": { input: 4, output: 20, cacheRead: 0.2 },
  "claude-fable-5": { input: 10, output: 50, cacheRead: 1 },
  "claude-fable-5-1": { input: 10, output: 50, cacheRead: 0.25 },
  "claude-fable-5-2": { input: 8, output: 40, cacheRead: 0.2 },
  "claude-mythos-5": { input: 10, output: 50, cacheRead: 1 },
  "claude-mythos-5-1": { input: 10, output: 50, cacheRead: 0.25 },
};
