// What the start of a daemon costs: its own CPU until it is idle, and the wait of the events that come meanwhile.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { NUMBER } from "../events.mjs";
import { BASE } from "../programs.mjs";
import { pause, startDaemon, stop } from "../scratch.mjs";
import { check, quantile, rounded, spread } from "../statistics.mjs";

const CPU_LIMIT = 60;
/** Two rows that take equally long differ by this much from run to run. */
const NOISE = 1.1;
const CLOCK_TICK_MS = 10;
const LOOK_MS = 100;
/** So many looks without any CPU time: the daemon is idle. */
const IDLE_LOOKS = 10;
const EARLY_SECONDS = 10;

export async function measureDaemonStart(bench) {
  const cpu = await cpuOfStart(bench);
  const { cold, first, early } = await earlyAnswers(bench);
  const ratio = (times) => rounded(quantile(times, 0.5) / quantile(cold, 0.5));
  const enforced = !bench.isQuick;
  return {
    cpu,
    cold: { name: "cold", ...spread(cold) },
    first: { name: "first answer", ...spread(first) },
    early: { name: `first ${EARLY_SECONDS} s`, ...spread(early) },
    checks: [
      check({ row: cpu.name, measure: `x ${BASE}`, value: cpu.ratio, limit: CPU_LIMIT, unit: "x" }),
      check({
        row: "first answer without a daemon",
        measure: "x cold",
        value: ratio(first),
        limit: NOISE,
        unit: "x",
        enforced,
      }),
      check({
        row: `answers in its first ${EARLY_SECONDS} s`,
        measure: "x cold",
        value: ratio(early),
        limit: NOISE,
        unit: "x",
        enforced,
      }),
    ],
  };
}

async function cpuOfStart(bench) {
  const { scratch, isQuick } = bench;
  const print = "const { user, system } = process.cpuUsage(); process.stdout.write(String((user + system) / 1000))";
  const base = runs(isQuick ? 5 : 20, () =>
    Number(spawnSync(bench.node, ["-e", print], { env: scratch.env, encoding: "utf8" }).stdout),
  );
  const times = [];
  for (const run of runs(isQuick ? 1 : 3, (number) => number)) {
    const place = bench.install(`daemon-cpu-${run}`);
    const { daemon } = await startDaemon(scratch, place);
    times.push(await cpuUntilIdle(daemon.pid));
    await stop(scratch, daemon);
  }
  const [own, ofBase] = [quantile(times, 0.5), quantile(base, 0.5)];
  const name = "CPU of a daemon start until idle";
  return { name, milliseconds: rounded(own), base: rounded(ofBase), ratio: rounded(own / ofBase) };
}

async function cpuUntilIdle(pid) {
  let cpu = cpuOf(pid);
  for (let idle = 0; idle < IDLE_LOOKS; ) {
    await pause(LOOK_MS);
    const now = cpuOf(pid);
    idle = now === cpu ? idle + 1 : 0;
    cpu = now;
  }
  return cpu;
}

/** Milliseconds of CPU of a process; the name of its program stands in brackets and may contain anything. */
function cpuOf(pid) {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * CLOCK_TICK_MS;
}

/** A client that finds no daemon decides by itself and starts one; the events after it meet a daemon that warms up. */
async function earlyAnswers(bench) {
  const times = { cold: [], first: [], early: [] };
  for (const run of runs(bench.isQuick ? 1 : 5, (number) => number)) {
    const place = bench.install(`early-${run}`);
    let number = 0;
    const hook = (...more) => {
      const input = bench.events.pass.replaceAll(NUMBER, String(number++).padStart(NUMBER.length, "0"));
      const args = [...bench.hookArguments("PreToolUse"), ...more];
      const started = process.hrtime.bigint();
      const options = { cwd: bench.scratch.project, env: bench.scratch.env, input, encoding: "utf8" };
      const { status, stdout } = spawnSync(path.join(place.directory, "hook"), args, options);
      if (status !== 0 || stdout !== "") throw new Error(`a hook was answered with exit code ${status}: ${stdout}`);
      return Number(process.hrtime.bigint() - started) / 1e6;
    };
    // The first one of all makes the database, which is no part of a start.
    hook("--no-daemon");
    for (let i = 0; i < 5; i++) times.cold.push(hook("--no-daemon"));
    times.first.push(hook());
    const end = Date.now() + (bench.isQuick ? 2 : EARLY_SECONDS) * 1000;
    while (Date.now() < end) {
      times.early.push(hook());
      await pause(LOOK_MS);
    }
    spawnSync(path.join(place.directory, "hook"), ["--control", "stop"], { env: bench.scratch.env, input: "" });
  }
  return times;
}

function runs(count, work) {
  return Array.from({ length: count }, (_, number) => work(number));
}
