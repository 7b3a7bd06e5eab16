/** Shorter work is measured by the clock: the processor time of a process may be counted in steps of some milliseconds. */
const SHORT_MS = 20;

/** What work costs, for a ratio between two amounts of it in the same test: a limit in milliseconds is never asserted. */
export function fastestMs(work: () => unknown, times = 5): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < times; run++) {
    const used = process.cpuUsage();
    const started = performance.now();
    work();
    const clock = performance.now() - started;
    const { user, system } = process.cpuUsage(used);
    // On a busy machine the clock also counts the time in which other processes ran.
    best = Math.min(best, clock < SHORT_MS ? clock : Math.min(clock, (user + system) / 1_000));
  }
  // Below the resolution of the clock a ratio would say nothing.
  return Math.max(best, 0.05);
}
