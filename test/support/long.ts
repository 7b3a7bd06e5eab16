/**
 * Tests that run in two sizes: the short one by default, the long one with HOOKWRIGHT_LONG=1 (`npm run check:long`, which
 * runs exactly the files that import this one).
 */
export const IS_LONG = process.env.HOOKWRIGHT_LONG === "1";

/** The number of cases, runs or events for this size. */
export function sized(short: number, long: number): number {
  return IS_LONG ? long : short;
}

/** Of a table of cases every `step`-th, beginning with the first; in the long form all. */
export function sampled<T>(all: readonly T[], step: number): readonly T[] {
  return IS_LONG ? all : all.filter((_, at) => at % step === 0);
}
