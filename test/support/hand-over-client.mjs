// Stands in for a client under `hookwright run`: real hooks at its start and at what it does, real engine commands.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const { CLIENT_FOLDER, CLIENT_HOOK, CLIENT_ENGINE, CLIENT_CRASH = "", CLIENT_FIRST = "dehydrate" } = process.env;
const at = (name) => path.join(CLIENT_FOLDER, name);
const number = fs.existsSync(at("runs")) ? fs.readFileSync(at("runs"), "utf8").split("\n").length - 1 : 0;
const session = `client-${number}`;
const note = (file, value) => fs.appendFileSync(at(file), `${JSON.stringify(value)}\n`);
const [crashIn, crashAt] = CLIENT_CRASH.split("@");

/** Waits for as long as the test holds it here. */
function pause(name) {
  note("reached", name);
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  while (fs.existsSync(at(`hold-${name}`))) Atomics.wait(nobody, 0, 0, 20);
}

function run(words, input, part) {
  const env = { ...process.env, CLAUDE_CODE_SESSION_ID: session };
  // Only the part that is meant stops; the others know the same points.
  if (crashIn !== "") delete env.HOOKWRIGHT_CRASH_POINT;
  if (crashIn === part) env.HOOKWRIGHT_CRASH_POINT = crashAt;
  const done = spawnSync(process.execPath, words, { input, encoding: "utf8", env });
  note("output", { part, stdout: done.stdout, stderr: done.stderr });
  return done.stdout ?? "";
}
const engine =
  (part, ...args) =>
  (input) =>
    run([CLIENT_ENGINE, "session", ...args], input, part);
const hook = (event, more) =>
  run(
    [CLIENT_HOOK],
    JSON.stringify({ hook_event_name: event, session_id: session, cwd: process.cwd(), ...more }),
    event,
  );
const isTold = (text) => text.includes("Half the form is done.") || text.includes("about to be compacted");

note("runs", { pid: process.pid, session, args: process.argv.slice(2) });
pause("start");
let told = isTold(hook("SessionStart", { source: "startup" }));
pause("told");
if (process.env.CLIENT_CONTINUE) {
  const printed = isTold(engine("continue", "continue", process.env.CLIENT_CONTINUE)(""));
  // Told at the start and printed again would be twice.
  if (printed) note("delivered", `${session} by hand`);
  if (told) note("delivered", `${session} at its start`);
  told = false;
}
if (number === 0) {
  engine("activate", "activate", "sessions/2026_01_02_LOGIN", "implement")("");
  pause("work");
  if (CLIENT_FIRST === "dehydrate") {
    engine("dehydrate", "dehydrate")('{"summary": "Half the form is done.", "nextSteps": ["write the button"]}');
  } else {
    hook("PreCompact", { trigger: "auto", custom_instructions: "" });
  }
  // Like a client whose turn is over: it stays until it is ended.
  setInterval(() => undefined, 1_000);
} else {
  hook("PreToolUse", { tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: `use-${number}` });
  if (told) note("delivered", `${session} at its start`);
  pause("acted");
  note("ended", session);
  process.exit(0);
}
