// Stands in for an agent under `hookwright run`: notes each start, does what the script says, and stays.
import { spawnSync } from "node:child_process";
import fs from "node:fs";

const { AGENT_RUNS, AGENT_SCRIPT, AGENT_ENGINE } = process.env;
const before = fs.existsSync(AGENT_RUNS) ? fs.readFileSync(AGENT_RUNS, "utf8").split("\n").length - 1 : 0;
const steps = JSON.parse(AGENT_SCRIPT)[before] ?? ["exit 0"];
const { CLAUDE_SUPERVISOR_PID, WATCHDOG_PID, SESSION_REQUIRED } = process.env;
const run = { pid: process.pid, args: process.argv.slice(2), CLAUDE_SUPERVISOR_PID, WATCHDOG_PID, SESSION_REQUIRED };
fs.appendFileSync(AGENT_RUNS, `${JSON.stringify(run)}\n`);
// Stays until it is ended.
setInterval(() => undefined, 1_000);
for (const step of steps) {
  const [word, ...rest] = step.split(" ");
  if (word === "exit") process.exit(Number(rest[0]));
  if (word === "stubborn") process.on("SIGTERM", () => undefined);
  if (word === "engine") {
    const [args, input = ""] = rest.join(" ").split(" <<< ");
    const done = spawnSync(process.execPath, [AGENT_ENGINE, ...args.split(" ")], {
      input,
      encoding: "utf8",
      env: { ...process.env, CLAUDE_CODE_SESSION_ID: `agent-${before}` },
    });
    fs.appendFileSync(`${AGENT_RUNS}.out`, `${done.stdout}${done.stderr}`);
  }
}
fs.appendFileSync(`${AGENT_RUNS}.out`, "ready\n");
