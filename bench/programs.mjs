// Starts programs the way an agent starts hooks and measures how long each takes.
import fs from "node:fs";
import readline from "node:readline";
import { compile, startProcess, stop } from "./scratch.mjs";
import { check, quantile, rounded, spread } from "./statistics.mjs";

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string | undefined} event which sample it gets on standard input
 * @property {readonly (readonly string[])[]} commands started side by side; the row takes as long as the slowest
 */

/**
 * Every row once per round, the order drawn anew each time: a busy moment of the machine hits all of them alike.
 * @param {Row[]} rows
 * @returns {Promise<{ times: number[], failure: string }[]>} milliseconds, and what went wrong the last time
 */
export async function startPrograms(bench, rows, events, { env, warmUp, rounds }) {
  const { scratch } = bench;
  for (const [name, text] of Object.entries(events)) fs.writeFileSync(scratch.at(`${name}.json`), text);
  const lines = rows.map(({ event, commands }) => {
    const programs = commands.map((argv) => argv.join("\t")).join("\t&&\t");
    return `${event ? scratch.at(`${event}.json`) : "-"}\t${programs}`;
  });
  if (lines.some((line) => line.includes("\n"))) throw new Error("an argument has a line break in it");
  fs.writeFileSync(scratch.at("rows"), `${lines.join("\n")}\n`);
  const seed = 1 + Math.floor(Math.random() * 1e6);
  const args = [scratch.at("rows"), warmUp, rounds, seed].map(String);
  const options = { cwd: scratch.project, env, stdio: ["ignore", "pipe", "inherit"] };
  const spawner = startProcess(scratch, compile(scratch, "spawn"), args, options);
  const ended = new Promise((resolve) => spawner.once("close", resolve));
  const results = rows.map(() => ({ times: [], failure: "" }));
  let starts = 0;
  for await (const line of readline.createInterface({ input: spawner.stdout })) {
    const [index, nanoseconds, exit, isDeny] = line.split(" ").map(Number);
    const isWanted = exit === 0 && isDeny === (rows[index].event === "deny" ? 1 : 0);
    if (isWanted) results[index].times.push(nanoseconds / 1e6);
    else results[index].failure = `exit code ${exit}, ${isDeny ? "a deny" : "no deny"}`;
    if (++starts % (rows.length * 10) === 0) bench.say(`  ${starts / rows.length} of ${rounds} rounds`);
  }
  await stop(scratch, spawner);
  if ((await ended) !== 0) throw new Error("the spawner failed");
  return results;
}

/** `ratioP10` compares the fastest tenths, which tells a slow program from a busy machine. */
export function summarise(name, times, baseTimes) {
  const [own, base] = [spread(times), spread(baseTimes)];
  return { name, ...own, ratio: rounded(own.median / base.median), ratioP10: rounded(own.p10 / base.p10) };
}

/** The base of every ratio. */
export const BASE = "node -e 0";
const BASE_ROUNDS = 20;

/** The median of the base in milliseconds, measured within the section that is compared with it. */
export async function measureBase(bench) {
  const rows = [{ name: BASE, event: undefined, commands: [[bench.node, "-e", "0"]] }];
  const rounds = { warmUp: 2, rounds: bench.isQuick ? 5 : BASE_ROUNDS };
  const [{ times, failure }] = await startPrograms(bench, rows, {}, { env: bench.scratch.env, ...rounds });
  if (failure !== "") throw new Error(`${BASE}: ${failure}`);
  return quantile(times, 0.5);
}

/** A budget as a multiple of the base; a ratio holds on any machine. */
export function ratioCheck(budget, milliseconds, baseMs) {
  return check({ ...budget, value: rounded(milliseconds / baseMs), unit: "x" });
}
