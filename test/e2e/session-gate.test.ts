/** The session gate where the agent's PATH has no `engine`: what opens it is the command that the gate itself names. */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { NO_PERMISSION_CHECKS, runClaude } from "./client.ts";
import { newText, toolResult } from "./model-requests.ts";
import type { Turn } from "./model-script.ts";
import { hookwright, noticesToThePerson } from "./product.ts";
import { Scratch } from "./scratch.ts";

const DIR = "sessions/2026_01_02_LOGIN";

let scratch: Scratch;
let run: Pick<Parameters<typeof runClaude>[1], "args" | "env">;
beforeEach(async () => {
  scratch = new Scratch();
  await scratch.run("git", ["init", "--quiet"]);
  await hookwright(scratch, ["init", "--yes", "--scope", "user", "--profile", "session"]);
  // Without the folder in which other tests find `engine` and `hookwright` by name.
  const PATH = [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":");
  run = { args: NO_PERMISSION_CHECKS.args, env: { ...NO_PERMISSION_CHECKS.env, SESSION_REQUIRED: "1", PATH } };
});
afterEach(() => scratch.dispose());

const bash = (id: string, command: string): Turn => ({ tool: "Bash", id, input: { command } });
const inProject = (name: string): string => join(scratch.project, name);

it("is opened with exactly the command that the denial names", async () => {
  scratch.write(inProject(".claude/skills/fix/SKILL.md"), "---\nname: fix\ndescription: Fixes.\n---\nFix it.\n");
  let command = "";
  const outcome = await runClaude(scratch, {
    prompt: "build it",
    script: {
      main: [
        bash("toolu_path", "engine session find"),
        bash("toolu_early", "touch early"),
        {
          say: (requests) => {
            const denied = toolResult(requests, "toolu_early").text;
            const named = /`(\/[^`]+ session activate) sessions\/YYYY_MM_DD_TOPIC SKILL`/.exec(denied)?.[1];
            command = `${named} ${DIR} fix < /dev/null`;
            return { tool: "Bash", id: "toolu_activate", input: { command } };
          },
        },
        bash("toolu_then", "touch then"),
        "Built.",
      ],
    },
    ...run,
  });
  // Sent without a word by the gate, and unknown to the shell: this is what would have locked the agent out.
  expect(toolResult(outcome.requests, "toolu_path").text).toMatch(/engine: (?:command )?not found/);
  const refused = toolResult(outcome.requests, "toolu_early");
  expect(refused.isError).toBe(true);
  expect(refused.text).toContain("(installed: /fix)");
  expect(refused.text).toContain("(with AskUserQuestion if you have that tool)");
  expect(existsSync(inProject("early"))).toBe(false);
  expect(command.startsWith(scratch.hookwrightHome)).toBe(true);
  expect(newText(outcome.requests[0] ?? expect.fail("no request"))).toContain(command.split(" ")[0]);
  expect(toolResult(outcome.requests, "toolu_activate")).toMatchObject({ isError: false });
  expect(toolResult(outcome.requests, "toolu_activate").text).toContain("Session 2026_01_02_LOGIN is active");
  expect(toolResult(outcome.requests, "toolu_then").isError).toBe(false);
  expect(existsSync(inProject("then"))).toBe(true);
  const state = JSON.parse(readFileSync(inProject(`${DIR}/.state.json`), "utf8")) as Record<string, unknown>;
  expect(state).toMatchObject({ lifecycle: "active", skill: "fix", sessionId: outcome.result.session_id });
});

it("holds nothing back when nothing could open it, and the person is told", async () => {
  const versions = join(scratch.hookwrightHome, "versions");
  for (const version of readdirSync(versions)) rmSync(join(versions, version, "engine"), { force: true });
  const outcome = await runClaude(scratch, {
    prompt: "build it",
    script: { main: [bash("toolu_work", "touch work"), "Built."] },
    ...run,
  });
  expect(toolResult(outcome.requests, "toolu_work").isError).toBe(false);
  expect(existsSync(inProject("work"))).toBe(true);
  expect(noticesToThePerson(outcome, "SessionStart").join("\n")).toContain(
    "A session is required here, but none can be started",
  );
  const doctor = await scratch.hookwright(["doctor", "--json"], run);
  expect(doctor.exitCode).toBe(1);
  const { findings } = JSON.parse(doctor.stdout) as { findings: { name: string; level: string; detail: string }[] };
  expect(findings.find(({ name }) => name === "engine")).toMatchObject({
    level: "problem",
    detail: expect.stringContaining("no session can be begun and the gate holds nothing back"),
  });
});
