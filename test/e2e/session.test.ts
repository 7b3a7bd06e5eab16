/** Sessions of work in the real client: what is asserted is what the model was sent and what lies on the disk. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NO_PERMISSION_CHECKS, runClaude } from "./client.ts";
import { newText, toolResult } from "./model-requests.ts";
import type { Turn } from "./model-script.ts";
import { hookwright } from "./product.ts";
import { Scratch } from "./scratch.ts";

const DIR = "sessions/2026_01_02_LOGIN";

let scratch: Scratch;
let run: Pick<Parameters<typeof runClaude>[1], "args" | "env">;
beforeEach(async () => {
  scratch = new Scratch();
  await scratch.run("git", ["init", "--quiet"]);
  await hookwright(scratch, ["init", "--yes", "--scope", "user", "--profile", "session"]);
  run = { args: NO_PERMISSION_CHECKS.args, env: { ...NO_PERMISSION_CHECKS.env, SESSION_REQUIRED: "1" } };
});
afterEach(() => scratch.dispose());

const bash = (id: string, command: string): Turn => ({ tool: "Bash", id, input: { command } });
const activate = bash("toolu_activate", `engine session activate ${DIR} implement < /dev/null`);
const inProject = (name: string): string => join(scratch.project, name);
const state = () => JSON.parse(readFileSync(inProject(`${DIR}/.state.json`), "utf8")) as Record<string, unknown>;

describe("the gate", () => {
  it("is closed until a session is active, says how to open it, and then is open", async () => {
    const outcome = await runClaude(scratch, {
      prompt: "build it",
      script: {
        main: [
          bash("toolu_early", "touch early"),
          bash("toolu_smuggled", "engine session find; touch smuggled"),
          activate,
          bash("toolu_then", "touch then"),
          "Built.",
        ],
      },
      ...run,
    });
    expect(newText(outcome.requests[0] ?? expect.fail("no request"))).toContain("No session is active");
    for (const id of ["toolu_early", "toolu_smuggled"]) {
      const refused = toolResult(outcome.requests, id);
      expect(refused.isError).toBe(true);
      // The way to open it is said in full once; the second denial is brief.
      expect(refused.text).toContain(
        id === "toolu_early" ? "engine session activate" : "Retry after a session is active",
      );
      expect(refused.text).toContain("[session/gate]");
    }
    expect(existsSync(inProject("early"))).toBe(false);
    expect(existsSync(inProject("smuggled"))).toBe(false);
    expect(toolResult(outcome.requests, "toolu_activate")).toMatchObject({ isError: false });
    expect(toolResult(outcome.requests, "toolu_activate").text).toContain("Session 2026_01_02_LOGIN is active");
    expect(toolResult(outcome.requests, "toolu_then").isError).toBe(false);
    expect(existsSync(inProject("then"))).toBe(true);
    expect(state()).toMatchObject({ lifecycle: "active", skill: "implement", sessionId: outcome.result.session_id });
  });

  it("tells a later prompt of the same conversation where the session stands", async () => {
    const first = await runClaude(scratch, { prompt: "begin", script: { main: [activate, "Ready."] }, ...run });
    const second = await runClaude(scratch, {
      prompt: "go on",
      script: { main: [bash("toolu_work", "touch work"), "Done."] },
      env: { ...run.env },
      args: [...(run.args ?? []), "--resume", first.result.session_id],
    });
    const asked = newText(second.requests[0] ?? expect.fail("no request"));
    expect(asked).toContain("Session: 2026_01_02_LOGIN | Skill: implement");
    expect(asked).toContain("Heartbeat: 0/10");
    expect(existsSync(inProject("work"))).toBe(true);
  });
});

describe("the heartbeat", () => {
  it("reminds at three calls, blocks at ten, and a log frees it", async () => {
    const calls = Array.from({ length: 10 }, (_, i) => bash(`toolu_${i + 1}`, `touch call-${i + 1}`));
    const outcome = await runClaude(scratch, {
      prompt: "work",
      script: {
        main: [
          activate,
          ...calls,
          bash("toolu_log", `engine log ${DIR}/IMPLEMENT_LOG.md <<'EOF'\n## Ten files\nTouched them.\nEOF`),
          bash("toolu_after", "touch after"),
          "Done.",
        ],
      },
      ...run,
    });
    // Request 0 answers with the activation, request i with call i; what is said beside call i is in request i + 1.
    const beside = (call: number): string => newText(outcome.requests[call + 1] ?? expect.fail("no request"));
    expect(beside(2)).not.toContain("since the last log entry");
    expect(beside(3)).toContain("3 calls since the last log entry");
    expect(existsSync(inProject("call-9"))).toBe(true);
    const blocked = toolResult(outcome.requests, "toolu_10");
    expect(blocked.isError).toBe(true);
    expect(blocked.text).toContain("[session/heartbeat]");
    expect(existsSync(inProject("call-10"))).toBe(false);
    expect(toolResult(outcome.requests, "toolu_log").isError).toBe(false);
    expect(readFileSync(inProject(`${DIR}/IMPLEMENT_LOG.md`), "utf8")).toMatch(
      /^## \[[-\d]+ [:\d]+\] Ten files\nTouched/,
    );
    expect(toolResult(outcome.requests, "toolu_after").isError).toBe(false);
    expect(existsSync(inProject("after"))).toBe(true);
  });
});

describe("directives", () => {
  it("that were found come first, and reading them opens the gate", async () => {
    scratch.write(inProject("src/PITFALLS.md"), "Mind the gap.\n");
    scratch.write(inProject("src/a.ts"), "export {};\n");
    const read = (id: string, file: string): Turn => ({ tool: "Read", id, input: { file_path: inProject(file) } });
    const outcome = await runClaude(scratch, {
      prompt: "work",
      script: {
        main: [
          activate,
          read("toolu_source", "src/a.ts"),
          bash("toolu_1", "touch one"),
          bash("toolu_2", "touch two"),
          bash("toolu_3", "touch three"),
          read("toolu_pitfalls", "src/PITFALLS.md"),
          bash("toolu_4", "touch four"),
          "Done.",
        ],
      },
      ...run,
    });
    expect(newText(outcome.requests[2] ?? expect.fail("no request"))).toContain(
      "directive files that were not read yet",
    );
    expect(newText(outcome.requests[3] ?? expect.fail("no request"))).toContain("Directive files not read yet");
    const blocked = toolResult(outcome.requests, "toolu_3");
    expect(blocked.isError).toBe(true);
    expect(blocked.text).toContain(inProject("src/PITFALLS.md"));
    expect(existsSync(inProject("three"))).toBe(false);
    expect(toolResult(outcome.requests, "toolu_pitfalls").text).toContain("Mind the gap.");
    expect(toolResult(outcome.requests, "toolu_4").isError).toBe(false);
    expect(existsSync(inProject("four"))).toBe(true);
    expect(state().pendingDirectives).toEqual([]);
  });
});

describe("a destructive command", () => {
  it("is denied once with what it would lose, and passes when it is tried again", async () => {
    scratch.write(inProject("old/a.txt"), "a");
    let before = false;
    const outcome = await runClaude(scratch, {
      prompt: "tidy up",
      script: {
        main: [
          activate,
          bash("toolu_first", "rm -rf old"),
          {
            say: { tool: "Bash", id: "toolu_retry", input: { command: "rm -rf old" } },
            before: () => {
              before = existsSync(inProject("old/a.txt"));
            },
          },
          "Tidy.",
        ],
      },
      ...run,
    });
    const refused = toolResult(outcome.requests, "toolu_first");
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain("[session/one-strike]");
    expect(refused.text).toContain("passes when it is tried again");
    expect(before).toBe(true);
    expect(toolResult(outcome.requests, "toolu_retry").isError).toBe(false);
    expect(existsSync(inProject("old"))).toBe(false);
  });
});

describe("a question to the user", () => {
  it("is logged with what was said before it and what was answered", async () => {
    const question = {
      question: "Which colour?",
      header: "Colour",
      multiSelect: false,
      options: [
        { label: "Red", description: "warm" },
        { label: "Blue", description: "cold" },
      ],
    };
    const outcome = await runClaude(scratch, {
      prompt: "paint it",
      script: {
        main: [
          activate,
          ["Two colours are left.", { tool: "AskUserQuestion", id: "toolu_ask", input: { questions: [question] } }],
          "Painted.",
        ],
      },
      ...run,
      args: ["--allowedTools", "Bash"],
      answer: (tool, input) =>
        tool === "AskUserQuestion" ? { ...input, answers: { "Which colour?": "Blue" } } : input,
    });
    expect(toolResult(outcome.requests, "toolu_ask")).toMatchObject({ isError: false });
    expect(toolResult(outcome.requests, "toolu_ask").text).toContain("Blue");
    const details = readFileSync(inProject(`${DIR}/DETAILS.md`), "utf8");
    expect(details).toContain("Colour — Which colour?");
    expect(details).toContain("> Two colours are left.");
    expect(details).toContain("> Options: Red / Blue");
    expect(details).toContain("> Which colour?: Blue");
    expect(details.match(/toolu_ask/g)).toHaveLength(1);
  });
});
