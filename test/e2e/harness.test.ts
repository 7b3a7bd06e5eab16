/** The harness proved on hooks so plain that only client and harness can be wrong. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clientUnderTest, NO_PERMISSION_CHECKS, runClaude } from "./client.ts";
import { newText, toolResult, wholeText } from "./model-requests.ts";
import { queueMarker } from "./model-script.ts";
import { isAlive, processesStartedWith } from "./processes.ts";
import { Scratch } from "./scratch.ts";

let scratch: Scratch;

beforeEach(() => {
  scratch = new Scratch();
});

afterEach(async () => {
  await scratch.dispose();
});

function hookScript(name: string, body: string): string {
  return scratch.write(join(scratch.root, "hooks", name), `#!/bin/sh\n${body}\n`, 0o755);
}

function installHook(event: string, command: string, matcher?: string): void {
  const entry = { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: "command", command }] };
  scratch.write(scratch.userSettings, JSON.stringify({ hooks: { [event]: [entry] } }));
}

function denyAnswer(reason: string): string {
  return JSON.stringify({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: reason,
    },
  });
}

describe("the client under test", () => {
  it("is the version that was asked for", async () => {
    const { binary, version } = clientUnderTest();
    const { stdout } = await scratch.run(binary, ["--version"]);
    expect(stdout).toContain(version);
  });

  it("runs a tool the model calls and sends its result back", async () => {
    const marker = join(scratch.project, "made-by-bash");
    const outcome = await runClaude(scratch, {
      prompt: "make the file",
      script: { main: [{ tool: "Bash", id: "toolu_make", input: { command: `echo hello | tee ${marker}` } }, "Made."] },
      args: ["--allowedTools", "Bash"],
    });
    expect(outcome.exitCode).toBe(0);
    expect(outcome.result.result).toBe("Made.");
    expect(readFileSync(marker, "utf8")).toBe("hello\n");
    expect(outcome.requests).toHaveLength(2);
    const { text, isError } = toolResult(outcome.requests, "toolu_make");
    // Newer clients append a reminder of the remaining budget to the tool's own output.
    expect(text.split("\n")[0]).toBe("hello");
    expect(isError).toBe(false);
  });

  it("reaches a tmux server that only this test can see", async () => {
    await scratch.run("tmux", ["-f", "/dev/null", "new-session", "-d", "-s", "harness", "sleep 120"]);
    const outcome = await runClaude(scratch, {
      prompt: "list the sessions",
      script: {
        main: [{ tool: "Bash", id: "toolu_list", input: { command: "tmux list-sessions -F '#S'" } }, "Listed."],
      },
      args: ["--allowedTools", "Bash"],
    });
    expect(toolResult(outcome.requests, "toolu_list").text.split("\n")[0]).toBe("harness");
  });

  it("may overwrite its own settings when no hook objects", async () => {
    const before = scratch.write(scratch.userSettings, "{}");
    const outcome = await runClaude(scratch, {
      prompt: "change the settings",
      script: {
        main: [
          { tool: "Read", input: { file_path: before } },
          { tool: "Write", id: "toolu_write", input: { file_path: before, content: '{"env":{}}' } },
          "Changed.",
        ],
      },
      ...NO_PERMISSION_CHECKS,
    });
    expect(toolResult(outcome.requests, "toolu_write").isError).toBe(false);
    expect(readFileSync(scratch.userSettings, "utf8")).toBe('{"env":{}}');
  });
});

describe("a hook in the settings", () => {
  it("denies a tool by JSON: the tool does not run and the model reads the reason", async () => {
    const reason = "No shell in this house.";
    installHook("PreToolUse", hookScript("deny", `cat >/dev/null\necho '${denyAnswer(reason)}'`), "Bash");
    const marker = join(scratch.project, "must-not-exist");
    const outcome = await runClaude(scratch, {
      prompt: "make the file",
      script: { main: [{ tool: "Bash", id: "toolu_make", input: { command: `touch ${marker}` } }, "Understood."] },
      ...NO_PERMISSION_CHECKS,
    });
    expect(existsSync(marker)).toBe(false);
    expect(outcome.requests).toHaveLength(2);
    const result = toolResult(outcome.requests, "toolu_make");
    expect(result.isError).toBe(true);
    expect(result.text).toContain(reason);
    expect(outcome.result.permission_denials?.map((denial) => denial.tool_use_id)).toEqual(["toolu_make"]);
    expect(outcome.hookResponses.map((response) => response.hook_event)).toContain("PreToolUse");
  });

  it("blocks a stop once: the model gets one more request with the reason", async () => {
    const once = join(scratch.root, "blocked-once");
    const block = JSON.stringify({ decision: "block", reason: "Feed the cat first." });
    installHook("Stop", hookScript("stop", `cat >/dev/null\n[ -e ${once} ] && exit 0\ntouch ${once}\necho '${block}'`));
    const outcome = await runClaude(scratch, { prompt: "go", script: { main: ["Done.", "The cat is fed."] } });
    expect(outcome.requests).toHaveLength(2);
    const [first, second] = outcome.requests.map(newText);
    expect(first).not.toContain("Feed the cat first.");
    expect(second).toContain("Feed the cat first.");
    expect(outcome.result.result).toBe("The cat is fed.");
  });

  it("given with the run instead of in a file also counts", async () => {
    const seen = join(scratch.root, "seen");
    await runClaude(scratch, {
      prompt: "go",
      script: { main: ["Done."] },
      settings: { hooks: { SessionStart: [{ hooks: [{ type: "command", command: `cat > ${seen}` }] }] } },
    });
    expect(JSON.parse(readFileSync(seen, "utf8"))).toMatchObject({
      hook_event_name: "SessionStart",
      source: "startup",
    });
  });
});

describe("the scripted model", () => {
  it("answers a subagent from the queue its prompt names, without using the main conversation's turns", async () => {
    const prompt = `${queueMarker("scout")} Look around.`;
    const input = { description: "look around", prompt, subagent_type: "general-purpose", run_in_background: false };
    const outcome = await runClaude(scratch, {
      prompt: "send a scout",
      script: {
        main: [{ tool: "Agent", id: "toolu_agent", input }, "The scout is back."],
        queues: { scout: ["Nothing but trees."] },
      },
      args: ["--allowedTools", "Agent"],
    });
    expect(outcome.model.conversation("scout")).toHaveLength(1);
    expect(toolResult(outcome.requests, "toolu_agent").text).toContain("Nothing but trees.");
    expect(outcome.result.result).toBe("The scout is back.");
  });

  it("keeps answering when its script is used up, and says which answers were not scripted", async () => {
    const block = JSON.stringify({ decision: "block", reason: "Again." });
    installHook("Stop", hookScript("stop", `cat >/dev/null\necho '${block}'`));
    const outcome = await runClaude(scratch, {
      prompt: "go",
      script: { main: ["First."], whenExhausted: "Idle." },
      env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: "2" },
    });
    // The cap counts continuations; at the cap the client ends the turn and drops the model's last words.
    expect(outcome.requests.map((request) => request.scripted)).toEqual([true, false, false]);
    expect(outcome.result.result).toBe("");
  });

  it("sends errors and lets a test act in the middle of a session", async () => {
    const witness = join(scratch.root, "witness");
    const outcome = await runClaude(scratch, {
      prompt: "go",
      script: {
        main: [
          { say: "", error: { status: 529, type: "overloaded_error", message: "busy" } },
          { say: "Here again.", delayMs: 50, inputTokens: 1200, before: () => void scratch.write(witness, "seen") },
        ],
      },
      env: { CLAUDE_CODE_MAX_RETRIES: "1" },
    });
    expect(outcome.requests).toHaveLength(2);
    expect(existsSync(witness)).toBe(true);
    expect(outcome.result.result).toBe("Here again.");
    expect(outcome.requests.map(wholeText).join("\n")).toContain("go");
  });
});

describe("the scratch", () => {
  it("ends what a test left running, and removes its folders", async () => {
    const other = new Scratch();
    await other.run("sh", ["-c", "sleep 120 >/dev/null 2>&1 &"]);
    const left = processesStartedWith([`HOME=${other.home}`], other.hookwrightHome);
    expect(left).toHaveLength(1);
    await other.dispose();
    await expect.poll(() => left.filter(isAlive)).toEqual([]);
    expect(existsSync(other.root)).toBe(false);
  });
});
