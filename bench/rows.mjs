// What is measured, and how much of it is allowed.

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {"pass" | "deny" | "edit" | undefined} event
 * @property {readonly string[]} argv
 * @property {{ ratio?: number, ms?: number } | undefined} budget
 * @property {boolean} isEnforced
 */

export const BASE = "node -e 0";

const WARM_COMPILED = { ratio: 0.1 };
const WARM_NODE = { ratio: 1.4 };
const COLD = { ratio: 2.0 };
const RESIDENT = { ms: 0.15 };

/**
 * The programs that are started. Warm ones lie in a home with a daemon; cold ones in a home of their own, so that no
 * other process has the database open.
 * @returns {Row[]}
 */
export function processRows({ node, major, warm, cold, profiles }) {
  const hook = ["--event", "PreToolUse", "--reply", "json", "--via", "user", "--profile", profiles.join(",")];
  const row = (name, event, argv, budget, isEnforced = true) => ({ name, event, argv, budget, isEnforced });
  const both = (name, argv, budget, isEnforced) =>
    ["pass", "deny"].map((event) => row(`${name}, ${event}`, event, argv, budget, isEnforced));
  return [
    row(BASE, undefined, [node, "-e", "0"], undefined),
    row("/bin/true", undefined, ["/bin/true"], undefined),
    ...both("warm, compiled client", [`${warm}/hook`, ...hook], WARM_COMPILED),
    ...both("warm, Node client", [node, `${warm}/hook.cjs`, ...hook], WARM_NODE),
    ...both("cold", [`${cold}/hook`, ...hook, "--no-daemon"], COLD, major >= 22),
  ];
}

export const RESIDENT_ROWS = ["pass", "deny", "edit"].map((event) => ({
  name: `engine, hot loop, ${event}`,
  event,
  budget: RESIDENT,
  isEnforced: event !== "edit",
}));

/**
 * Times in milliseconds in, one line of the result out. `ratioP10` compares the fastest tenths, which tells a slow
 * program from a busy machine.
 */
export function summarise(row, times, baseTimes) {
  const { median, p10, p90 } = percentiles(times);
  const base = percentiles(baseTimes);
  const ratio = median / base.median;
  const isWithin = ratio <= (row.budget?.ratio ?? Number.POSITIVE_INFINITY) && median <= (row.budget?.ms ?? Infinity);
  return {
    name: row.name,
    runs: times.length,
    median: rounded(median),
    p10: rounded(p10),
    p90: rounded(p90),
    ratio: rounded(ratio),
    ratioP10: rounded(p10 / base.p10),
    budget: row.budget ?? null,
    enforced: row.budget !== undefined && row.isEnforced,
    ok: isWithin,
  };
}

function percentiles(times) {
  const sorted = Float64Array.from(times).sort();
  const at = (share) => sorted[Math.floor(sorted.length * share)];
  return { median: at(0.5), p10: at(0.1), p90: at(0.9) };
}

function rounded(value) {
  return Number(value.toPrecision(4));
}
