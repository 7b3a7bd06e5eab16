/** The plugin for opencode: what it reports of each hook, and what it does with each answer. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeOpencode, ScriptedDaemon } from "./plugin-world.ts";

let daemon: ScriptedDaemon;
let opencode: FakeOpencode;
const argv = [...process.argv];

beforeEach(async () => {
  daemon = await ScriptedDaemon.start();
  opencode = new FakeOpencode();
});
afterEach(async () => {
  process.argv = [...argv];
  await daemon.stop();
});

const call = { tool: "bash", sessionID: "ses_1", callID: "call_1" };
const ask = (args: object): Promise<unknown> => opencode.call("tool.execute.before", call, { args });

function message(text: string) {
  const part = { id: "prt_1", sessionID: "ses_1", messageID: "msg_1", type: "text", text };
  return { message: { id: "msg_1", agent: "build", model: { modelID: "m" } }, parts: [part] };
}

async function prompt(text: string, sessionID = "ses_1"): Promise<readonly { id: string; text: string }[]> {
  const output = message(text);
  await opencode.call("chat.message", { sessionID }, output);
  return output.parts;
}

describe("a call", () => {
  it("is reported with its arguments under opencode's own names, and by the profiles of the installation", async () => {
    await ask({ command: "ls" });
    expect(daemon.asked).toEqual([
      { hook: "tool.execute.before", ...call, directory: "/home/dev/project", args: { command: "ls" } },
    ]);
    expect(daemon.args[0]?.join(" ")).toBe("--agent opencode --event tool.execute.before --via user --profile safety");
  });

  it("is denied by an error with the reason", async () => {
    daemon.answers = { "tool.execute.before": { deny: "No." } };
    await expect(ask({ command: "rm -rf /" })).rejects.toThrow("No.");
  });

  it.each([
    ["a field that nobody knows", '{"denied":"No."}'],
    ["a field of another type", '{"deny":true}'],
    ["no JSON", "Denied."],
    ["nothing that is an object", "null"],
  ])("is denied when the answer has %s", async (_what, answer) => {
    daemon.answers = { "tool.execute.before": answer };
    await expect(ask({ command: "ls" })).rejects.toThrow("stopped for safety");
  });

  it("gets other arguments in place of its own", async () => {
    daemon.answers = { "tool.execute.before": { args: { command: "ls -l" } } };
    const output = { args: { command: "ls", timeout: 5 } };
    const { args } = output;
    await opencode.call("tool.execute.before", call, output);
    expect([output.args === args, args]).toEqual([true, { command: "ls -l" }]);
  });

  it("carries what is said before and after it to the model with its result", async () => {
    daemon.answers = { "tool.execute.before": { note: "One." }, "tool.execute.after": { note: "Two." } };
    await ask({ command: "ls" });
    const result = { title: "ls", output: "a", metadata: { exit: 0 } };
    await opencode.call("tool.execute.after", { ...call, args: { command: "ls" } }, result);
    expect(result.output).toBe("a\n\nOne.\n\nTwo.");
    expect(daemon.asked[1]).toMatchObject({ output: { title: "ls", output: "a", metadata: { exit: 0 } } });
  });

  it("has its result replaced", async () => {
    daemon.answers = { "tool.execute.after": { output: "hidden" } };
    const result = { title: "", output: "secret", metadata: {} };
    await opencode.call("tool.execute.after", { ...call, args: {} }, result);
    expect(result.output).toBe("hidden");
  });

  it("that fails is reported once, and not when it was denied; what is said goes with the next request", async () => {
    daemon.answers = { "tool.execute.before": { deny: "No." }, "message.part.updated": { note: "Look again." } };
    await ask({ command: "rm" }).catch(() => undefined);
    const part = {
      type: "tool",
      sessionID: "ses_1",
      tool: "edit",
      state: { status: "error", input: {}, error: "not found" },
    };
    await opencode.bus("message.part.updated", { part: { ...part, callID: "call_1" } });
    await opencode.bus("message.part.updated", { part: { ...part, callID: "call_2" } });
    await opencode.bus("message.part.updated", { part: { ...part, callID: "call_2" } });
    expect(daemon.events).toEqual(["tool.execute.before", "message.part.updated"]);
    const system: string[] = [];
    await opencode.call("experimental.chat.system.transform", { sessionID: "ses_1" }, { system });
    await opencode.call("experimental.chat.system.transform", { sessionID: "ses_1" }, { system });
    expect(system).toEqual(["Look again."]);
  });
});

describe("a prompt", () => {
  it("brings what the session and the prompt are told, once for a session", async () => {
    daemon.answers = { "session.created": { note: "Session." }, "chat.message": { note: "Prompt." } };
    await opencode.bus("session.created", { info: { id: "ses_1" } });
    const [, context] = await prompt("do it");
    expect(context).toMatchObject({ type: "text", text: "Session.\n\nPrompt.", synthetic: true, messageID: "msg_1" });
    expect((context?.id ?? "") > "prt_1" && context?.id.startsWith("prt")).toBe(true);
    expect((await prompt("more"))[1]?.text).toBe("Prompt.");
    expect(daemon.events).toEqual(["session.created", "chat.message", "chat.message"]);
    expect(daemon.asked[0]).toMatchObject({ source: "startup" });
  });

  it.each([
    ["run", '"say \\"hello\\""', 'say "hello"'],
    ["run", '"one" and "two"', '"one" and "two"'],
    ["serve", '"one two"', '"one two"'],
  ])("under `opencode %s` that came as %s is %s", async (command, came, text) => {
    process.argv[2] = command;
    await prompt(came);
    expect(daemon.asked.at(-1)).toMatchObject({ hook: "chat.message", text });
  });

  it("that is refused ends with an error, and the person is told", async () => {
    daemon.answers = { "chat.message": { deny: "Not now." } };
    await expect(prompt("deploy")).rejects.toThrow("Not now.");
    expect(opencode.toasts).toMatchObject([{ message: "Not now." }]);
  });

  it("of a subagent is none of a person's: it begins the subagent, whose calls belong to the main session", async () => {
    daemon.answers = { "session.created.child": { note: "Be brief." } };
    opencode.sessions.ses_1 = { id: "ses_1" };
    await opencode.bus("session.created", { info: { id: "ses_2", parentID: "ses_1", agent: "general" } });
    expect((await prompt("CHILD", "ses_2"))[1]?.text).toBe("Be brief.");
    await opencode.call("tool.execute.before", { ...call, sessionID: "ses_2" }, { args: {} });
    const owner = { sessionID: "ses_1", childID: "ses_2", agent: "general" };
    expect(daemon.asked).toMatchObject([
      { hook: "session.created.child", ...owner },
      { hook: "tool.execute.before", ...owner },
    ]);
  });

  it("knows the main session of a subagent that an earlier run began", async () => {
    opencode.sessions.ses_1 = { id: "ses_1" };
    opencode.sessions.ses_2 = { id: "ses_2", parentID: "ses_1", agent: "explore" };
    await opencode.call("tool.execute.before", { ...call, sessionID: "ses_2" }, { args: {} });
    expect(daemon.asked).toMatchObject([{ sessionID: "ses_1", childID: "ses_2", agent: "explore" }]);
  });
});

describe("the end of a turn", () => {
  const complete = (messageID = "msg_2", text = "Done."): Promise<unknown> =>
    opencode.call("experimental.text.complete", { sessionID: "ses_1", messageID, partID: "prt_2" }, { text });
  const run = (): void => {
    process.argv[2] = "run";
  };

  it("is held under `opencode run` by a message that is only stored, with the agent and model of the person", async () => {
    run();
    daemon.answers = { "experimental.text.complete": { hold: "Go on." } };
    await prompt("do it");
    await complete();
    const body = { agent: "build", model: { modelID: "m" }, noReply: true, parts: [{ type: "text", text: "Go on." }] };
    expect(opencode.prompts).toEqual([{ path: { id: "ses_1" }, body }]);
    await prompt("Go on.");
    expect(daemon.events).toEqual(["session.created", "chat.message", "experimental.text.complete"]);
    expect(daemon.asked.at(-1)).toMatchObject({ text: "Done.", held: false });
  });

  it("is held three times in a row without a call, then no more, and again after one", async () => {
    run();
    daemon.answers = { "experimental.text.complete": { hold: "Go on." } };
    for (let at = 0; at < 5; at++) await complete();
    expect(opencode.prompts).toHaveLength(3);
    await opencode.call("tool.execute.after", { ...call, args: {} }, { output: "" });
    await complete();
    expect(opencode.prompts).toHaveLength(4);
  });

  it("is no end while calls stand beside the text, and a hold that came too early is not shown to the model", async () => {
    run();
    daemon.answers = { "experimental.text.complete": { hold: "Go on." } };
    opencode.parts.msg_1 = [{ type: "tool" }];
    await complete("msg_1");
    expect(opencode.prompts).toEqual([]);
    await complete("msg_2");
    const answer = { info: { id: "msg_2" }, parts: [{ type: "text" }] };
    const messages: object[] = [answer, { info: { id: "msg_held1" }, parts: [] }];
    await opencode.call("experimental.chat.messages.transform", {}, { messages });
    expect(messages).toHaveLength(2);
    answer.parts.push({ type: "tool" });
    await opencode.call("experimental.chat.messages.transform", {}, { messages });
    expect(messages).toEqual([answer]);
  });

  it("is held where opencode stays once the session is idle, and never for a subagent", async () => {
    daemon.answers = { "session.idle": { hold: "Go on." }, "session.idle.child": { hold: "Go on." } };
    await complete();
    await opencode.bus("session.idle", { sessionID: "ses_1" });
    await opencode.bus("session.created", { info: { id: "ses_2", parentID: "ses_1" } });
    await opencode.bus("session.idle", { sessionID: "ses_2" });
    expect(opencode.prompts).toHaveLength(1);
    expect(opencode.prompts[0]?.body.noReply).toBeUndefined();
    expect(daemon.events).toEqual(["session.idle", "session.idle.child"]);
  });
});

it("a compaction gets instructions, and what the session is told comes again after it", async () => {
  daemon.answers = {
    "experimental.session.compacting": { note: "Keep the plan." },
    "session.created": { note: "Plan." },
  };
  const output = { context: [] as string[] };
  await opencode.call("experimental.session.compacting", { sessionID: "ses_1" }, output);
  await opencode.bus("session.compacted", { sessionID: "ses_1" });
  const system: string[] = [];
  await opencode.call("experimental.chat.system.transform", { sessionID: "ses_1" }, { system });
  expect([output.context, system]).toEqual([["Keep the plan."], ["Plan."]]);
  expect(daemon.asked.at(-1)).toMatchObject({ hook: "session.created", source: "compact" });
});

it("the end of opencode is the end of the main sessions that it had", async () => {
  await prompt("do it");
  await opencode.call("dispose", {});
  expect(daemon.asked.at(-1)).toMatchObject({ hook: "dispose", sessionID: "ses_1", reason: "exit" });
});
