/** A plan's task is completed through the model's shell: the real client, the real command line, the real git. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { NO_PERMISSION_CHECKS, runClaude } from "./client.ts";
import { toolResult } from "./model-requests.ts";
import type { Turn } from "./model-script.ts";
import { hookwright } from "./product.ts";
import { Scratch } from "./scratch.ts";

const PLAN = "docs/plans/login.md";
const COMMIT = "git -c user.name=x -c user.email=x@example.org commit --quiet -m form";

let scratch: Scratch;
beforeEach(async () => {
  scratch = new Scratch();
  await scratch.run("git", ["init", "--quiet"]);
  const rows = ["| # | Task | Depends On | Status |", "|---|---|---|---|", "| 1 | Build the form | — | in-progress |"];
  write(PLAN, ["# Login", "", "## Implementation Tasks", "", ...rows, ""].join("\n"));
  write(".claude/project.yml", "hooks:\n  task_verification: prompt\n");
  await hookwright(scratch, ["init", "--yes", "--scope", "user", "--profile", "safety,plan"]);
});
afterEach(() => scratch.dispose());

const write = (name: string, text: string): string => scratch.write(join(scratch.project, name), text);
const bash = (id: string, command: string): Turn => ({ tool: "Bash", id, input: { command } });
const document = (): string => readFileSync(join(scratch.project, PLAN), "utf8");

it("`plan task` and `plan finish` are refused without work, as a reported completion is, and accepted after it", async () => {
  // Made just before the start: no work of the plan.
  await scratch.run("sh", ["-c", `git add docs && ${COMMIT}`]);
  await hookwright(scratch, ["plan", "start", PLAN]);
  let between = "";
  const outcome = await runClaude(scratch, {
    prompt: "build it",
    script: {
      main: [
        { tool: "TaskCreate", input: { subject: "Build the form", description: PLAN } },
        { tool: "TaskUpdate", id: "toolu_reported", input: { taskId: "1", status: "completed" } },
        bash("toolu_early", "hookwright plan task 1 complete"),
        bash("toolu_again", "hookwright plan task 1 complete"),
        bash("toolu_unverified", "hookwright plan task 1 complete --unverified"),
        {
          ...{
            say: { tool: "Bash", id: "toolu_by_hand", input: { command: `sed -i s/in-progress/complete/ ${PLAN}` } },
          },
          before: () => {
            between = document();
          },
        },
        bash("toolu_finish_early", "hookwright plan finish"),
        bash("toolu_work", `echo x > form.ts && git add form.ts && ${COMMIT}`),
        bash("toolu_done", "hookwright plan task 1 complete"),
        bash("toolu_finish", "hookwright plan finish"),
        "Built.",
      ],
      whenExhausted: "Done.",
    },
    ...NO_PERMISSION_CHECKS,
  });
  const text = (id: string): string => toolResult(outcome.requests, id).text;
  const [reason = "nothing"] =
    /does not look complete\. There is no commit since .*?Correct this first\./.exec(text("toolu_reported")) ?? [];
  for (const id of ["toolu_early", "toolu_again", "toolu_finish_early"]) {
    expect(toolResult(outcome.requests, id).isError, id).toBe(true);
    expect(text(id)).toContain(`Task #1: Build the form ${reason}`);
  }
  expect(text("toolu_unverified")).toContain("may only be run by the person");
  expect(between).toContain("| in-progress |");
  expect(toolResult(outcome.requests, "toolu_work").isError).toBe(false);
  expect(toolResult(outcome.requests, "toolu_done")).toMatchObject({ isError: false });
  expect(text("toolu_finish")).toContain("Finished 'Login'");
  expect(document()).toContain("| complete |");
});
