/** What the engine promises across a whole session of the real client: delivery once, budgets, and what it costs. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clientUnderTest, NO_PERMISSION_CHECKS, runClaude } from "./client.ts";
import { newText } from "./model-requests.ts";
import type { Turn } from "./model-script.ts";
import { killIfAlive } from "./processes.ts";
import { daemonStatus, hookwright, journal, noticesToThePerson, startActiveSession } from "./product.ts";
import { Scratch } from "./scratch.ts";

const INIT = ["init", "--yes", "--scope", "user", "--profile", "safety,ntm"];
const SESSION = "night-shift";
const REMINDER = "was still running when the last turn ended";

let scratch: Scratch;
beforeEach(async () => {
  scratch = new Scratch();
  await scratch.run("git", ["init", "--quiet"]);
});
afterEach(() => scratch.dispose());

const bash = (command: string): Turn => ({ tool: "Bash", input: { command } });

describe("a note for later", () => {
  it("reaches the model exactly once, although the daemon was killed in between", async () => {
    await hookwright(scratch, INIT);
    const env = await startActiveSession(scratch, SESSION);
    const first = await runClaude(scratch, {
      prompt: "wrap up",
      script: { main: [], whenExhausted: "Thinking." },
      env,
    });
    const { pid } = await daemonStatus(scratch);
    if (pid !== undefined) killIfAlive(pid);
    const resume = ["--resume", first.result.session_id];
    const later = { script: { main: [], whenExhausted: "Thinking." }, args: resume, env };
    const second = await runClaude(scratch, { prompt: "and now?", ...later });
    expect(newText(second.requests[0] ?? expect.fail("no request"))).toContain(REMINDER);
    await hookwright(scratch, ["daemon", "stop"]);
    await scratch.run("tmux", ["kill-session", "-t", SESSION]);
    const third = await runClaude(scratch, { prompt: "and now?", ...later });
    const texts = third.requests.map(newText);
    expect(texts[0]).toContain("and now?");
    // The second run ended with the session alive as well, so one more note was due, and only one.
    expect(texts.join("\n").split(REMINDER).length - 1).toBe(1);
  });
});

describe("held stops", () => {
  it("let forty productive continuations through, then three idle ones, and then end with a notice", async () => {
    await hookwright(scratch, INIT);
    const env = await startActiveSession(scratch, SESSION);
    const productive = Array.from({ length: 40 }, (_, index): Turn[] => [
      bash(`echo ${index} >> progress.txt`),
      "Done.",
    ]);
    const outcome = await runClaude(scratch, {
      prompt: "work",
      script: { main: productive.flat(), whenExhausted: "Idle." },
      args: NO_PERMISSION_CHECKS.args,
      env: { ...NO_PERMISSION_CHECKS.env, ...env },
      timeoutMs: 120_000,
    });
    expect(outcome.exitCode).toBe(0);
    expect(outcome.requests.filter((request) => request.scripted)).toHaveLength(80);
    expect(outcome.requests.filter((request) => !request.scripted)).toHaveLength(3);
    expect(outcome.result.result).toBe("Idle.");
    expect(noticesToThePerson(outcome, "Stop").at(-1)).toContain("3 times without running a tool");
  });
});

describe("the cost of a call", () => {
  const CALLS = 200;
  /** Enough for scripts that take a second for each call. */
  const FEW_CALLS = 20;
  const timed = async (calls: number): Promise<number> => {
    const turns = Array.from({ length: calls }, (_, index): Turn => bash(`: ${index}`));
    const started = performance.now();
    const outcome = await runClaude(scratch, {
      prompt: "go",
      script: { main: [...turns, "Done."] },
      ...NO_PERMISSION_CHECKS,
      timeoutMs: 300_000,
    });
    expect(outcome.result.result).toBe("Done.");
    return (performance.now() - started) / calls;
  };

  it(`is measured over ${CALLS} tool calls, against no hooks and against as many classic hook scripts`, async () => {
    const none = await timed(CALLS);
    const noneOfFew = await timed(FEW_CALLS);
    await hookwright(scratch, ["init", "--yes", "--scope", "user", "--profile", "safety,ntm,plan,session,teams,omc"]);
    const ours = await timed(CALLS);
    const recorded = await journal(scratch);
    expect(recorded.filter((entry) => entry.event === "tool.before")).toHaveLength(CALLS);
    const policies = JSON.parse(await hookwright(scratch, ["policies", "--json"])) as unknown[];
    await hookwright(scratch, ["uninstall", "--yes", "--scope", "user"]);
    // A classic hook: one Node process that reads the event and looks for a word. One per policy, as people write them.
    const script = scratch.write(
      join(scratch.home, "hook.mjs"),
      'let s="";for await(const c of process.stdin)s+=c;const e=JSON.parse(s);if(/never/.test(JSON.stringify(e)))process.exit(2);\n',
    );
    const group = policies.map((_, index) => ({ hooks: [{ type: "command", command: `node ${script} ${index}` }] }));
    scratch.write(scratch.userSettings, JSON.stringify({ hooks: { PreToolUse: group, PostToolUse: group } }));
    const classic = await timed(FEW_CALLS);
    const round = (ms: number): number => Math.round(ms * 10) / 10;
    const result = {
      client: clientUnderTest().version,
      calls: CALLS,
      policies: policies.length,
      msPerCall: { none: round(none), hookwright: round(ours), classic: round(classic) },
      added: { hookwright: round(ours - none), classic: round(classic - noneOfFew) },
    };
    console.log(JSON.stringify(result));
    const out = process.env.HOOKWRIGHT_E2E_COST_FILE;
    if (out) writeFileSync(`${out}.${result.client}.json`, `${JSON.stringify(result, null, 2)}\n`);
    // A ratio of one run, and a loose one: other programs share this machine.
    expect(ours - none).toBeLessThan(classic - noneOfFew);
  }, 600_000);
});
