// The same event, given to Hookwright and to hooks of others in one interleaved run.
import { spawnSync } from "node:child_process";
import { otherHooks } from "../other-hooks.mjs";
import { BASE, startPrograms, summarise } from "../programs.mjs";
import { startDaemon, stop } from "../scratch.mjs";

export async function measurePeers(bench) {
  const { scratch, events, rounds, warmUp } = bench;
  const warm = bench.install("peers-warm");
  const cold = bench.install("peers-cold");
  bench.say("  fetching and trying the other hooks");
  const others = otherHooks(bench);
  const { daemon } = await startDaemon(scratch, warm);
  announceCall(bench, warm);
  const runnable = others.filter((row) => !("skipped" in row));
  const rows = [...ownRows(bench, warm, cold), ...runnable];
  const env = Object.assign({ ...scratch.env }, ...runnable.map((row) => row.env));
  const results = await startPrograms(bench, rows, events, { env, warmUp, rounds });
  await stop(scratch, daemon);
  const base = results[0].times;
  const measured = rows.map(({ name, event, commands, version, isOurs }, index) => {
    const { times, failure } = results[index];
    if (failure !== "" && isOurs) throw new Error(`${name}: ${failure}`);
    if (failure !== "") return { name, skipped: failure };
    const about = { version, event, processes: commands.length, isOurs: isOurs === true };
    return { ...summarise(name, times, base), ...about };
  });
  return { rounds, warmUp, rows: [...measured, ...others.filter((row) => "skipped" in row)], checks: [] };
}

/** The report that a call has run asks whether it was announced, so this comes before the first report. */
function announceCall({ scratch, events, hookArguments }, warm) {
  const options = { cwd: scratch.project, env: scratch.env, input: events.guard, encoding: "utf8" };
  const { status, stdout } = spawnSync(`${warm.directory}/hook`, hookArguments("PreToolUse"), options);
  if (status !== 0 || stdout !== "") throw new Error(`the announcement of a call was answered with ${stdout}`);
}

/** All packs are on. */
function ownRows({ node, nodeVersion, hookArguments, head }, warm, cold) {
  const row = (name, event, argv, version) => ({ name, event, commands: [argv], version, isOurs: true });
  const { version } = head.hookwright;
  const own = (name, event, program, ...more) => {
    const args = hookArguments(event === "after" ? "PostToolUse" : "PreToolUse");
    return row(`Hookwright, ${name}`, event, [...program, ...args, ...more], version);
  };
  const [hook, coldHook] = [`${warm.directory}/hook`, `${cold.directory}/hook`];
  return [
    { ...row(BASE, undefined, [node, "-e", "0"], nodeVersion), isOurs: false },
    own("compiled client, PreToolUse", "pass", [hook]),
    own("compiled client, PostToolUse", "after", [hook]),
    own("Node client, PreToolUse", "pass", [node, `${warm.directory}/hook.cjs`]),
    own("without a daemon, PreToolUse", "pass", [coldHook], "--no-daemon"),
  ];
}
