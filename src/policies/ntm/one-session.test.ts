import { expect, it } from "vitest";
import type { AnyEvent } from "../../core/event.ts";
import { ntmSucceeded, RUNTIME, runtime } from "../../domain/ntm/ntm.samples.ts";
import { mirrorOf } from "../../state/exported-files.ts";
import { shell } from "../../testing/events.ts";
import { createSandbox, type SandboxOptions } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./one-session.ts";

const active = runtime({ "active-session.json": { session: "a" } });
const spawn = (name: string) => shell(`ntm --robot-spawn=${name} --spawn-cc=2`);

testPolicy(policy, {
  hit: [
    { name: "no name", event: shell("ntm --robot-spawn"), says: "deny", message: "unnamed" },
    { name: "an empty name", event: shell("ntm --robot-spawn= "), says: "deny", message: "unnamed" },
    {
      name: "another session is alive",
      event: spawn("b"),
      ...active,
      tmux: ["a"],
      says: "deny",
      message: "another",
      text: "`a`",
    },
    {
      name: "a session spawned earlier is alive",
      after: [ntmSucceeded("ntm --robot-spawn=a")],
      event: spawn("b"),
      ...runtime(),
      tmux: ["a"],
      says: "deny",
      message: "another",
    },
    {
      name: "two different ones on one line",
      event: shell("ntm --robot-spawn=a && ntm --robot-spawn=b"),
      ...active,
      tmux: ["a"],
      says: "deny",
      message: "another",
    },
  ],
  pass: [
    { name: "the first session", event: spawn("a"), ...runtime() },
    { name: "the same name again", event: spawn("a"), ...active, tmux: ["a"] },
    { name: "the other session has ended", event: spawn("b"), ...active, tmux: [] },
    { name: "a broken index", event: spawn("b"), ...runtime({ "active-session.json": 5 }), tmux: ["a"] },
    { name: "tmux cannot be asked", event: spawn("b"), ...active, tmux: "missing" },
    { name: "not a spawn", event: shell("ntm --robot-status=b"), ...active, tmux: ["a"] },
  ],
});

async function marks(options: SandboxOptions, ...events: AnyEvent[]): Promise<Record<string, unknown>> {
  const sandbox = createSandbox([policy], options);
  for (const event of events) await sandbox.send(event);
  const read = (name: string): unknown => JSON.parse(mirrorOf(sandbox.db, `${RUNTIME}/${name}`)?.content ?? "null");
  const found = { active: read("active-session.json"), a: read("a/state.json"), b: read("b/state.json") };
  sandbox.close();
  return found;
}

it("remembers a spawn once it has succeeded, with time and process", async () => {
  const { active, a } = await marks(
    { ...runtime(), env: { ...runtime().env, CLAUDE_PID: "77" } },
    ntmSucceeded("ntm --robot-spawn=a"),
  );
  expect(active).toEqual({ session: "a" });
  expect(a).toEqual({ session: "a", spawned_at: "2026-01-02T03:04:05.000Z", pid: 77 });
});

it.each([
  "ntm --robot-spawn=a || true",
  "ntm --robot-spawn=a; true",
  "ntm --robot-spawn=a | tee log",
  "ntm --robot-spawn=a &",
])("remembers nothing when success cannot be told: %s", async (line) => {
  expect((await marks(runtime(), ntmSucceeded(line))).active).toBeNull();
});

it.each(["ntm --robot-status=a", "ntm --robot-spawn"])(
  "remembers nothing of a call that names no spawn: %s",
  async (line) => {
    expect((await marks(runtime(), ntmSucceeded(line))).active).toBeNull();
  },
);

it("remembers nothing before the call has run, unless told to", async () => {
  expect((await marks(runtime(), spawn("a"))).active).toBeNull();
  expect((await marks({ ...runtime(), options: { markOn: "pre" } }, spawn("a"))).active).toEqual({ session: "a" });
});

it("forgets the state of a session that a new one replaces", async () => {
  const found = await marks(runtime(), ntmSucceeded("ntm --robot-spawn=a"), ntmSucceeded("ntm --robot-spawn=b"));
  expect(found).toMatchObject({ active: { session: "b" }, a: null, b: { session: "b" } });
});
