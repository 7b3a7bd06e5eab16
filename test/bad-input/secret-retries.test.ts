/** A retry gets the bytes of the first answer, also where these hold a secret that must not lie in the database. */
import path from "node:path";
import { describe, expect } from "vitest";
import { forbiddenWrite, toolCall } from "../support/events.ts";
import { journal, rowCount, storedBytes } from "../support/records.ts";
import { AVAILABLE } from "../support/routes.ts";
import { test, trustPolicy } from "../support/surroundings.ts";

const SECRET = "ghp_R3tryR3tryR3tryR3tryR3try";
/** Long, so that on a busy machine the policy's worker is not late. */
const ARGS = ["--reply", "json", "--deadline-ms", "20000"];
/** Another answer every time it is asked, so that only what was kept can give the same bytes again. */
const REWRITES = `(event, ctx) => ctx.rewrite("fyi", { command: event.tool.input.command + " # " + Math.random() })`;

describe.concurrent("the answer to a retry", () => {
  test.for(AVAILABLE)("a rewritten input is the same, secret and all, $name", async (route, { makeWorld }) => {
    const world = makeWorld();
    trustPolicy(world, "rewrites", REWRITES);
    if (route.daemon) await world.startDaemon();
    const event = toolCall(world, "call-1", "Bash", { command: `curl -H "token: ${SECRET}" http://localhost` });
    const first = await world.send(event, route, { args: ARGS });
    expect(JSON.parse(first.stdout).hookSpecificOutput.updatedInput.command).toContain(`token: ${SECRET}" `);
    // Also from the other side: whoever answers the retry has not answered the call before.
    for (const daemon of [route.daemon, !route.daemon]) {
      const again = await world.send(event, { ...route, daemon }, { args: ARGS });
      expect([again.exit, again.stdout]).toEqual([first.exit, first.stdout]);
    }
    const [row] = journal(world);
    expect([rowCount(world), String(row?.reply).includes("[masked]")]).toEqual([1, true]);
    expect(storedBytes(world).includes(SECRET)).toBe(false);
    expect(storedBytes(world).includes(Buffer.from(SECRET).toString("base64").slice(0, 24))).toBe(false);
    // With another body it is another call, and the first one's answer is none of its business.
    const other = toolCall(world, "call-1", "Bash", { command: "true" });
    const answer = await world.send(other, route, { args: ARGS });
    expect(JSON.parse(answer.stdout).hookSpecificOutput.updatedInput.command).toMatch(/^true # /);
  });

  test.for(AVAILABLE)("a denial that names a secret path is the same, $name", async (route, { makeWorld }) => {
    const world = makeWorld();
    if (route.daemon) await world.startDaemon();
    const event = forbiddenWrite(world, "call-1");
    const denied = { ...event, tool_input: { file_path: path.join(world.project, ".git", SECRET), content: "" } };
    const answers = [await world.send(denied, route), await world.send(denied, route)];
    expect(answers[0]?.stderr).toContain(SECRET);
    expect(answers[1]).toMatchObject({ exit: 2, stdout: answers[0]?.stdout, stderr: answers[0]?.stderr });
    expect([rowCount(world), storedBytes(world).includes(SECRET)]).toEqual([1, false]);
  });

  test.for(AVAILABLE)("asked for in the other form it is told the other way, $name", async (route, { makeWorld }) => {
    const world = makeWorld();
    if (route.daemon) await world.startDaemon();
    const event = forbiddenWrite(world, "call-1");
    const byExit = await world.send(event, route);
    expect(byExit.exit).toBe(2);
    const byJson = await world.send(event, route, { args: ["--reply", "json"] });
    expect(byJson).toMatchObject({ exit: 0, stdout: byExit.stdout, stderr: "" });
    expect(rowCount(world)).toBe(1);
  });
});
