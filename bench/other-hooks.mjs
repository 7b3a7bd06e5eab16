// Hooks of others to compare with: three that people write by hand, and two packages. Each is only fed an event.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const INSTALL_MS = 180_000;

const NODE_HOOK = `import fs from "node:fs";
const event = JSON.parse(fs.readFileSync(0, "utf8"));
if (/git\\s+reset\\s+--hard|rm\\s+-rf\\s+\\//.test(event.tool_input?.command ?? "")) {
  console.error("blocked");
  process.exit(2);
}
`;

const PYTHON_HOOK = `import json, re, sys
event = json.load(sys.stdin)
if re.search(r"git\\s+reset\\s+--hard|rm\\s+-rf\\s+/", event.get("tool_input", {}).get("command", "")):
    print("blocked", file=sys.stderr)
    sys.exit(2)
`;

const SHELL_HOOK = `input=$(cat)
command=$(printf '%s' "$input" | jq -r '.tool_input.command // empty')
if printf '%s' "$command" | grep -qE 'git +reset +--hard|rm +-rf +/'; then
  echo "blocked" >&2
  exit 2
fi
`;

/**
 * @typedef {object} OtherHook
 * @property {string} name
 * @property {"pass" | "after"} event
 * @property {string[][]} commands what the agent starts side by side for the event
 * @property {string} version
 * @property {Record<string, string>} env
 */

/** @returns {(OtherHook | { name: string, skipped: string })[]} */
export function otherHooks(bench) {
  const folder = bench.scratch.at("others");
  fs.mkdirSync(folder);
  const rows = [
    () => nodeHook(bench, folder),
    () => pythonHook(folder),
    () => shellHook(folder),
    () => safetyNet(bench, folder),
    () => ohMyClaude(bench, folder, "PreToolUse", "pass"),
    () => ohMyClaude(bench, folder, "PostToolUse", "after"),
  ];
  return rows.map((make) => {
    const row = make();
    const problem = "skipped" in row ? "" : problemWith(bench, row);
    return problem === "" ? row : { name: row.name, skipped: problem };
  });
}

/** A hook that does not let a harmless event pass on its own would not be measured at what it is for. */
function problemWith({ scratch, events }, { commands, event, env }) {
  for (const [command, ...args] of commands) {
    const options = { cwd: scratch.project, env: { ...scratch.env, ...env }, input: events[event], encoding: "utf8" };
    const { status, stdout, stderr, error } = spawnSync(command, args, options);
    if (error) return error.message;
    if (status !== 0) return `exit code ${status}: ${stderr.trim().split("\n")[0]}`;
    if (/"permissionDecision":\s*"deny"/.test(stdout)) return "it denies a harmless event";
  }
  return "";
}

function nodeHook({ node, nodeVersion }, folder) {
  const file = path.join(folder, "hook.mjs");
  fs.writeFileSync(file, NODE_HOOK);
  return hook("minimal Node hook (.mjs: parse, one regular expression)", "pass", [[node, file]], nodeVersion);
}

function pythonHook(folder) {
  const name = "minimal Python hook (parse, one regular expression)";
  // What is first in the path may be a script that looks for the interpreter each time.
  const script = "import os, sys; print(os.path.realpath(sys.executable)); print(sys.version.split()[0])";
  const asked = spawnSync("python3", ["-c", script], { encoding: "utf8" });
  if (asked.status !== 0) return { name, skipped: "there is no python3" };
  const [python, version] = asked.stdout.trim().split("\n");
  const file = path.join(folder, "hook.py");
  fs.writeFileSync(file, PYTHON_HOOK);
  return hook(name, "pass", [[python, file]], version);
}

function shellHook(folder) {
  const name = "bash + jq guard";
  const found = ["bash", "jq"].map((program) => spawnSync("which", [program], { encoding: "utf8" }).stdout.trim());
  if (found.includes("")) return { name, skipped: "bash or jq is missing" };
  const file = path.join(folder, "hook.sh");
  fs.writeFileSync(file, SHELL_HOOK);
  const [bash, jq] = found;
  const version = spawnSync(jq, ["--version"], { encoding: "utf8" }).stdout.trim();
  return hook(name, "pass", [[bash, file]], version);
}

function safetyNet({ node }, folder) {
  const [name, version] = ["cc-safety-net", "2.4.5"];
  const { root, problem } = installPackage(folder, name, version);
  if (problem !== "") return { name, skipped: problem };
  const argv = [node, path.join(root, "dist/bin/cc-safety-net.js"), "hook", "--claude-code"];
  return hook(name, "pass", [argv], version);
}

/** The agent starts every matching command of an event through a shell, all at the same time. */
function ohMyClaude({ node }, folder, agentEvent, event) {
  const version = "5.5.0";
  const { root, problem } = installPackage(folder, "oh-my-claude-sisyphus", version);
  const title = `oh-my-claudecode, ${agentEvent}`;
  if (problem !== "") return { name: title, skipped: problem };
  const { hooks } = JSON.parse(fs.readFileSync(path.join(root, "hooks/hooks.json"), "utf8"));
  const matching = hooks[agentEvent].filter(({ matcher }) => ["*", "", "Bash", undefined].includes(matcher));
  const commands = matching.flatMap(({ hooks: all }) => all.map(({ command }) => ["/bin/sh", "-c", command]));
  const bin = path.join(folder, "bin");
  fs.mkdirSync(bin, { recursive: true });
  if (!fs.existsSync(path.join(bin, "node"))) fs.symlinkSync(node, path.join(bin, "node"));
  const env = { CLAUDE_PLUGIN_ROOT: root, PATH: `${bin}:${process.env.PATH}` };
  return { ...hook(`${title} (${plural(commands.length)})`, event, commands, version), env };
}

function plural(count) {
  return count === 1 ? "1 command" : `${count} commands side by side`;
}

function hook(name, event, commands, version) {
  return { name, event, commands, version, env: {} };
}

/** Unpacked only: scripts of the package are not run. */
function installPackage(folder, name, version) {
  const home = path.join(folder, name);
  const root = path.join(home, "node_modules", name);
  if (fs.existsSync(root)) return { root, problem: "" };
  fs.mkdirSync(home, { recursive: true });
  fs.writeFileSync(path.join(home, "package.json"), "{}\n");
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", home, `${name}@${version}`];
  const ran = spawnSync("npm", args, { cwd: home, encoding: "utf8", timeout: INSTALL_MS });
  if (ran.status === 0 && fs.existsSync(root)) return { root, problem: "" };
  const said = ran.error?.message ?? ran.stderr.split("\n").find((line) => /ERR!|error/.test(line)) ?? "";
  return { root, problem: `npm could not fetch it (${said.trim()})` };
}
