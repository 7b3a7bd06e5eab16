/** Modes in the real client beside the profiles `plan` and `session`, with the hooks of the plugin and of the settings. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { bash, continuations, history, newProject, runWithModes, stateOf } from "./mode-session.ts";
import { newText, toolResult, wholeText } from "./model-requests.ts";
import { hookwright, noticesToThePerson } from "./product.ts";
import type { Scratch } from "./scratch.ts";

const PLAN = "docs/plans/2026-02-16-login-design.md";
const DIR = "sessions/2026_01_02_LOGIN";
const TABLE = [
  "# Login for everybody",
  "",
  "## Implementation Tasks",
  "",
  "| # | Task | Depends On | Status |",
  "|---|------|------------|--------|",
  "| 1 | Build the form | — | pending |",
  "",
].join("\n");

let scratch: Scratch;
beforeEach(async () => {
  scratch = await newProject();
  scratch.write(join(scratch.project, PLAN), TABLE);
  scratch.write(join(scratch.project, ".claude/project.yml"), "hooks:\n  stop_guard: true\n");
  await hookwright(scratch, ["init", "--yes", "--scope", "user", "--profile", "safety,plan,session,omc"]);
});
afterEach(() => scratch.dispose());

it("a mode waits for the gate, starts once, and is held in one text with the plan", async () => {
  const env = { SESSION_REQUIRED: "1" };
  const { requests, result, ...outcome } = await runWithModes(scratch, {
    prompt: "/ralph fix the login",
    env,
    script: {
      main: [
        bash("touch early", "toolu_early"),
        bash(`engine session activate ${DIR} implement < /dev/null`, "toolu_activate"),
        bash(`hookwright plan start ${PLAN}`, "toolu_plan"),
        "Half.",
        "NEEDS_INPUT: which database?",
      ],
    },
  });
  const [first, , early, activated] = requests;
  expect(requests).toHaveLength(5);
  expect(newText(first ?? expect.fail("no request"))).toContain(
    "ralph was asked for and starts as soon as a session is active",
  );
  expect(toolResult(requests, "toolu_early").isError).toBe(true);
  expect(existsSync(join(scratch.project, "early"))).toBe(false);
  expect(newText(early ?? expect.fail("not started"))).toContain("ralph is on for this request: fix the login");
  expect(wholeText(activated ?? expect.fail("no request")).split("ralph is on for this request").length - 1).toBe(1);
  expect(toolResult(requests, "toolu_plan").isError).toBe(false);
  const texts = continuations(requests);
  expect(texts).toHaveLength(1);
  const [text = ""] = texts;
  expect(text.indexOf("1 task still incomplete in 'Login for everybody'")).toBeGreaterThan(-1);
  expect(text.indexOf("ralph, round 1 of 100.")).toBeGreaterThan(text.indexOf("1 task still incomplete"));
  expect(stateOf(scratch, "ralph")).toMatchObject({ session_id: result.session_id, iteration: 1 });
  expect(noticesToThePerson({ requests, result, ...outcome }, "Stop").join("\n")).toContain(
    "ralph waits for your answer: which database?",
  );

  // The next prompt answers it, and a cancellation leaves what is not a mode's.
  const cancel = async (): Promise<void> => void (await hookwright(scratch, ["mode", "cancel"]));
  const second = await runWithModes(
    scratch,
    { prompt: "Postgres.", env, script: { main: ["More.", { say: "Enough.", before: cancel }] } },
    "--resume",
    result.session_id,
  );
  expect(continuations(second.requests)[0]).toContain("ralph, round 2 of 100.");
  expect(await history(scratch)).toEqual(["ralph: cancelled (2)", "ultrawork: cancelled (0)"]);
});
