// What an agent waits for: the whole life of the program that it starts for an event.
import { BASE, startPrograms, summarise } from "../programs.mjs";
import { daemonEvents, runResident, startDaemon, stop } from "../scratch.mjs";
import { check } from "../statistics.mjs";

const WARM_COMPILED = 0.1;
const WARM_NODE = 1.4;
const COLD = 2.0;

/** Warm rows have a daemon; cold ones a home of their own, so that no other process has the database open. */
export async function measureStart(bench) {
  const { scratch, events, rounds, warmUp } = bench;
  const [warm, cold] = [bench.install("warm"), bench.install("cold")];
  const { daemon } = await startDaemon(scratch, warm);
  const rows = startRows(bench, warm, cold);
  const results = await startPrograms(bench, rows, events, { env: scratch.env, warmUp, rounds });
  // A row that was not answered as expected would measure something else.
  for (const [index, { failure }] of results.entries()) {
    if (failure !== "") throw new Error(`${rows[index].name}: ${failure}`);
  }
  const counted = await checkRecorded(bench, rows, warm, cold);
  await stop(scratch, daemon);
  const base = results[rows.findIndex(({ name }) => name === BASE)].times;
  const summaries = rows.map((row, index) => summarise(row.name, results[index].times, base));
  const checks = rows.flatMap(({ name, budget, enforced }, index) =>
    budget === undefined ? [] : [budgetOf(summaries[index], name, budget, enforced)],
  );
  return { rounds, warmUp, counted, rows: summaries, checks };
}

function budgetOf({ ratio }, row, limit, enforced) {
  return check({ row, measure: `x ${BASE}`, value: ratio, limit, unit: "x", enforced });
}

function startRows({ node, major, hookArguments }, warm, cold) {
  const hook = hookArguments("PreToolUse");
  const row = (name, event, argv, budget, enforced) => ({ name, event, commands: [argv], budget, enforced });
  const both = (name, argv, budget, enforced) =>
    ["pass", "deny"].map((event) => row(`${name}, ${event}`, event, argv, budget, enforced));
  return [
    row(BASE, undefined, [node, "-e", "0"]),
    row("/bin/true", undefined, ["/bin/true"]),
    ...both("warm, compiled client", [`${warm.directory}/hook`, ...hook], WARM_COMPILED),
    ...both("warm, Node client", [node, `${warm.directory}/hook.cjs`, ...hook], WARM_NODE),
    // Node 20 has no SQLite of its own; loading one from a package is not within the budget.
    ...both("cold", [`${cold.directory}/hook`, ...hook, "--no-daemon"], COLD, major >= 22),
  ];
}

/** Did the daemon answer every warm event, and did every cold one reach the journal? */
async function checkRecorded({ scratch, warmUp, rounds }, rows, warm, cold) {
  const expected = (kind) => rows.filter(({ name }) => name.startsWith(kind)).length * (warmUp + rounds);
  const byDaemon = daemonEvents(scratch, warm) - 1; // less the question itself
  const { rows: byCold } = await runResident(scratch, cold, { task: "count", home: cold.home });
  const wanted = { byDaemon: expected("warm"), byCold: expected("cold") };
  if (byDaemon !== wanted.byDaemon || byCold !== wanted.byCold) {
    throw new Error(`expected ${JSON.stringify(wanted)}, found ${JSON.stringify({ byDaemon, byCold })}`);
  }
  return wanted;
}
