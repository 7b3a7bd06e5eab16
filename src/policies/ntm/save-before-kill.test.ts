import { expect, it } from "vitest";
import type { AnyEvent } from "../../core/event.ts";
import { ntmSucceeded, RUNTIME, runtime, savedAgo } from "../../domain/ntm/ntm.samples.ts";
import { mirrorOf } from "../../state/exported-files.ts";
import { claudeEvent, shell } from "../../testing/events.ts";
import { createSandbox, type SandboxOptions } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./save-before-kill.ts";

const unsaved = { says: "deny", message: "unsaved" } as const;
const kill = shell("ntm kill fleet --force");
const saved = (minutes: number, more = {}) =>
  runtime({ "fleet/saved.json": { ...savedAgo("fleet", minutes), ...more } });

testPolicy(policy, {
  hit: [
    { name: "never saved", event: kill, ...runtime(), ...unsaved, text: "ntm save fleet -o" },
    { name: "saved too long ago", event: kill, ...saved(61), ...unsaved },
    { name: "a save that was not tried", event: kill, ...saved(5, { save_attempted: false }), ...unsaved },
    { name: "a save from the future", event: kill, ...saved(-30), ...unsaved },
    { name: "a broken marker", event: kill, ...runtime({ "fleet/saved.json": 7 }), ...unsaved },
    { name: "another session was saved", event: shell("ntm kill other"), ...saved(1), ...unsaved },
    { name: "saved on the same line", event: shell("ntm save fleet; ntm kill fleet"), ...runtime(), ...unsaved },
    {
      name: "saved on the same line, joined",
      event: shell("ntm save fleet && ntm kill fleet"),
      ...runtime(),
      ...unsaved,
    },
    {
      name: "the option before the session",
      event: shell("ntm kill --force fleet"),
      ...runtime(),
      ...unsaved,
      text: "`fleet`",
    },
    { name: "one of two", event: shell("ntm kill fleet; ntm kill other"), ...saved(1), ...unsaved, text: "`other`" },
    { name: "behind a wrapper", event: shell("timeout 10 ntm kill fleet"), ...runtime(), ...unsaved },
    {
      name: "the save may have failed",
      after: [ntmSucceeded("ntm save fleet || true")],
      event: kill,
      ...runtime(),
      ...unsaved,
    },
    {
      name: "the save's success is hidden",
      after: [ntmSucceeded("ntm save fleet; true")],
      event: kill,
      ...runtime(),
      ...unsaved,
    },
    {
      name: "the save went into a pipe",
      after: [ntmSucceeded("ntm save fleet | tee log")],
      event: kill,
      ...runtime(),
      ...unsaved,
    },
    { name: "the save was only asked for", after: [shell("ntm save fleet")], event: kill, ...runtime(), ...unsaved },
    {
      name: "the save failed",
      after: [
        claudeEvent({
          hook_event_name: "PostToolUseFailure",
          tool_name: "Bash",
          tool_input: { command: "ntm save fleet" },
          tool_use_id: "f",
          error: "Exit code 1",
        }),
      ],
      event: kill,
      ...runtime(),
      ...unsaved,
    },
    {
      name: "killed once already",
      after: [ntmSucceeded("ntm save fleet"), ntmSucceeded("ntm kill fleet")],
      event: kill,
      ...runtime(),
      ...unsaved,
    },
    {
      name: "a name that needs quoting",
      event: shell("ntm kill 'a b'"),
      ...runtime(),
      ...unsaved,
      text: "ntm save 'a b' -o",
    },
    { name: "a shorter validity", event: kill, ...saved(10), options: { minutes: 5 }, ...unsaved },
    { name: "no session", event: shell("ntm kill --force"), ...runtime(), says: "deny", message: "unnamed" },
    {
      name: "a session that cannot be known",
      event: shell('ntm kill "$S"'),
      ...saved(1),
      says: "deny",
      message: "unnamed",
    },
  ],
  pass: [
    { name: "saved just now", after: [ntmSucceeded("ntm save fleet -o ./outputs")], event: kill, ...runtime() },
    {
      name: "saved as the last of a chain",
      after: [ntmSucceeded("mkdir -p out && ntm save fleet -o out")],
      event: kill,
      ...runtime(),
    },
    { name: "saved an hour ago", event: kill, ...saved(60) },
    { name: "saved a minute ahead, as clocks differ", event: kill, ...saved(-1) },
    { name: "saved by another program", event: kill, ...saved(3) },
    {
      name: "allowed counts as saved when so configured",
      after: [shell("ntm save fleet")],
      event: kill,
      ...runtime(),
      options: { markOn: "pre" },
    },
    { name: "no kill", event: shell("ntm save fleet"), ...runtime() },
    { name: "the word in a text", event: shell("echo ntm kill fleet"), ...runtime() },
    { name: "another program's kill", event: shell("tmux kill-session -t fleet"), ...runtime() },
    { name: "inside a worker", event: kill, ...runtime(), env: { ...runtime().env, HOOKWRIGHT_FLEET_WORKER: "1" } },
  ],
});

async function files(options: SandboxOptions, ...events: AnyEvent[]): Promise<(string | undefined)[]> {
  const sandbox = createSandbox([policy], options);
  for (const event of events) await sandbox.send(event);
  const names = ["fleet/saved.json", "fleet/state.json", "fleet/hook-last-poll.json", "active-session.json"];
  const found = names
    .map((name) => mirrorOf(sandbox.db, `${RUNTIME}/${name}`))
    .map((one) => (one ? (one.content ?? "removed") : undefined));
  sandbox.close();
  return found;
}

it("writes the marker that other programs know", async () => {
  const [marker = ""] = await files(runtime(), ntmSucceeded("ntm save fleet -o ./outputs"));
  expect(JSON.parse(marker)).toEqual({
    session: "fleet",
    saved_at: "2026-01-02T03:04:05.000Z",
    save_attempted: true,
    save_succeeded: true,
    command: "ntm save fleet -o ./outputs",
  });
});

it("cleans up after a kill that succeeded, and only then", async () => {
  const world = runtime({ "active-session.json": { session: "fleet" } });
  expect(await files(world, ntmSucceeded("ntm kill fleet"))).toEqual(["removed", "removed", "removed", "removed"]);
  expect(await files(world, ntmSucceeded("ntm kill fleet || true"))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  const other = runtime({ "active-session.json": { session: "other" } });
  expect(await files(other, ntmSucceeded("ntm kill fleet"))).toEqual(["removed", "removed", "removed", undefined]);
});
