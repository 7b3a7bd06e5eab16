/** The pack `recovery` of the profile omc in the real client: one scenario for each hook, by its name. */
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ClaudeOutcome } from "./client.ts";
import { bash, newProject, OMC_PLUGIN, runWithModes } from "./mode-session.ts";
import { newText, toolResult, wholeText } from "./model-requests.ts";
import type { ToolCall, Turn } from "./model-script.ts";
import { hookwright, journal } from "./product.ts";
import type { Scratch } from "./scratch.ts";
import { Terminal } from "./terminal.ts";

let scratch: Scratch;
let terminal: Terminal | undefined;
beforeEach(async () => {
  scratch = await newProject();
});
afterEach(async () => {
  await terminal?.stop();
  terminal = undefined;
  scratch.dispose();
});

const inProject = (name: string): string => join(scratch.project, name);
/** The client neither compacts nor tries again by itself. */
const NOT_COMPACTED = { DISABLE_COMPACT: "1", CLAUDE_CODE_MAX_RETRIES: "1" };
const texts = ({ requests }: ClaudeOutcome): string[] => requests.map(newText);

describe("recovery", () => {
  const edit = (id: string, old_string: string): ToolCall => {
    return { tool: "Edit", id, input: { file_path: inProject("a.txt"), old_string, new_string: "new" } };
  };
  const read = (offset: number): ToolCall => ({ tool: "Read", input: { file_path: inProject("a.txt"), offset } });

  it("says once what helps after an edit that the client rejected, and again after the file was read", async () => {
    scratch.write(inProject("a.txt"), "one\none\n");
    const outcome = await runWithModes(scratch, {
      prompt: "go",
      script: {
        main: [
          edit("toolu_unread", "one"),
          read(1),
          edit("toolu_missing", "three"),
          edit("toolu_again", "four"),
          edit("toolu_several", "one"),
          read(2),
          edit("toolu_later", "three"),
          bash("echo '<tool_use_error>String to replace not found in file.'"),
          "Done.",
        ],
      },
    });
    const rejected = ["toolu_unread", "toolu_missing", "toolu_again", "toolu_several", "toolu_later"];
    for (const id of rejected) expect([id, toolResult(outcome.requests, id).isError]).toEqual([id, true]);
    const missing = "the text to be replaced is not there";
    const told = texts(outcome).map((text) => /Nothing was changed in a\.txt, because (.*?)[,.]/.exec(text)?.[1] ?? "");
    const several = "the text to be replaced is there more than once";
    expect(told).toEqual(["", "it was not read before", "", missing, "", several, "", missing, ""]);
  });

  it("tells the next two prompts after turns for which the conversation was too long", async () => {
    const message = "prompt is too long: 210000 tokens > 200000 maximum";
    const run = await Terminal.start(scratch, {
      script: { main: [], whenExhausted: { say: "", error: { status: 400, type: "invalid_request_error", message } } },
      args: ["--plugin-dir", OMC_PLUGIN],
      env: NOT_COMPACTED,
    });
    terminal = run;
    const failures = async (): Promise<number> =>
      (await journal(scratch)).filter(({ agentEvent }) => agentEvent === "StopFailure").length;
    for (const [at, prompt] of ["one?", "two?", "three?", "four?"].entries()) {
      await run.type(prompt);
      await run.until(async () => (await failures()) === at + 1, `the turn of the prompt ${prompt} did not fail`);
    }
    // The model has answered nothing, so the last request has all that it was ever told.
    const requests = run.model.conversation().map(newText);
    const told = requests.at(-1)?.match(/the conversation is too long for the model|too long for the model once more/g);
    expect(told).toEqual(["the conversation is too long for the model", "too long for the model once more"]);
    expect(requests[0]).not.toContain("too long for the model");
  });
});

describe("preemptive-compaction", () => {
  /** The transcript is written while the command sleeps. */
  const call = (inputTokens: number): Turn => ({ say: bash("sleep 1"), inputTokens });

  it("tells once that the context is nearly full", async () => {
    const main = [call(100_000), "Done."];
    const small = await runWithModes(scratch, { prompt: "go", script: { main }, env: NOT_COMPACTED });
    expect(texts(small).join()).not.toContain("% full");
    const script = { main: [call(172_000), call(172_000), "Done."] };
    const outcome = await runWithModes(scratch, { prompt: "go", script, env: NOT_COMPACTED });
    const told = texts(outcome).map((text) => /The context is (\d+ % full and [\w ]*)/.exec(text)?.[1] ?? "");
    expect(told).toEqual(["", "86 % full and will be compacted before long", ""]);
  });

  it("tells that it is full, as the status line has reported", async () => {
    const session = randomUUID();
    const report = {
      session_id: session,
      workspace: { current_dir: scratch.project },
      context_window: { used_percentage: 96 },
    };
    const before = async (): Promise<void> => {
      await hookwright(scratch, ["statusline"], { input: JSON.stringify(report) });
    };
    const script = { main: [{ say: bash("true"), before }, "Done."] };
    const outcome = await runWithModes(scratch, { prompt: "go", script }, "--session-id", session);
    expect(texts(outcome)[1]).toContain("The context is 96 % full and can be compacted at any moment.");
  });
});

describe("pre-compact", () => {
  const DECIDED = "Postgres, because of the reports";
  const task: ToolCall = { tool: "TaskCreate", input: { subject: "write the test", description: "of the login" } };
  const checkpoints = (): Record<string, unknown>[] => {
    const folder = inProject(".omc/state/checkpoints");
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
    return names.map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Record<string, unknown>);
  };
  const parts = (outcome: ClaudeOutcome): { asked: string; after: string } => {
    const { requests } = outcome.model;
    const at = requests.findLastIndex(({ purpose }) => purpose.kind === "compaction");
    const next = requests.slice(at + 1).find(({ purpose }) => purpose.kind === "turn");
    return {
      asked: wholeText(requests[at] ?? expect.fail("nothing was compacted")),
      after: wholeText(next ?? expect.fail("nothing was said after it")),
    };
  };

  it("keeps tasks and notes over a compaction that was asked for", async () => {
    scratch.write(inProject(".omc/notepads/login/decisions.md"), `- ${DECIDED}\n`);
    const { result } = await runWithModes(scratch, { prompt: "hello", script: { main: [task, "Hello."] } });
    const script = { main: ["Hello again.", "Now."], compaction: "Summary: nothing." };
    const messages = ["hello again", "/compact", "and now?"];
    const outcome = await runWithModes(scratch, { prompt: "", messages, script }, "--resume", result.session_id);
    const { asked, after } = parts(outcome);
    expect(asked).toContain("Keep in the summary");
    expect(after).toContain("What was open before it is as follows now");
    for (const text of [asked, after]) {
      expect(text).toContain("This session has 1 open task: write the test.");
      expect(text).toContain(DECIDED);
    }
    expect(checkpoints()).toEqual([
      expect.objectContaining({
        trigger: "manual",
        session_id: result.session_id,
        open_tasks: ["write the test"],
        wisdom: [{ file: ".omc/notepads/login/decisions.md", text: `- ${DECIDED}` }],
        told_at: expect.any(String),
      }),
    ]);
  });

  it("keeps a mode over one that came by itself, and makes nothing where nothing is open", async () => {
    const large: Turn = { say: bash("true"), inputTokens: 95_000 };
    // One such turn is too short a history to compact.
    const main = [large, large, "NEEDS_INPUT: which database?", "Done."];
    const env = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "100000" };
    const script = { main, compaction: "Summary: nothing.", whenExhausted: "Done." };
    await runWithModes(scratch, { prompt: "go", script, env });
    expect(existsSync(inProject(".omc/state/checkpoints"))).toBe(false);
    const outcome = await runWithModes(scratch, { prompt: "/ralph fix the login", script, env });
    const { asked, after } = parts(outcome);
    for (const text of [asked, after]) expect(text).toContain("ralph, round 0 of 100");
    const [checkpoint] = checkpoints();
    expect(checkpoint).toMatchObject({
      trigger: "auto",
      active_modes: { ralph: { original_prompt: "fix the login" } },
    });
  });
});
