import { expect, it } from "vitest";
import { packsOf } from "../../core/settings/profiles.ts";
import { aRun, withRuns } from "../../domain/mode/mode.samples.ts";
import { failed, ran } from "../../domain/mode/ultraqa/ultraqa.samples.ts";
import { createSandbox } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./ultraqa-suggestion.ts";

const fails = failed("npm test");
const suggests = { says: "notice", message: "suggestion", text: "/ultraqa --goal tests" } as const;

testPolicy(policy, {
  hit: [
    { name: "npm test", event: fails, ...suggests },
    { name: "some of the tests", event: failed("npx vitest run src/a.test.ts"), ...suggests },
    { name: "pytest", event: failed("cd web && pytest -x"), ...suggests },
    { name: "cargo test", event: failed("cargo test login"), ...suggests },
    { name: "after another command failed", event: fails, after: [failed("npm run build")], ...suggests },
    { name: "after tests succeeded", event: fails, after: [ran("npm test")], ...suggests },
    {
      name: "in a second session",
      event: failed("npm test", "Exit code 1", { session_id: "b" }),
      after: [fails],
      ...suggests,
    },
    {
      name: "while another session has a mode",
      event: fails,
      ...withRuns(aRun("ralph", { session: "b" })),
      ...suggests,
    },
  ],
  pass: [
    { name: "the second failure", event: failed("npm test"), after: [fails] },
    { name: "a failure much later", event: failed("pytest"), after: [fails, ran("npm test"), failed("npm test")] },
    { name: "a success", event: ran("npm test") },
    { name: "another command", event: failed("npm run build") },
    { name: "another command beside it", event: failed("npm ci && npm test") },
    { name: "a test that a person interrupted", event: failed("npm test", "Exit code 130", { is_interrupt: true }) },
    { name: "only the words", event: failed("grep 'npm test' README.md") },
    { name: "a file named like it", event: failed("test -f package.json") },
    { name: "ultraqa is on", event: fails, ...withRuns(aRun("ultraqa")) },
    { name: "ralph is on", event: fails, ...withRuns(aRun("ralph")) },
    { name: "a paused mode", event: fails, ...withRuns(aRun("ralph", { status: "paused" })) },
  ],
});

it("is said only where the profile omc is on", () => {
  expect(packsOf(["safety", "ntm", "plan", "session", "teams"]).has("modes")).toBe(false);
  expect(packsOf(["omc"]).has("modes")).toBe(true);
});

it("writes only when it is said", async () => {
  const sandbox = createSandbox([policy]);
  try {
    const count = () => Number(sandbox.db.get("SELECT count(*) AS n FROM entries")?.n);
    for (const event of [ran("npm test"), failed("npm run build")]) await sandbox.send(event);
    expect(count()).toBe(0);
    for (const event of [fails, failed("npm test"), failed("pytest")]) await sandbox.send(event);
    expect(count()).toBe(1);
  } finally {
    sandbox.close();
  }
});
