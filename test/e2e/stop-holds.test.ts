/** Which stops are held in the real client, and what the model reads then. */
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ClaudeOutcome, type ClaudeRun, NO_PERMISSION_CHECKS, runClaude } from "./client.ts";
import { newText, toolResult } from "./model-requests.ts";
import type { Turn } from "./model-script.ts";
import { hookwright, noticesToThePerson, startActiveSession } from "./product.ts";
import { Scratch } from "./scratch.ts";

const PLAN = "docs/plans/2026-02-16-login-design.md";
const QUESTION = "what is the capital of France?";
const FLEET = "night-shift";
const PROMISE = "Stopping again ends the turn.";

let scratch: Scratch;
beforeEach(async () => {
  scratch = new Scratch();
  await scratch.run("git", ["init", "--quiet"]);
  const rows = Array.from({ length: 7 }, (_, index) => `| ${index + 1} | Build part ${index + 1} | — | pending |`);
  const table = ["| # | Task | Depends On | Status |", "|---|------|------------|--------|", ...rows];
  write(PLAN, ["# Login for everybody", "", "## Implementation Tasks", "", ...table, ""].join("\n"));
  write(".claude/project.yml", "hooks:\n  stop_guard: true\n");
  await hookwright(scratch, ["init", "--yes", "--scope", "user", "--profile", "safety,plan,ntm"]);
});
afterEach(() => scratch.dispose());

function write(name: string, text: string): void {
  scratch.write(join(scratch.project, name), text);
}

function run(more: Partial<ClaudeRun> & Pick<ClaudeRun, "script">, ...args: string[]): Promise<ClaudeOutcome> {
  const { env, args: unchecked } = NO_PERMISSION_CHECKS;
  return runClaude(scratch, { prompt: "go", ...more, env: { ...env, ...more.env }, args: [...unchecked, ...args] });
}

const bash = (command: string, id?: string): Turn => ({ tool: "Bash", input: { command }, ...(id ? { id } : {}) });
const start = (): Promise<string> => hookwright(scratch, ["plan", "start", PLAN]);

describe("a question", () => {
  it("is answered, and the turn ends although a plan is active", async () => {
    await start();
    const outcome = await run({ prompt: QUESTION, script: { main: ["Paris."], whenExhausted: "Too far." } });
    expect(outcome.requests).toHaveLength(1);
    expect(outcome.result.result).toBe("Paris.");
  });

  it("does not release the session that started the plan", async () => {
    const starts = bash(`hookwright plan start ${PLAN}`, "toolu_start");
    const first = await run({ script: { main: [starts, "Started.", "Over."] } });
    expect(toolResult(first.requests, "toolu_start").text).toContain("Started 'Login for everybody'");
    const script = { main: ["Paris.", "Still Paris."], whenExhausted: "Too far." };
    const second = await run({ prompt: QUESTION, script }, "--resume", first.result.session_id);
    expect(second.requests).toHaveLength(2);
    expect(newText(second.requests[1] ?? expect.fail("not held"))).toContain("7 tasks still incomplete");
  });
});

describe("work", () => {
  it("is held with the plan's file and its open tasks, and the next stop passes as promised", async () => {
    await start();
    const outcome = await run({ script: { main: [bash("true"), "Done.", "Really."], whenExhausted: "Too far." } });
    expect(outcome.requests).toHaveLength(3);
    const held = newText(outcome.requests[2] ?? expect.fail("not held"));
    expect(held).toContain("7 tasks still incomplete in 'Login for everybody'.");
    expect(held).toContain(`Open in ${PLAN}: #1 Build part 1, `);
    expect(held).toContain("#5 Build part 5 and 2 more.");
    expect(held).toContain(PROMISE);
    expect(outcome.result.result).toBe("Really.");
  });

  it("that is denied at every call ends after three continuations, each with a text of its own", async () => {
    await start();
    const env = await startActiveSession(scratch, FLEET);
    const denied = Array.from({ length: 9 }, (_, index) => [bash("hookwright off", `toolu_${index}`), "Done."]);
    const outcome = await run({ script: { main: denied.flat(), whenExhausted: "Too far." }, env });
    expect(toolResult(outcome.requests, "toolu_0").isError).toBe(true);
    expect(outcome.requests).toHaveLength(8);
    const continuations = [2, 4, 6].map((at) => newText(outcome.requests[at] ?? expect.fail("not held")));
    for (const text of continuations) {
      expect(text).toContain(FLEET);
      expect(text).not.toContain(PROMISE);
    }
    expect(new Set(continuations).size).toBe(3);
  });

  it("that a fleet keeps going is not announced as ended before it ends", async () => {
    await start();
    const env = await startActiveSession(scratch, FLEET);
    const outcome = await run({ script: { main: [bash("true")], whenExhausted: "Done." }, env });
    expect(outcome.requests).toHaveLength(5);
    const held = newText(outcome.requests[2] ?? expect.fail("not held"));
    expect(held).toContain(FLEET);
    expect(held).toContain("7 tasks still incomplete");
    expect(held).not.toContain(PROMISE);
    const notices = noticesToThePerson(outcome, "Stop");
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain("Stopping with 7 tasks still incomplete");
  });
});
