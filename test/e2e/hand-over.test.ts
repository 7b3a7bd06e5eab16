/** A session that is handed over, in the real client and a real tmux: what counts is what the new run's model is told. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ModelRequest, newText, toolResult, wholeText } from "./model-requests.ts";
import type { Turn } from "./model-script.ts";
import { hookwright } from "./product.ts";
import { Scratch } from "./scratch.ts";
import { Terminal } from "./terminal.ts";

const PLUGIN = resolve(import.meta.dirname, "../../plugin");
const DIR = "sessions/2026_01_02_LOGIN";
const HANDOVER = {
  summary: "Half the form is done.",
  lastAction: "Wrote the field.",
  nextSteps: ["write the button", "test it"],
  handoverInstructions: "Mind the encoding.",
  requiredFiles: ["form.md"],
};
/** Between where calls begin to wait and where the client compacts by itself. */
const FULL = 156_000;
const WRAPPER = [process.execPath, resolve(import.meta.dirname, "../../bin/hookwright.mjs"), "run", "--"];

let scratch: Scratch;
let terminal: Terminal | undefined;
beforeEach(async () => {
  scratch = new Scratch();
  terminal = undefined;
  await scratch.run("git", ["init", "--quiet"]);
  scratch.write(join(scratch.project, "form.md"), "The form has one field.\n");
  await hookwright(scratch, ["init", "--yes", "--scope", "user", "--profile", "session"]);
  scratch.write(join(scratch.hookwrightHome, "config.yml"), "profiles: [session]\ncontextPolicy: restart\n");
});
afterEach(async () => {
  await terminal?.stop();
  await scratch.dispose();
});

const bash = (id: string, command: string): Turn => ({ tool: "Bash", id, input: { command } });
const activate = bash("toolu_activate", `engine session activate ${DIR} implement < /dev/null`);
const dehydrate = bash("toolu_dehydrate", `engine session dehydrate <<'EOF'\n${JSON.stringify(HANDOVER)}\nEOF`);
const state = () =>
  JSON.parse(readFileSync(join(scratch.project, DIR, ".state.json"), "utf8")) as Record<string, unknown>;
const isRestored = (request: ModelRequest): boolean =>
  wholeText(request).includes("This run continues the work session");
const args = ["--plugin-dir", PLUGIN];

/** The first request of a run that was told what the one before handed over. */
async function nextRun(at: Terminal): Promise<ModelRequest> {
  const find = (): ModelRequest | undefined => at.model.conversation().find(isRestored);
  await at.until(() => find() !== undefined, "there was no next run", 90_000);
  return find() ?? expect.fail("no request");
}

function expectHandedOver(request: ModelRequest): void {
  const told = wholeText(request);
  for (const part of [HANDOVER.summary, "write the button", "Mind the encoding.", "The form has one field."]) {
    expect(told).toContain(part);
  }
  // A conversation of its own: nothing of the one before is in it.
  expect(told).not.toContain("toolu_");
  expect(told).not.toContain("build the login");
}

describe("under the wrapper", () => {
  it("a full context refuses work, is handed over with the skill, and the next run knows everything", async () => {
    terminal = await Terminal.start(scratch, {
      under: WRAPPER,
      socket: "fleet",
      script: {
        main: [
          activate,
          { say: { tool: "Bash", id: "toolu_fills", input: { command: "touch fills" } }, inputTokens: FULL },
          { say: { tool: "Bash", id: "toolu_refused", input: { command: "touch refused" } }, inputTokens: FULL },
          { tool: "Skill", id: "toolu_skill", input: { skill: "hookwright:dehydrate", args: "restart" } },
          dehydrate,
        ],
        whenExhausted: "Going on.",
      },
      args,
    });
    await terminal.type("build the login");
    const paneState = async () =>
      (await terminal?.tmux("show-options", "-pqv", "-t", "client", "@pane_notify"))?.trim();
    await terminal.until(async () => (await paneState()) === "working", "not: the fleet shows that it works", 60_000);
    const next = await nextRun(terminal);
    const requests = terminal.model.conversation();
    const refused = toolResult(requests, "toolu_refused");
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain("[session/overflow]");
    // The client may have noted how full the context is before its first call runs. Then that call is the first to be
    // refused, and has the text in full.
    const calls = ["toolu_fills", "toolu_refused"].map((id) => toolResult(requests, id));
    expect(calls.find(({ isError }) => isError)?.text).toContain("hookwright:dehydrate");
    expect(existsSync(join(scratch.project, "refused"))).toBe(false);
    expect(toolResult(requests, "toolu_skill").isError).toBe(false);
    expectHandedOver(next);
    expect(newText(next)).toContain("engine session continue");
    await terminal.until(() => !("dehydratedContext" in state()), "not: it counts as delivered", 60_000);
    expect(state()).toMatchObject({ lifecycle: "active", overflowed: false, killRequested: false });
    await terminal.until(async () => (await paneState()) === "done", "not: the fleet shows that it is done", 60_000);
    const windowState = async () =>
      (await terminal?.tmux("show-options", "-wqv", "-t", "client", "@window_notify"))?.trim();
    await terminal.until(async () => (await windowState()) === "done", "not: the window shows it too", 60_000);
  });

  it("an automatic compaction without a hand-over makes one and restarts", async () => {
    terminal = await Terminal.start(scratch, {
      under: WRAPPER,
      script: {
        main: [
          bash(
            "toolu_activate",
            `engine session activate ${DIR} implement < /dev/null && engine session update ${DIR} taskSummary 'A login form.'`,
          ),
          bash("toolu_log", `engine log ${DIR}/IMPLEMENT_LOG.md <<'EOF'\n## The field\nIt is written.\nEOF`),
          // One such turn is too short a history to compact.
          { say: { tool: "Bash", input: { command: "true" } }, inputTokens: 95_000 },
          { say: { tool: "Bash", input: { command: "true" } }, inputTokens: 95_000 },
        ],
        whenExhausted: "Going on.",
        compaction: { say: "Summary: nothing of note.", delayMs: 3_000 },
      },
      args,
      env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "100000" },
    });
    await terminal.type("build the login");
    const next = await nextRun(terminal);
    const told = wholeText(next);
    for (const part of ["A login form.", "Continue with the skill implement.", "## [", "It is written."])
      expect(told).toContain(part);
    expect(told).not.toContain("build the login");
    expect(readFileSync(join(scratch.project, DIR, "DEHYDRATED_CONTEXT.md"), "utf8")).toContain("A login form.");
  });
});

describe("by keys", () => {
  it("the agent in a pane is cleared and goes on in the same session, which keeps everything else", async () => {
    terminal = await Terminal.start(scratch, {
      script: {
        main: [activate, bash("toolu_phase", `engine session update ${DIR} currentPhase '2: Build'`), dehydrate],
        whenExhausted: "Going on.",
      },
      args,
      env: { SESSION_REQUIRED: "1" },
    });
    await terminal.type("build the login");
    const next = await nextRun(terminal);
    expectHandedOver(next);
    await terminal.until(() => !("dehydratedContext" in state()), "not: it counts as delivered", 30_000);
    expect(state()).toMatchObject({
      lifecycle: "active",
      skill: "implement",
      currentPhase: "2: Build",
      killRequested: false,
    });
    expect(state()).not.toHaveProperty("restartPrompt");
  });
});
