/** What work costs, for a ratio between two amounts of it in the same test: a limit in milliseconds is never asserted. */
export function fastestMs(work: () => unknown, times = 5): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < times; run++) {
    const started = performance.now();
    work();
    best = Math.min(best, performance.now() - started);
  }
  // Below the resolution of the clock a ratio would say nothing.
  return Math.max(best, 0.05);
}
