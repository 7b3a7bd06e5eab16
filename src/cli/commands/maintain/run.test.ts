import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Database } from "../../../state/database.ts";
import { addJob, PRUNE, summarizeJobs } from "../../../state/jobs.ts";
import { append } from "../../../state/journal.ts";
import { contextOf, failing, filesBelow, makeWorld, type SetupWorld } from "../../installation/setup.samples.ts";
import { type SystemPlaces, systemPlaces } from "../../installation/system-folders.ts";
import { runMaintain } from "./run.ts";

let world: SetupWorld;
let places: SystemPlaces;
const children: ChildProcess[] = [];
beforeEach(() => {
  world = makeWorld();
  places = systemPlaces(path.join(world.root, "machine"), 1000);
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  fs.rmSync(world.root, { recursive: true, force: true });
});

const DAY = 86_400_000;
const database = (): string => path.join(world.home, "state.db");

async function maintain(now = Date.now() + DAY) {
  const context = contextOf(world, { json: true });
  expect(await runMaintain(context, places, now)).toBe(0);
  return JSON.parse(context.said()) as {
    journal?: { removed: number; left: number };
    jobs: number;
    forgotten: string[];
    versions: { folder: string; removed: boolean; why: string }[];
  };
}

function version(name: string, base = path.join(world.home, "versions")): string {
  const folder = path.join(base, name);
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, "build.json"), "{}");
  fs.writeFileSync(path.join(folder, "daemon.cjs"), "setInterval(() => undefined, 1000); console.log('up')");
  return folder;
}

function record(
  versionName: string,
  file = path.join(world.root, "settings.json"),
  base = world.home,
  scope = "user",
): void {
  const rest = { existedBefore: false, originalSha256: null, originalFile: null, createdDirectory: null };
  const one = {
    agent: "claude-code",
    scope,
    file,
    version: versionName,
    ...rest,
    writtenSha256: "",
    profile: [],
  };
  fs.mkdirSync(base, { recursive: true });
  fs.writeFileSync(path.join(base, "installs.json"), JSON.stringify([{ ...one, at: "" }]));
}

describe("old versions", () => {
  test("go, except those that a record names", async () => {
    const [kept, gone] = [version("1.0.0-a"), version("0.9.0-b")];
    record("1.0.0-a");
    const { versions } = await maintain();
    expect(versions).toEqual([{ folder: gone, removed: true, why: "" }]);
    expect([fs.existsSync(kept), fs.existsSync(gone)]).toEqual([true, false]);
    expect(fs.readdirSync(path.join(world.home, "versions"))).toEqual(["1.0.0-a"]);
  });

  test("stay while a process runs out of them", async () => {
    const folder = version("0.9.0-b");
    const child = spawn(process.execPath, [path.join(folder, "daemon.cjs")], { stdio: ["ignore", "pipe", "inherit"] });
    children.push(child);
    if (child.stdout) await once(child.stdout, "data");
    expect((await maintain()).versions).toEqual([{ folder, removed: false, why: `process ${child.pid} uses it` }]);
    expect(fs.existsSync(folder)).toBe(true);
    children.pop()?.kill("SIGKILL");
    await once(child, "exit");
    expect((await maintain()).versions).toMatchObject([{ removed: true }]);
  });

  test("stay while they may be on their way into a record", async () => {
    const folder = version("0.9.0-b");
    expect((await maintain(Date.now() + 60_000)).versions).toMatchObject([{ folder, removed: false }]);
  });

  test("stay while settings name them, also when the record was lost", async () => {
    const folder = version("0.9.0-b");
    fs.mkdirSync(path.dirname(world.settings));
    fs.writeFileSync(world.settings, JSON.stringify({ hooks: { Stop: [{ hooks: [{ command: `${folder}/hook` }] }] } }));
    expect((await maintain()).versions).toMatchObject([{ removed: false, why: `${world.settings} still names it` }]);
  });

  test("all stay when the record cannot be read", async () => {
    version("1.0.0-a");
    fs.writeFileSync(path.join(world.home, "installs.json"), "[{");
    expect((await maintain()).versions).toMatchObject([
      { removed: false, why: expect.stringContaining("installs.json") },
    ]);
  });

  test("what an interrupted command left goes, what is no version stays", async () => {
    const versions = path.join(world.home, "versions");
    for (const name of [".new-1-ab", ".old-1-1.0.0-a", "notes"])
      fs.mkdirSync(path.join(versions, name), { recursive: true });
    await maintain();
    expect(fs.readdirSync(versions)).toEqual(["notes"]);
  });

  test("of the machine go only when root asks", async () => {
    const base = places.store.root;
    const [kept, gone] = [version("1.0.0-a", base), version("0.9.0-b", base)];
    fs.mkdirSync(places.store.backups);
    record("1.0.0-a", places.settings, base);
    expect((await maintain()).versions).toEqual([]);
    places = { ...places, uid: 0 };
    expect((await maintain()).versions).toEqual([{ folder: gone, removed: true, why: "" }]);
    expect(fs.readdirSync(base).sort()).toEqual([path.basename(kept), "backups", "installs.json"]);
  });
});

describe("installations", () => {
  const local = (): string => path.join(world.project, ".claude", "settings.local.json");

  test("in a project that is gone are forgotten, and their version with them", async () => {
    const folder = version("1.0.0-a");
    record("1.0.0-a", local(), world.home, "local");
    expect(await maintain()).toMatchObject({ forgotten: [], versions: [] });
    fs.rmSync(world.project, { recursive: true });
    expect(await maintain()).toMatchObject({ forgotten: [local()], versions: [{ folder, removed: true }] });
    expect(fs.readFileSync(path.join(world.home, "installs.json"), "utf8")).toBe("[]\n");
  });

  test("in a person's own settings are never forgotten", async () => {
    version("1.0.0-a");
    record("1.0.0-a", path.join(world.root, "gone", ".claude", "settings.json"));
    expect(await maintain()).toMatchObject({ forgotten: [], versions: [] });
  });
});

describe("state", () => {
  const entry = (at: number) => ({
    ...{ at, agent: "a", session: "s", agentId: "", project: "", event: "turn.stop", agentEvent: "Stop", tool: "" },
    ...{
      toolUseId: "",
      ruling: "pass",
      policy: "",
      reason: "",
      microseconds: 0,
      body: "{}",
      verdicts: "[]",
      facts: "{}",
    },
    reply: { exit: 0, stdout: "", stderr: "" },
  });

  test("old entries go and due jobs run", async () => {
    const now = Date.now();
    const db = new Database(database(), 1_000);
    append(db, "old", entry(now - 40 * DAY));
    append(db, "yesterday", entry(now - DAY));
    append(db, "new", entry(now));
    addJob(db, PRUNE, null, {}, now);
    expect(await maintain(now)).toMatchObject({ journal: { left: 2 }, jobs: 1 });
    expect(db.all("SELECT at FROM journal").map((row) => row.at)).toEqual([now - DAY, now]);
    expect(summarizeJobs(db).open).toBe(0);
    db.close();
  });

  test("a person reads what was done", async () => {
    version("0.9.0-b");
    const context = contextOf(world);
    await runMaintain(context, places, Date.now() + DAY);
    const [journal, jobs, versions, folder] = context.said().split("\n");
    expect([journal, jobs]).toEqual(["Journal: nothing is recorded yet.", "Background work: nothing was due."]);
    expect([versions, folder]).toEqual(["Old versions: removed", `  ${world.home}/versions/0.9.0-b`]);
  });

  test("nothing there, nothing made", async () => {
    const before = filesBelow(world.root);
    expect(await maintain()).toEqual({ jobs: 0, forgotten: [], versions: [], snapshots: 0 });
    expect(filesBelow(world.root)).toEqual(before);
  });

  test("a damaged database is named and left where it lies", async () => {
    fs.mkdirSync(world.home);
    fs.writeFileSync(database(), "this is no database, and longer than a header of one hundred bytes".repeat(20));
    expect((await failing("HW_STATE_DAMAGED", () => maintain())).message).toContain(database());
    expect(fs.readdirSync(world.home)).toEqual(["state.db"]);
  });
});
