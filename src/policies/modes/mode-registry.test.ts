import { describe, expect, it } from "vitest";
import { sessionFile } from "../../domain/mode/files/exports.ts";
import { aRun, runsIn, withRuns } from "../../domain/mode/mode.samples.ts";
import type { ModeRun } from "../../domain/mode/mode-run.ts";
import { mirrorOf } from "../../state/exported-files.ts";
import { PROJECT, prompt, SESSION, shell, stop, toolBefore } from "../../testing/events.ts";
import { FAKE_NOW } from "../../testing/fake-ports.ts";
import { createSandbox } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./mode-registry.ts";

const denied = { says: "deny", message: "persons" } as const;
const skill = (name: string, args = "") => toolBefore("Skill", { skill: name, args });
const on = withRuns(aRun("ultrawork"));
const resting = withRuns(aRun("ultrawork", { status: "paused", why: "its 50 rounds are used up" }));
const untold = {
  seed: (db: Parameters<typeof runsIn>[0]): void =>
    runsIn(db).setUntold(SESSION, ["ultrawork was cancelled: X was removed."]),
};

testPolicy(policy, {
  hit: [
    {
      name: "the model starts a mode by our command",
      event: shell("hookwright mode start ralph fix it"),
      ...denied,
      text: "ralph is not on",
    },
    { name: "by the path of our program", event: shell("node bin/hookwright.mjs mode start ralph x"), ...denied },
    {
      name: "in a part of a line",
      event: shell("cd x && hookwright mode start autopilot x"),
      ...denied,
      text: "autopilot is not on",
    },
    { name: "the model resumes a mode", event: shell("hookwright mode resume"), ...denied },
    {
      name: "with options before the action",
      event: shell("hookwright mode --session s1 --json start ralph x"),
      ...denied,
    },
    {
      name: "through a launcher",
      event: shell("npx hookwright@1 mode start ralph x"),
      ...denied,
      text: "ralph is not on",
    },
    { name: "in another shell", event: shell('bash -c "hookwright mode start ralph x"'), ...denied },
    { name: "an action that nobody knows yet", event: shell('hookwright mode "$(cat action)" ralph'), ...denied },
    {
      name: "a mode whose rounds are used up is resumed",
      event: shell("hookwright mode resume ultrawork --rounds 900"),
      ...resting,
      ...denied,
    },
    { name: "or started anew", event: shell("hookwright mode start ultrawork x"), ...resting, ...denied },
    { name: "another mode than the one that is on", event: shell("hookwright mode start ralph x"), ...on, ...denied },
    { name: "by its skill", event: skill("omc:ralph", "fix it"), ...denied },
    { name: "by the skill of a person", event: skill("ultrawork"), ...denied },
    { name: "by the skill of oh-my-claudecode", event: skill("oh-my-claudecode:autopilot"), ...denied },
    {
      name: "in a subagent",
      event: toolBefore("Skill", { skill: "omc:ralph" }, { agent_id: "a", agent_type: "x" }),
      ...denied,
    },
    {
      name: "a change of a state file is told at the next prompt",
      event: prompt("go on"),
      ...untold,
      says: "notice",
      message: "changed",
    },
    {
      name: "or at the next stop",
      event: stop(),
      ...untold,
      says: "notice",
      message: "changed",
      text: "X was removed",
    },
  ],
  pass: [
    { name: "the status", event: shell("hookwright mode status") },
    { name: "a cancellation", event: shell("hookwright mode cancel --all") },
    { name: "the help", event: shell("hookwright mode --help") },
    { name: "the help of an action", event: shell("hookwright mode start --help") },
    { name: "a session called like an action", event: shell("hookwright mode --session start status") },
    { name: "another of our commands", event: shell("hookwright swarm init") },
    { name: "an action that nobody knows yet, while a mode is on", event: shell("hookwright mode $ACTION"), ...on },
    { name: "words about it", event: shell("echo hookwright mode start ralph") },
    { name: "a skill of another kind", event: skill("review") },
    { name: "the skill of a mode that is on", event: skill("omc:ultrawork"), ...on },
    { name: "the skill that cancels", event: skill("omc:cancel") },
    { name: "the skill that lists", event: skill("omc:modes") },
    { name: "the start of a mode that is on", event: shell("hookwright mode start ultrawork x"), ...on },
    { name: "anyone may start", event: skill("omc:ralph"), options: { startedBy: "anyone" } },
    { name: "a change is told once", event: stop(), after: [prompt("go on")], ...untold },
    { name: "a prompt without a change", event: prompt("go on"), ...on },
  ],
});

describe("a run", () => {
  const statusAfter = async (event: ReturnType<typeof prompt>, ...runs: readonly ModeRun[]) => {
    const sandbox = createSandbox([policy], withRuns(...runs));
    await sandbox.send(event);
    const run = runsIn(sandbox.db).get(SESSION, "ultrawork");
    sandbox.close();
    return run;
  };
  const waiting = aRun("ultrawork", { status: "waiting", why: "which?" });

  it("that waits for an answer goes on with the next prompt of the person", async () => {
    expect(await statusAfter(prompt("the second one"), waiting)).toMatchObject({
      status: "active",
      why: "",
      seenAt: FAKE_NOW,
    });
  });

  it("goes on waiting after a prompt of blanks", async () => {
    expect(await statusAfter(prompt(" \n"), waiting)).toMatchObject({ status: "waiting", why: "which?" });
  });

  it("goes on waiting after a prompt that a machine wrote", async () => {
    expect(await statusAfter(prompt("<task-notification>done</task-notification>"), waiting)).toMatchObject({
      status: "waiting",
    });
  });

  it("that is paused stays so", async () => {
    expect(await statusAfter(prompt("hello"), aRun("ultrawork", { status: "paused" }))).toMatchObject({
      status: "paused",
    });
  });

  it("is noted as seen by a call, at most twice an hour", async () => {
    const late = aRun("ultrawork", { seenAt: FAKE_NOW - 31 * 60_000 });
    expect(await statusAfter(shell("ls"), late)).toMatchObject({ seenAt: FAKE_NOW });
    expect(await statusAfter(shell("ls"), aRun("ultrawork"))).toMatchObject({ seenAt: FAKE_NOW - 60_000 });
  });
});

describe("the state file of a run", () => {
  const file = sessionFile(PROJECT, SESSION, "ultrawork") ?? "";
  async function afterChange(change: string | undefined) {
    const files: Record<string, string> = {};
    const sandbox = createSandbox([policy], {
      ...withRuns(aRun("ultrawork", { seenAt: FAKE_NOW - 31 * 60_000 })),
      files,
    });
    await sandbox.send(shell("ls"));
    const exported = mirrorOf(sandbox.db, file)?.content ?? expect.fail("not exported");
    // As it is once the files were written.
    for (const { path, content } of sandbox.db.all("SELECT path, content FROM mirrors")) {
      files[String(path)] = String(content);
      const stamp = `content ${JSON.stringify(content)}`;
      sandbox.db.run("UPDATE mirrors SET is_written = 1, stamp = ? WHERE path = ?", stamp, path ?? "");
    }
    delete files[file];
    if (change !== undefined) files[file] = change;
    const { ruling } = await sandbox.send(prompt("go on"));
    const store = runsIn(sandbox.db);
    const result = {
      run: store.get(SESSION, "ultrawork"),
      notices: ruling.notices.map(({ text }) => text),
      ended: store.history(),
    };
    sandbox.close();
    return { ...result, exported: JSON.parse(exported) as Record<string, unknown> };
  }

  it("has the fields that other programs read", async () => {
    const { exported } = await afterChange(undefined);
    expect(exported).toMatchObject({
      active: true,
      session_id: SESSION,
      original_prompt: "fix the login",
      project_path: PROJECT,
      reinforcement_count: 0,
      started_at: new Date(FAKE_NOW - 60_000).toISOString(),
    });
  });

  it.each([
    ["removed", undefined, "was removed"],
    ["set to inactive", '{"active": false}', "is not active"],
  ])("that was %s cancels the run, and the person is told", async (_what, change, text) => {
    const { run, notices, ended } = await afterChange(change);
    expect(run).toBeUndefined();
    expect(ended).toMatchObject([{ mode: "ultrawork", outcome: "cancelled" }]);
    expect(notices.join()).toContain(text);
  });

  it("that names no session holds nobody", async () => {
    const { run } = await afterChange('{"active": true}');
    expect(run).toMatchObject({ status: "detached" });
  });

  it.each(['{"active": tru', "[]", ""])("that is broken (%s) is moved aside and named", async (change) => {
    const { run, notices } = await afterChange(change);
    expect(run).toMatchObject({ status: "active" });
    expect(notices.join()).toMatch(/could not be read. It was moved to .*corrupt/);
  });

  it.each(["../../evil", "a/b", ".", "", "a".repeat(300), "a\0b"])("is none for the session id `%s`", (session) => {
    expect(sessionFile(PROJECT, session, "ralph")).toBeUndefined();
  });
});
