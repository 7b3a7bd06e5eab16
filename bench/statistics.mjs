// Numbers from many runs, and what is allowed of them.

/** @param {Iterable<number>} times */
export function quantile(times, share) {
  const sorted = Float64Array.from(times).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

export function spread(times) {
  return {
    runs: times.length,
    median: rounded(quantile(times, 0.5)),
    p10: rounded(quantile(times, 0.1)),
    p90: rounded(quantile(times, 0.9)),
  };
}

/** What somebody who waits notices: the usual wait and the rare long one. */
export function waits(times) {
  return {
    events: times.length,
    p50: rounded(quantile(times, 0.5)),
    p99: rounded(quantile(times, 0.99)),
    max: rounded(quantile(times, 1)),
  };
}

export function rounded(value) {
  return Number(value.toPrecision(4));
}

/**
 * One budget and whether it was kept. What is not enforced is reported and does not fail the run.
 * @param {{ row: string, measure: string, value: number, limit: number, unit: string, enforced?: boolean }} budget
 */
export function check({ enforced = true, ...budget }) {
  return { ...budget, ok: budget.value <= budget.limit, enforced };
}
