/**
 * Loads the plugin file of an agent as that agent would, and makes the calls that come line by line on standard input:
 * `bash COMMAND` or `write FILE`. Prints `ran` or `denied REASON` for each.
 *
 *   node plugin-host.mjs opencode|pi FILE
 */
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [agent, file] = process.argv.slice(2);
const { default: plugin } = await import(pathToFileURL(file).href);
let number = 0;

async function callerForOpencode() {
  const none = () => Promise.resolve({ data: undefined });
  const client = { session: { get: none, message: none, prompt: none, promptAsync: none }, tui: { showToast: none } };
  const hooks = await plugin({ client, directory: process.cwd() });
  return async (tool, given) => {
    const args = tool === "bash" ? { command: given } : { filePath: given, content: "x" };
    const call = { tool, sessionID: "ses_1", callID: `call_${++number}` };
    await hooks["tool.execute.before"]?.(call, { args });
  };
}

async function callerForPi() {
  const handlers = new Map();
  await plugin({ on: (event, handler) => handlers.set(event, handler), sendUserMessage: () => undefined });
  const sessionManager = { getSessionId: () => "s1", getSessionFile: () => undefined };
  const ctx = { cwd: process.cwd(), hasUI: false, sessionManager, hasPendingMessages: () => false };
  return async (tool, given) => {
    const input = tool === "bash" ? { command: given } : { path: given, content: "x" };
    const event = { type: "tool_call", toolName: tool, toolCallId: `call_${++number}`, input };
    const answer = await handlers.get("tool_call")?.(event, ctx);
    if (answer?.block) throw new Error(answer.reason);
  };
}

const call = await (agent === "pi" ? callerForPi() : callerForOpencode());
process.stdout.write("loaded\n");
for await (const line of createInterface({ input: process.stdin })) {
  const [tool, ...rest] = line.split(" ");
  try {
    await call(tool, rest.join(" "));
    process.stdout.write("ran\n");
  } catch (error) {
    process.stdout.write(`denied ${error.message.replaceAll("\n", " ")}\n`);
  }
}
process.exit(0); // as an agent does, whatever a plugin still waits for
