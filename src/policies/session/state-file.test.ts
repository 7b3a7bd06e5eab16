import { describe, expect, it } from "vitest";
import { PID, STATE, WRAPPED, worldInSession } from "../../domain/session/session.samples.ts";
import { mirrorOf } from "../../state/exported-files.ts";
import { prompt, SESSION } from "../../testing/events.ts";
import { createSandbox } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./state-file.ts";

/** A session that was imported and exported, and whose file was then cut in half. */
async function broken() {
  const files: Record<string, string> = { [STATE]: JSON.stringify({ pid: PID, skill: "fix", lifecycle: "active" }) };
  const sandbox = createSandbox([policy], { env: WRAPPED, files });
  await sandbox.send(prompt("one"));
  sandbox.db.run("UPDATE mirrors SET is_written = 1, stamp = 'ours'");
  files[STATE] = '{"pid": 42';
  return sandbox;
}

describe("a state file that was broken", () => {
  it("is kept aside and written anew, and the person hears of it once", async () => {
    const sandbox = await broken();
    const told = await sandbox.send(prompt("two"));
    expect(told.ruling.notices).toHaveLength(1);
    expect(told.ruling.notices[0]?.text).toContain(`${STATE}.corrupt-`);
    expect(JSON.parse(mirrorOf(sandbox.db, STATE)?.content ?? "")).toMatchObject({ skill: "fix" });
    const aside = sandbox.db.all("SELECT content FROM mirrors WHERE path LIKE '%.corrupt-%'");
    expect(aside).toEqual([{ content: '{"pid": 42' }]);
    expect((await sandbox.send(prompt("three"))).ruling.notices).toEqual([]);
    sandbox.close();
  });
});

/** The file is complete at the first event and cut at every later one. */
function cutLater(): Record<string, string> {
  const whole = JSON.stringify({ pid: PID, sessionId: SESSION, lifecycle: "active" });
  let looks = 0;
  return Object.defineProperty({}, STATE, { enumerable: true, get: () => (looks++ < 2 ? whole : whole.slice(0, 9)) });
}

testPolicy(policy, {
  hit: [
    {
      name: "a file that was known and is cut",
      after: [prompt("one")],
      event: prompt("two"),
      env: WRAPPED,
      files: cutLater(),
      says: "notice",
      message: "repaired",
      text: STATE,
    },
  ],
  pass: [
    { name: "every file can be read", event: prompt("go"), ...worldInSession() },
    { name: "a file that was never known is not touched", event: prompt("go"), env: WRAPPED, files: { [STATE]: "{" } },
  ],
});
