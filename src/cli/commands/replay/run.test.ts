import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RecordedWorld } from "../../../replay/replay.samples.ts";
import type { CommandContext } from "../../command.ts";
import { failing } from "../../installation/setup.samples.ts";
import { runReplay } from "./run.ts";

const FIXTURES = path.resolve(import.meta.dirname, "../../../../test/replay-fixtures");

let world: RecordedWorld;
let dist: string;
beforeEach(async () => {
  world = new RecordedWorld();
  dist = path.join(world.root, "dist");
  fs.mkdirSync(dist);
  fs.writeFileSync(path.join(dist, "build.json"), '{"version":"0","build":"test"}');
});
afterEach(() => world.close());

async function run(options: CommandContext["options"] = {}) {
  const [said, steps]: [string[], string[]] = [[], []];
  const env = { HOOKWRIGHT_HOME: world.home.root, HOME: world.userHome };
  const print = (text: string): void => void said.push(text);
  const context = { args: [], options, cwd: world.root, env, out: print, err: print };
  const code = await runReplay({ ...context, progress: (step) => void steps.push(step) }, { dist });
  return { code, text: said.join("\n"), steps };
}

async function work(): Promise<void> {
  await world.send({ hook_event_name: "SessionStart", source: "startup" });
  await world.shell("git push --force origin main");
  await world.shell("npm test");
  // The last call, because what the session remembers of it is not known any more.
  await world.call("Write", { file_path: path.join(world.project, "a.ts"), content: "x" });
}

describe("replay", () => {
  it("begins with how much could be replayed, and why the rest not", async () => {
    await work();
    const { code, text, steps } = await run();
    expect(text.split("\n")[0]).toMatch(
      /^Replayed 4 of 6 events \(66 %\)\. 2 not replayable, because their content was not kept \(2\)\.$/,
    );
    expect(text).toContain("Every answer would be the same.");
    expect(code).toBe(0);
    expect(steps[0]).toBe("Replaying event 1 of 6");
  });

  it("shows what would change by policy, with samples and what became of them", async () => {
    await work();
    const { code, text } = await run({ policy: ["safety/destructive-command=off"], "fail-on": "newly-denied" });
    expect(text).toMatch(/safety\/destructive-command +1 +1 stopped/);
    expect(text).toMatch(/newly allowed: Bash: git push --force origin main\n +entry 2 of .*; it was stopped/);
    expect(code).toBe(0);
  });

  it("prints a line for each difference and the summary last, as JSON", async () => {
    await work();
    const { text } = await run({ json: true, policy: ["safety/destructive-command=off"] });
    const lines = text.split("\n").map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { id: 2, change: "allowed", subject: "Bash: git push --force origin main", was: { ruling: "deny" } },
      {
        replayed: 4,
        undecidable: 0,
        notReplayable: 2,
        newlyDenied: 0,
        newlyAsked: 0,
        newlyAllowed: 1,
        changedContext: 0,
      },
    ]);
  });

  it("fails on what --fail-on names, and on nothing else", async () => {
    await work();
    const changed = { policy: ["safety/destructive-command=off"] };
    expect((await run({ ...changed, "fail-on": "newly-denied,newly-allowed" })).code).toBe(1);
    expect((await run({ ...changed, "fail-on": "newly-denied,undecidable" })).code).toBe(0);
    expect((await run({ "fail-on": "not-replayable" })).code).toBe(1);
  });

  it("has nothing to say where nothing is recorded", async () => {
    fs.rmSync(world.home.database, { force: true });
    expect((await run()).text).toBe("There are no events to replay.");
  });

  it.each<[CommandContext["options"], string]>([
    [{ since: "soon" }, "HW_USAGE"],
    [{ policy: ["safety/destructive-command"] }, "HW_USAGE"],
    [{ policy: ["safety/destructive-comand=off"] }, "HW_UNKNOWN_POLICY"],
    [{ profile: "safty" }, "HW_UNKNOWN_PROFILE"],
    [{ "fail-on": "newly" }, "HW_USAGE"],
    [{ transcripts: ".", fixtures: "." }, "HW_USAGE"],
    [{ config: "." }, "HW_USAGE"],
  ])("refuses %j", async (options, code) => {
    await failing(code as Parameters<typeof failing>[0], () => run(options));
  });

  it("refuses a configuration with a mistake instead of trying another one", async () => {
    fs.writeFileSync(path.join(world.root, "bad.yml"), "profile: [safety]\n");
    const error = await failing("HW_USAGE", () => run({ config: "bad.yml" }));
    expect(error.message).toContain("bad.yml");
  });
});

describe("fixtures", () => {
  it("keep the answers of the replay that saved them, of the selected session alone", async () => {
    await work();
    await world.shell("ls", { session_id: "s2" });
    const saved = await run({ "save-fixtures": "saved", session: "s1", policy: ["safety/destructive-command=off"] });
    expect(saved.text).toContain("Saved 6 events of 1 session in");
    expect(fs.readdirSync(path.join(world.root, "saved"))).toEqual(["s1.jsonl"]);
    const same = await run({ fixtures: "saved", json: true });
    expect(JSON.parse(same.text)).toMatchObject({ replayed: 4, newlyAllowed: 0, newlyDenied: 0, changedContext: 0 });
    const strict = await run({
      fixtures: "saved",
      policy: ["safety/destructive-command=enforce"],
      "fail-on": "newly-denied",
    });
    expect(strict.code).toBe(1);
  });

  it("that cannot be read are an error", async () => {
    fs.mkdirSync(path.join(world.root, "broken"));
    fs.writeFileSync(path.join(world.root, "broken", "a.jsonl"), '{"fixture":1}\nhalf');
    await failing("HW_FIXTURE_UNREADABLE", () => run({ fixtures: "broken" }));
    fs.writeFileSync(path.join(world.root, "broken", "a.jsonl"), '{"fixture":99}\n');
    await failing("HW_FIXTURE_UNREADABLE", () => run({ fixtures: "broken" }));
  });

  it("of this repository are answered as they were", async () => {
    const { code, text } = await run({
      fixtures: FIXTURES,
      json: true,
      "fail-on": "newly-denied,newly-asked,newly-allowed,newly-held,undecidable,not-replayable",
    });
    expect(text).toContain('"replayed":38');
    expect(code).toBe(0);
  });
});
