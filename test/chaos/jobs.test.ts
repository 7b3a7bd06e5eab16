import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Event, prompt, toolCall } from "../support/events.ts";
import { jobsAreDone, query } from "../support/records.ts";
import { CLIENTS, isMissing, World } from "../support/world.ts";

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.dispose());

/** The first one of a day leaves the clean-up of the journal behind. */
function sessionStart(): Event {
  return { ...prompt(world, ""), hook_event_name: "SessionStart", source: "startup" };
}

function jobs() {
  return query(world, "SELECT name, tries, error, done_at IS NOT NULL AS done FROM jobs");
}

const DONE_ONCE = [{ name: "journal/prune", tries: 1, error: "", done: 1 }];

describe.each(CLIENTS)("work that an event leaves behind, %s client", (client) => {
  it.skipIf(isMissing(client))("is done by a process of its own when there is no daemon", async () => {
    expect((await world.send(sessionStart(), { client, daemon: false })).exit).toBe(0);
    await jobsAreDone(world);
    expect(jobs()).toEqual(DONE_ONCE);
  });

  it.skipIf(isMissing(client))("is done by the daemon", async () => {
    await world.startDaemon();
    expect((await world.send(sessionStart(), { client, daemon: true })).exit).toBe(0);
    await jobsAreDone(world);
    expect(jobs()).toEqual(DONE_ONCE);
  });

  it.skipIf(isMissing(client))("is not lost with the process that left it", async () => {
    world.allowCrashPoints();
    const env = { HOOKWRIGHT_CRASH_POINT: "after-reply" };
    const dying = world.begin(sessionStart(), { client, daemon: false }, { env });
    await dying.sees("stderr", /crash point after-reply reached/);
    dying.kill("SIGKILL");
    await dying.ended;
    expect(jobs()).toEqual([{ name: "journal/prune", tries: 0, error: "", done: 0 }]);
    await world.startDaemon();
    await jobsAreDone(world);
    expect(jobs()).toEqual(DONE_ONCE);
  });
});

describe("the note of a job", () => {
  const calls = (): number => {
    const file = path.join(world.root, "calls");
    return fs.existsSync(file) ? fs.readFileSync(file, "utf8").length : 0;
  };
  /** Both events of a call; what the agent is told after it. */
  const use = async (useId: string, tool: string): Promise<string> => {
    const input = { file_path: path.join(world.project, "a.ts"), old_string: "a", new_string: "b" };
    const route = { client: "node", daemon: true } as const;
    await world.send(toolCall(world, useId, tool, input), route);
    const ended = toolCall(world, useId, tool, input, "session-1", "PostToolUse");
    return (await world.send({ ...ended, tool_response: {} }, route)).stdout;
  };

  it("reaches the agent once, although the daemon was killed while the job ran", async () => {
    fs.mkdirSync(world.home, { mode: 0o700 });
    const config = "profiles: [omc]\npolicies: { detection/plugin-patterns: enforce }\n";
    fs.writeFileSync(path.join(world.home, "config.yml"), config);
    fs.writeFileSync(path.join(world.project, "a.ts"), "let a = 1\n");
    const tools = path.join(world.project, "node_modules/.bin");
    fs.mkdirSync(tools, { recursive: true });
    const wait = `while [ ! -e ${world.root}/go ]; do /bin/sleep 0.02; done`;
    const linter = `#!/bin/sh\nprintf . >> ${world.root}/calls\n${wait}\necho 'a is never used'\nexit 1\n`;
    fs.writeFileSync(path.join(tools, "eslint"), linter, { mode: 0o755 });

    const first = await world.startDaemon();
    expect(await use("toolu_edit", "Edit")).toBe("");
    await expect.poll(calls).toBe(1);
    first.kill("SIGKILL");
    await first.ended;
    await world.startDaemon();
    await expect.poll(calls, { timeout: 10_000 }).toBe(2);
    fs.writeFileSync(path.join(world.root, "go"), "");
    await jobsAreDone(world);

    expect(jobs()).toEqual([{ name: "code-tools/check", tries: 2, error: "", done: 1 }]);
    expect(await use("toolu_read", "Read")).toContain("eslint failed with exit code 1 for a.ts:\\na is never used");
    expect(await use("toolu_next", "Read")).toBe("");
  });
});
