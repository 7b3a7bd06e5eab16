// Started by the section `agents`: makes calls as an agent with a plugin of ours does, in turns with a plugin that has the same
// hooks and nothing in them, and prints how many milliseconds each took. The request comes as JSON on standard input.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const request = JSON.parse(fs.readFileSync(0, "utf8"));
const { start } = createRequire(import.meta.url)(path.join(request.directory, `${request.agent}.cjs`));
const MAKE_CALL = { opencode: callOfOpencode, pi: callOfPi };
const NAMES = { opencode: ["tool.execute.before", "tool.execute.after"], pi: ["tool_call", "tool_result"] };

const settings = { via: "user", profiles: request.profiles, events: NAMES[request.agent] };
const call = MAKE_CALL[request.agent]();
const times = { ours: [], without: [] };
for (let i = -request.warmUp; i < request.runs; i++) {
  for (const name of i % 2 === 0 ? ["ours", "without"] : ["without", "ours"]) {
    const number = String(i + request.warmUp).padStart(request.number.length, "0");
    const command = request.command.replaceAll(request.number, number);
    const before = process.hrtime.bigint();
    await call[name](`call_${number}`, command);
    if (i >= 0) times[name].push(Number(process.hrtime.bigint() - before) / 1e6);
  }
}
process.stdout.write(JSON.stringify(times));

function callOfOpencode() {
  const empty = async () => undefined;
  const plugin = start(settings, { client: { session: { get: empty } }, directory: request.project });
  const bare = Object.fromEntries(NAMES.opencode.map((name) => [name, empty]));
  const callWith = (hooks) => async (callID, command) => {
    const input = { tool: "bash", sessionID: "ses_1", callID };
    await hooks["tool.execute.before"](input, { args: { command } });
    const result = { title: "build", output: "done", metadata: { exit: 0 } };
    await hooks["tool.execute.after"]({ ...input, args: { command } }, result);
  };
  return { ours: callWith(plugin), without: callWith(bare) };
}

function callOfPi() {
  const handlers = {};
  start(settings, { on: (name, handler) => Object.assign(handlers, { [name]: handler }) });
  const bare = Object.fromEntries(NAMES.pi.map((name) => [name, async () => undefined]));
  const sessionManager = { getSessionId: () => "s1", getSessionFile: () => "" };
  const context = { cwd: request.project, hasUI: false, sessionManager };
  const callWith = (hooks) => async (toolCallId, command) => {
    const about = { toolName: "bash", toolCallId, input: { command } };
    const answer = await hooks.tool_call(about, context);
    if (answer?.block) throw new Error(answer.reason);
    await hooks.tool_result({ ...about, content: [{ type: "text", text: "done" }], isError: false }, context);
  };
  return { ours: callWith(handlers), without: callWith(bare) };
}
