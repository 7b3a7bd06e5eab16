// Every agent beside Claude Code: the whole life of the program that one with command hooks starts before a shell call, and
// what a call costs one that loads a plugin of ours, beside the same plugin without us.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { NUMBER } from "../events.mjs";
import { BASE, ratioCheck, startPrograms, summarise } from "../programs.mjs";
import { daemonEvents, startDaemon, stop } from "../scratch.mjs";
import { quantile, rounded, spread } from "../statistics.mjs";

const WARM = 0.1;
/** A call is two events for a plugin: before and after it. */
const WARM_CALL = 2 * WARM;

/** How each agent names what Claude Code calls a PreToolUse of Bash, and what it leaves out or adds. */
const BEFORE = {
  "claude-code": (event) => event,
  codex: (event) => ({ ...event, turn_id: "turn_1", model: "gpt-5.5" }),
  "gemini-cli": ({ tool_use_id: _, ...event }) => ({
    ...event,
    hook_event_name: "BeforeTool",
    timestamp: "2026-11-18T04:46:11.050Z",
    tool_name: "run_shell_command",
  }),
  "copilot-cli": ({ session_id, cwd, tool_input }) => ({
    sessionId: session_id,
    timestamp: 1_795_000_000_000,
    cwd,
    toolName: "bash",
    toolArgs: tool_input,
  }),
  "qwen-code": (event) => ({ ...event, tool_name: "run_shell_command", tool_call_id: event.tool_use_id }),
  droid: ({ tool_use_id: _, ...event }) => ({ ...event, tool_name: "Execute" }),
};
const EVENT = { "gemini-cli": "BeforeTool", "copilot-cli": "preToolUse" };
const PLUGINS = ["opencode", "pi"];

export async function measureAgents(bench) {
  const { scratch, node, rounds, warmUp, profiles, isQuick } = bench;
  const place = bench.install("agents");
  const { daemon } = await startDaemon(scratch, place);
  const sample = JSON.parse(bench.events.pass);
  const agents = Object.keys(BEFORE);
  const events = Object.fromEntries(agents.map((agent) => [agent, JSON.stringify(BEFORE[agent](sample))]));
  const rows = agents.map((agent) => {
    const named = agent === "claude-code" ? ["--reply", "json"] : ["--agent", agent];
    const more = ["--event", EVENT[agent] ?? "PreToolUse", "--via", "user", "--profile", profiles.join(",")];
    return { name: `warm, ${agent}`, event: agent, commands: [[`${place.directory}/hook`, ...named, ...more]] };
  });
  const all = [{ name: BASE, event: undefined, commands: [[node, "-e", "0"]] }, ...rows];
  const results = await startPrograms(bench, all, events, { env: scratch.env, warmUp, rounds });
  for (const [index, { failure }] of results.entries()) {
    if (failure !== "") throw new Error(`${all[index].name}: ${failure}`);
  }
  const base = results[0].times;
  const baseMs = quantile(base, 0.5);
  const programs = all.map(({ name }, index) => summarise(name, results[index].times, base));
  const calls = { runs: isQuick ? 50 : 500, warmUp: isQuick ? 10 : 50 };
  const plugins = PLUGINS.map((agent) => pluginRow(bench, place, agent, calls, baseMs));
  const wanted = rows.length * (warmUp + rounds) + PLUGINS.length * 2 * (calls.runs + calls.warmUp);
  const counted = daemonEvents(scratch, place) - 1; // less the question itself
  if (counted !== wanted) throw new Error(`the daemon answered ${counted} events instead of ${wanted}`);
  await stop(scratch, daemon);
  const enforced = !isQuick;
  const measure = `x ${BASE}`;
  const checks = [
    ...programs.slice(1).map((row) => ({ row: row.name, took: row.median, limit: WARM })),
    ...plugins.map((row) => ({ row: row.name, took: row.median, limit: WARM_CALL })),
  ].map(({ took, ...budget }) => ratioCheck({ ...budget, measure, enforced }, took, baseMs));
  return { rounds, rows: programs, plugins, checks };
}

/** In a process of its own, as the agent is one, with the Node under test. */
function pluginRow({ scratch, node, profiles, events }, { directory }, agent, { runs, warmUp }, baseMs) {
  const { command } = JSON.parse(events.pass).tool_input;
  const request = { agent, directory, project: scratch.project, profiles, command, number: NUMBER, runs, warmUp };
  const options = { env: scratch.env, input: JSON.stringify(request), encoding: "utf8" };
  const ran = spawnSync(node, [path.join(import.meta.dirname, "plugin-calls.mjs")], options);
  if (ran.status !== 0) throw new Error(`the plugin for ${agent} failed: ${ran.stderr || ran.error?.message}`);
  const { ours, without } = JSON.parse(ran.stdout);
  const row = { name: `plugin, a call of ${agent}`, ...spread(ours), without: rounded(quantile(without, 0.5)) };
  return { ...row, ratio: rounded(row.median / baseMs) };
}
