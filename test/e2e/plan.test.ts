/** Plan-driven work in the real client, with nothing but a copy of the plugin's folder. */
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeMarketplace } from "../../scripts/release/marketplace.mjs";
import { type ClaudeOutcome, type ClaudeRun, clientUnderTest, NO_PERMISSION_CHECKS, runClaude } from "./client.ts";
import { newText, toolResult, wholeText } from "./model-requests.ts";
import { queueMarker, type Turn } from "./model-script.ts";
import { hookwright, journal, noticesToThePerson } from "./product.ts";
import { Scratch } from "./scratch.ts";

const PLUGIN = resolve(import.meta.dirname, "../../plugin");
const PLAN = "docs/plans/2026-02-16-login-design.md";
const TITLE = "Login for everybody";
/** Who only answers is not held. */
const WORK: Turn = { tool: "Bash", input: { command: "true" } };
const PROGRESS = "1/3 tasks complete, 1 in-progress, 1 pending.";

let scratch: Scratch;
let plugin: string;

beforeEach(async () => {
  scratch = new Scratch();
  plugin = join(scratch.root, "plugin");
  cpSync(PLUGIN, plugin, { recursive: true });
  await scratch.run("git", ["init", "--quiet"]);
  write(
    PLAN,
    [
      `# ${TITLE}`,
      "",
      "## Implementation Tasks",
      "",
      "| # | Task | Depends On | Status |",
      "|---|------|------------|--------|",
      "| 1 | Make the model | — | complete | impl-1 |",
      "| 2 | Build the form | 1 | in-progress | impl-2 |",
      "| 3 | Write the docs | 2 | pending | |",
      "",
    ].join("\n"),
  );
  write(
    ".claude/project.yml",
    [
      "hooks:",
      '  task_verification: "prompt"   # "agent" (default when enabled) | "prompt" | "off"',
      "  stop_guard: true              # default: false (opt-in)",
      "  session_context: true         # default: false (opt-in)",
      "  precompact_state: true        # default: false (opt-in)",
    ].join("\n"),
  );
});
afterEach(() => scratch.dispose());

function write(name: string, text: string): string {
  return scratch.write(join(scratch.project, name), text);
}

/** Everything below runs the command line from the copy, too. */
async function plan(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await scratch.run(join(plugin, "bin/hookwright"), ["plan", ...args]);
  if (exitCode !== 0) throw new Error(`hookwright plan ${args.join(" ")}: ${exitCode}\n${stdout}${stderr}`);
  return stdout;
}

async function git(...args: string[]): Promise<void> {
  const who = ["-c", "user.name=x", "-c", "user.email=x@example.org"];
  expect(await scratch.run("git", [...who, ...args])).toMatchObject({ exitCode: 0 });
}

function run(more: Partial<ClaudeRun> & Pick<ClaudeRun, "script">, ...args: string[]): Promise<ClaudeOutcome> {
  const { env, args: unchecked } = NO_PERMISSION_CHECKS;
  return runClaude(scratch, {
    prompt: "go",
    ...more,
    env: { ...env, ...more.env },
    args: [...unchecked, "--plugin-dir", plugin, ...args],
  });
}

describe("the plugin", () => {
  it.each(["", "verify", "omc"])("is valid as the client itself sees it, strictly: %j", async (folder) => {
    const { exitCode, stdout, stderr } = await scratch.run(clientUnderTest().binary, [
      "plugin",
      "validate",
      "--strict",
      join(plugin, folder),
    ]);
    expect(`${stdout}${stderr}`).toMatch(/passed/i);
    expect(exitCode).toBe(0);
  });

  it("can be installed from the published marketplace by its git address, and needs nothing else", async () => {
    const market = join(scratch.root, "market");
    writeMarketplace(resolve(PLUGIN, ".."), market);
    // A Node without SQLite is not among those that the published plugin runs on; with libsql it behaves like one of them.
    if (!isBuiltin("node:sqlite")) {
      const libraries = "runtime/node_modules";
      cpSync(join(PLUGIN, libraries), join(market, "hookwright", libraries), { recursive: true });
    }
    const client = async (...args: string[]): Promise<void> => {
      const { exitCode, stdout, stderr } = await scratch.run(clientUnderTest().binary, ["plugin", ...args]);
      expect({ args, exitCode, text: exitCode === 0 ? "" : `${stdout}${stderr}` }).toEqual({
        args,
        exitCode: 0,
        text: "",
      });
    };
    await client("validate", "--strict", market);
    // What the client clones from this address is the branch with the release, which lies here.
    const address = "https://example.invalid/hookwright.git";
    scratch.write(join(scratch.home, ".gitconfig"), `[url "${market}"]\n\tinsteadOf = ${address}\n`);
    for (const command of [
      ["init", "--quiet"],
      ["add", "--all", "--force"],
      ["commit", "--quiet", "-m", "Release"],
    ]) {
      await git("-C", market, ...command);
    }
    await client("marketplace", "add", address);
    for (const name of ["hookwright", "hookwright-verify", "omc"]) {
      await client("validate", "--strict", join(market, name));
      await client("install", `${name}@hookwright`);
    }
    const settings = JSON.parse(readFileSync(scratch.userSettings, "utf8")) as { enabledPlugins?: object };
    expect(settings.enabledPlugins).toEqual({
      "hookwright@hookwright": true,
      "hookwright-verify@hookwright": true,
      "omc@hookwright": true,
    });
    rmSync(market, { recursive: true });
    await plan("start", PLAN);
    const outcome = await runClaude(scratch, {
      prompt: "go",
      script: { main: [WORK, "All done.", "Really done."], whenExhausted: "Too far." },
      ...NO_PERMISSION_CHECKS,
    });
    expect(outcome.requests).toHaveLength(3);
    expect(newText(outcome.requests[2] ?? expect.fail("not held"))).toContain("2 tasks still incomplete");
  });

  it("brings its command line to the model's shell", async () => {
    const outcome = await run({
      // Without the one that other tests provide by name.
      env: { PATH: [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":") },
      script: {
        main: [
          { tool: "Bash", id: "toolu_start", input: { command: `hookwright plan start ${PLAN}` } },
          { tool: "Bash", id: "toolu_end", input: { command: "hookwright plan abort" } },
          "Done.",
        ],
      },
    });
    expect(toolResult(outcome.requests, "toolu_start")).toMatchObject({ isError: false });
    expect(toolResult(outcome.requests, "toolu_start").text).toContain(`Started '${TITLE}'`);
    expect(toolResult(outcome.requests, "toolu_end").text).toContain("is aborted");
  });

  it("has a command that carries out a plan, and tells where its own programs are", async () => {
    const outcome = await run({ prompt: `/hookwright:implement ${PLAN}`, script: { main: ["I will."] } });
    const asked = wholeText(outcome.requests[0] ?? expect.fail("no request"));
    expect(asked).toContain(`Carry out the plan \`${PLAN}\``);
    expect(asked).toContain(`node "${plugin}/runtime/hookwright.mjs"`);
  });

  it("says nothing in a project that has switched nothing on", async () => {
    write(".claude/project.yml", "name: x\n");
    await plan("start", PLAN);
    const outcome = await run({
      script: {
        main: [
          { tool: "TaskCreate", input: { subject: "Water the plants", description: "d" } },
          { tool: "TaskUpdate", id: "toolu_done", input: { taskId: "1", status: "completed" } },
          "Done.",
        ],
      },
    });
    expect(toolResult(outcome.requests, "toolu_done").isError).toBe(false);
    expect(outcome.requests).toHaveLength(3);
    expect(outcome.hookResponses.map(({ stdout }) => stdout).join("")).toBe("");
  });
});

describe("a completion", () => {
  it("is refused once with a reason that the model reads, and accepted at the second attempt", async () => {
    await plan("start", PLAN);
    const report = { commit: "abc1234", files_changed: ["src/form.ts"], tests_passed: false, design_doc: PLAN };
    const complete = (id: string): Turn => ({
      tool: "TaskUpdate",
      id,
      input: { taskId: "1", status: "completed", metadata: report },
    });
    const outcome = await run({
      script: {
        main: [
          { tool: "TaskCreate", input: { subject: "Task 2: Build the form", description: PLAN } },
          complete("toolu_first"),
          { tool: "TaskList", id: "toolu_between", input: {} },
          complete("toolu_second"),
          { tool: "TaskList", id: "toolu_after", input: {} },
          "Done.",
          "Done.",
        ],
      },
    });
    const first = toolResult(outcome.requests, "toolu_first");
    expect(first.text).toContain("Task #1: Task 2: Build the form does not look complete.");
    expect(first.text).toContain("There is no commit since the plan was started");
    expect(first.text).toContain("the tests did not pass");
    expect(first.text).toContain("plan/task-verification");
    expect(toolResult(outcome.requests, "toolu_between").text).not.toContain("completed");
    expect(toolResult(outcome.requests, "toolu_second").text).not.toContain("does not look complete");
    expect(toolResult(outcome.requests, "toolu_after").text).toContain("completed");
  });

  it("is accepted at once when the report is true", async () => {
    await plan("start", PLAN);
    write("src/form.ts", "x");
    await git("add", "src");
    await git("commit", "--quiet", "-m", "form");
    const metadata = { files_changed: ["src/form.ts"], tests_passed: true, design_doc: PLAN };
    const outcome = await run({
      script: {
        main: [
          { tool: "TaskCreate", input: { subject: "Build the form", description: PLAN } },
          { tool: "TaskUpdate", id: "toolu_done", input: { taskId: "1", status: "completed", metadata } },
          { tool: "TaskList", id: "toolu_after", input: {} },
          "Done.",
          "Done.",
        ],
      },
    });
    expect(toolResult(outcome.requests, "toolu_done").text).not.toContain("does not look complete");
    expect(toolResult(outcome.requests, "toolu_after").text).toContain("completed");
  });
});

describe("a stop", () => {
  it("is held while tasks are open, and the second one passes with a notice that is for the person alone", async () => {
    await plan("start", PLAN);
    const outcome = await run({ script: { main: [WORK, "All done.", "Really done."], whenExhausted: "Too far." } });
    expect(outcome.requests).toHaveLength(3);
    const [, , held] = outcome.requests;
    expect(newText(held ?? expect.fail("not held"))).toContain(`2 tasks still incomplete in '${TITLE}'.`);
    expect(outcome.result.result).toBe("Really done.");
    expect(noticesToThePerson(outcome, "Stop").at(-1)).toContain(
      `Stopping with 2 tasks still incomplete in '${TITLE}'`,
    );
  });

  it("passes at once when nothing is left, or when no plan is active", async () => {
    expect((await run({ script: { main: ["Done."] } })).requests).toHaveLength(1);
    await plan("start", PLAN);
    await git("commit", "--quiet", "--allow-empty", "-m", "form");
    await plan("task", "2", "complete");
    await plan("task", "3", "blocked");
    expect((await run({ script: { main: ["Done."] } })).requests).toHaveLength(1);
  });
});

describe("a session that lost its memory", () => {
  it("is told the progress when it is resumed", async () => {
    const first = await run({ script: { main: ["Hello."] } });
    await plan("start", PLAN);
    const again = { prompt: "go on", script: { main: ["Well."] } };
    const second = await run(again, "--resume", first.result.session_id);
    const [request] = second.requests;
    expect(wholeText(request ?? expect.fail("no request"))).toContain(
      `Active implementation: ${TITLE} (${PLAN}). Progress: ${PROGRESS}`,
    );
  });

  it("is told the progress after /clear", async () => {
    await plan("start", PLAN);
    const outcome = await run({
      messages: ["hello", "/clear", "where were we?"],
      script: { main: ["Hello.", "Here."] },
    });
    const texts = outcome.requests.map(wholeText);
    expect(texts[0]).toContain("hello");
    expect(texts[0]).not.toContain("Active implementation");
    const after = texts.find((text) => text.includes("where were we?")) ?? expect.fail("never asked");
    expect(after).toContain(`Progress: ${PROGRESS}`);
    expect(after).not.toContain("hello");
  });

  it("is told nothing when it starts afresh", async () => {
    await plan("start", PLAN);
    const outcome = await run({ script: { main: ["Hello."] } });
    expect(wholeText(outcome.requests[0] ?? expect.fail("no request"))).not.toContain("Active implementation");
  });
});

describe("a compaction", () => {
  const preserved = `Plan: ${TITLE} (${PLAN}). Slug: login. Team: implement-login. Progress: ${PROGRESS}`;

  it("that was asked for keeps the plan's facts", async () => {
    await plan("start", PLAN);
    const outcome = await run({
      // One such turn is too short a history to compact.
      messages: ["hello", "hello again", "/compact", "and now?"],
      script: { main: ["Hello.", "Hello again.", "Now."], compaction: "Summary: nothing." },
    });
    const asked = outcome.model.requests.find(({ purpose }) => purpose.kind === "compaction");
    expect(wholeText(asked ?? expect.fail("no compaction"))).toContain(`preserve this across compaction. ${preserved}`);
    const after =
      outcome.requests.map(wholeText).find((text) => text.includes("and now?")) ?? expect.fail("never asked");
    expect(after).toContain(`preserved across compaction. ${preserved}`);
  });

  it("that came by itself keeps the plan's facts", async () => {
    await plan("start", PLAN);
    const large: Turn = { say: { tool: "Bash", input: { command: "true" } }, inputTokens: 95_000 };
    const outcome = await run({
      // One such turn is too short a history to compact.
      script: { main: [large, large, "Done.", "Done again."], compaction: "Summary: nothing." },
      env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "100000" },
    });
    const isCompaction = outcome.model.requests.map(({ purpose }) => purpose.kind === "compaction");
    const at = isCompaction.lastIndexOf(true);
    expect(wholeText(outcome.model.requests[at] ?? expect.fail("no compaction"))).toContain(preserved);
    const next = outcome.model.requests.slice(at + 1).find(({ purpose }) => purpose.kind === "turn");
    expect(wholeText(next ?? expect.fail("nothing after it"))).toContain(`preserved across compaction. ${preserved}`);
  });
});

describe("scopes", () => {
  it("deny a subagent's edit outside, and let the same one pass inside", async () => {
    await plan("start", PLAN);
    write(".claude/project.yml", "");
    write(".claude/hooks/scopes/implement-login.json", JSON.stringify({ "general-purpose": ["src/api"] }));
    const web = write("src/web/page.ts", "old\n");
    const api = write("src/api/page.ts", "old\n");
    const edit = (id: string, file: string): Turn => ({
      tool: "Edit",
      id,
      input: { file_path: file, old_string: "old", new_string: "new" },
    });
    const prompt = `${queueMarker("coder")} Change it.`;
    const input = { description: "x", prompt, subagent_type: "general-purpose", run_in_background: false };
    const outcome = await run({
      script: {
        main: [{ tool: "Agent", input }, "Back."],
        queues: {
          coder: [
            [
              { tool: "Read", input: { file_path: web } },
              { tool: "Read", input: { file_path: api } },
            ],
            edit("toolu_web", web),
            { tool: "Bash", id: "toolu_sh", input: { command: "echo new > src/web/page.ts" } },
            edit("toolu_api", api),
            "Changed.",
          ],
        },
      },
    });
    const asked = outcome.model.conversation("coder");
    const denied = toolResult(asked, "toolu_web");
    expect(denied.isError).toBe(true);
    expect(denied.text).toContain("src/web/page.ts is outside the scope of general-purpose");
    expect(toolResult(asked, "toolu_sh").isError).toBe(true);
    expect(toolResult(asked, "toolu_api").isError).toBe(false);
    expect(readFileSync(web, "utf8")).toBe("old\n");
    expect(readFileSync(api, "utf8")).toBe("new\n");
  });
});

describe("beside an installation in the settings", () => {
  it.each([
    { name: "with the same profile", profile: "safety,plan", rows: 1 },
    { name: "with other profiles", profile: "safety,ntm", rows: 2 },
  ])("$name, everything is said once", async ({ profile, rows }) => {
    await hookwright(scratch, ["init", "--yes", "--scope", "user", "--profile", profile]);
    await plan("start", PLAN);
    const outcome = await run({ script: { main: [WORK, "All done.", "Really done."], whenExhausted: "Too far." } });
    expect(outcome.requests).toHaveLength(3);
    const blocks = outcome.hookResponses.filter(({ stdout }) => stdout.includes("2 tasks still incomplete"));
    expect(blocks.filter(({ stdout }) => stdout.includes('"decision":"block"'))).toHaveLength(1);
    expect(newText(outcome.requests[2] ?? expect.fail("not held"))).toContain("2 tasks still incomplete");
    expect(noticesToThePerson(outcome, "Stop").join("\n").split("Stopping with").length - 1).toBe(1);
    const stops = (await journal(scratch, "--session", outcome.result.session_id)).filter(
      (entry) => entry.event === "turn.stop",
    );
    expect(stops).toHaveLength(2 * rows);
  });
});

describe("the agent that verifies", () => {
  // A request of its own kind, because it has to answer through a tool.
  const verdict = (ok: boolean, reason?: string): Turn => ({ tool: "StructuredOutput", input: { ok, reason } });

  it("refuses a completion with its own reason, and accepts another", async () => {
    write(".claude/project.yml", "hooks: { task_verification: agent }\n");
    scratch.write(scratch.userSettings, JSON.stringify({ enabledPlugins: { "hookwright-verify@hookwright": true } }));
    await plan("start", PLAN);
    write("src/form.ts", "x");
    await git("add", "src");
    await git("commit", "--quiet", "-m", "form");
    const complete = (id: string): Turn => ({ tool: "TaskUpdate", id, input: { taskId: "1", status: "completed" } });
    const outcome = await run(
      {
        script: {
          main: [
            { tool: "TaskCreate", input: { subject: "Task 2: Build the form", description: PLAN } },
            complete("toolu_first"),
            complete("toolu_second"),
            { tool: "TaskList", id: "toolu_after", input: {} },
            "Done.",
          ],
          queues: { structured: [verdict(false, "src/form.ts has no form in it"), verdict(true)] },
        },
      },
      "--plugin-dir",
      join(plugin, "verify"),
    );
    expect(outcome.model.conversation("structured")).toHaveLength(2);
    expect(toolResult(outcome.requests, "toolu_first").text).toContain("src/form.ts has no form in it");
    expect(toolResult(outcome.requests, "toolu_second").text).not.toContain("no form");
    expect(toolResult(outcome.requests, "toolu_after").text).toContain("completed");
  });
});

describe("what cannot be read", () => {
  it.each([
    ["a plan that is gone", { active_plan: "docs/gone.md" }, "is missing or cannot be read"],
    ["a plan outside the project", { active_plan: "../elsewhere.md" }, "is not inside"],
    ["a state that names none", { slug: "x" }, "names no plan"],
  ])("%s stops nobody, and the person is told once", async (_name, state, text) => {
    write(".claude/orchestrator-state.json", JSON.stringify(state));
    const outcome = await run({ script: { main: ["Done."] } });
    expect(outcome.requests).toHaveLength(1);
    const notices = ["SessionStart", "UserPromptSubmit", "Stop"].flatMap((event) => noticesToThePerson(outcome, event));
    expect(notices.join("\n").split(text).length - 1).toBe(1);
    expect(existsSync(join(scratch.project, ".claude/orchestrator-state.json"))).toBe(true);
  });
});
