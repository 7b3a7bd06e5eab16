/** A home on a disk that fills up under a daemon, or that may only be read from now on. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect } from "vitest";
import { forbiddenWrite, prompt } from "../support/events.ts";
import { noMount } from "../support/privileges.ts";
import { readReport, test, USABLE_CLIENTS } from "../support/surroundings.ts";
import { LAUNCHER, type World } from "../support/world.ts";

const NOT_RECORDED = "Hookwright decided, but could not record it: ";

const FILL = 'cat /dev/zero >>"$HOOKWRIGHT_HOME/fill" 2>/dev/null || true';

/** Each step leaves what it printed in a file of its name. */
type Step = { readonly name: string; readonly run: string };

/** In a mount namespace of its own, where the home is a disk of its own; returns what a step left. */
async function onOwnDisk(world: World, steps: readonly Step[]): Promise<(name: string) => string> {
  fs.mkdirSync(world.home, { mode: 0o700 });
  const file = (name: string): string => path.join(world.temporary, name);
  const script = [
    'set -u; mount -t tmpfs -o size=2m,mode=700 none "$HOOKWRIGHT_HOME" || exit 9',
    `hookwright() { '${process.execPath}' '${LAUNCHER}' "$@"; }`,
    ...steps.map(({ name, run }) => `{ ${run}; } >'${file(name)}' 2>&1; echo "exit $?" >>'${file(name)}'`),
    'hookwright daemon stop --json; ls "$XDG_RUNTIME_DIR"/hookwright-*',
  ].join("\n");
  const env = { PATH: process.env.PATH ?? "" };
  const done = await world.start(["unshare", "-rm", "sh", "-c", script], { env, limitMs: 60_000 }).ended;
  expect(done.stdout).toContain('{"running":false}');
  expect(done.stdout).not.toContain(".sock");
  return (name) => fs.readFileSync(file(name), "utf8");
}

function call(world: World, id: string, session = "session-1", payload = forbiddenWrite(world, id, session)): Step {
  const [client] = USABLE_CLIENTS;
  const event = path.join(world.temporary, `${id}.json`);
  fs.writeFileSync(event, JSON.stringify(payload));
  return { name: id, run: `${world.command({ client: client ?? "node", daemon: true }).join(" ")} <'${event}'` };
}

const doctor = (name: string): Step => ({ name, run: "hookwright doctor --json" });
const journal: Step = { name: "journal", run: "hookwright journal --json" };
const reportIn = (text: string) => readReport(text.split("\n").find((line) => line.startsWith("{")) ?? "");

describe.skipIf(noMount !== "").concurrent.each([
  [
    "a disk that fills up",
    FILL,
    // A database that is closed gives a little room back.
    FILL,
    'rm "$HOOKWRIGHT_HOME/fill"',
    /full/,
  ],
  [
    "a home that becomes read-only",
    // As long as a daemon has a file open for writing, nobody can do that to it.
    'hookwright daemon stop; mount -o remount,ro "$HOOKWRIGHT_HOME"',
    ":",
    'mount -o remount,rw "$HOOKWRIGHT_HOME"',
    /read-?only|unable to open/i,
  ],
] as const)("%s", (_, spoil, again, mend, why) => {
  test("calls are decided, that is said once, doctor knows, and later all is well", async ({ makeWorld }) => {
    const world = makeWorld();
    const left = await onOwnDisk(world, [
      { name: "start", run: "hookwright daemon start" },
      call(world, "before"),
      { name: "spoil", run: spoil },
      call(world, "first"),
      { name: "again", run: again },
      call(world, "second"),
      { name: "again", run: again },
      call(world, "other", "session-2"),
      { name: "again", run: again },
      doctor("doctor-then"),
      { name: "mend", run: mend },
      call(world, "after"),
      call(world, "later", "session-2"),
      // A session's stamp goes where the person would read of it.
      ...["session-1", "session-2"].map((one) => call(world, `prompt-${one}`, one, prompt(world, "go on", one))),
      doctor("doctor-now"),
      journal,
    ]);
    for (const id of ["before", "first", "second", "other", "after", "later"]) {
      expect(left(id), id).toContain("git's own storage");
      expect(left(id), id).toMatch(/exit 2\n$/);
    }
    const recorded = [...left("journal").matchAll(/"toolUseId":"([a-z]+)"/g)].map(([, id]) => id);
    expect(recorded.filter((id) => ["before", "after", "later"].includes(id ?? ""))).toEqual([
      "before",
      "after",
      "later",
    ]);
    // A full disk now and then has a little room after all, which a call may be recorded in.
    const lost = (...ids: string[]): string[] => ids.filter((id) => !recorded.includes(id));
    const said = (...ids: string[]): string[] => ids.filter((id) => left(id).includes(NOT_RECORDED));
    expect(said("before", "after", "later")).toEqual([]);
    expect(said("first", "second")).toEqual(lost("first", "second").slice(0, 1));
    expect(said("other")).toEqual(lost("other"));
    const [told = ""] = said("first", "second", "other");
    expect(left(told)).toMatch(why);
    const then = reportIn(left("doctor-then"));
    expect([then.state, then.says("not recorded")]).toEqual([
      "running",
      expect.stringMatching(/of (?:2 sessions|one session) could/),
    ]);
    expect(then.says("recording")).toMatch(/^problem: /);
    const now = reportIn(left("doctor-now"));
    expect(now.says("recording")).toMatch(/^ok: /);
    // What stands there is doctor's own trial, of which it could not be recorded either.
    expect(now.says("not recorded")).toMatch(/^nothing$|of one session/);
  });
});
