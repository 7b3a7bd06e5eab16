import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { journal } from "../../../../test/support/records.ts";
import { DIST } from "../../../../test/support/world.ts";
import { Database } from "../../../state/database.ts";
import { addJob } from "../../../state/jobs.ts";
import { append } from "../../../state/journal.ts";
import { NO_TERMINAL } from "../../installation/setup.samples.ts";
import { DoctorWorkspace } from "./doctor.samples.ts";
import { measureCost } from "./event-cost.ts";

let practice: DoctorWorkspace;
beforeEach(() => {
  practice = new DoctorWorkspace();
});
afterEach(() => practice.world.dispose());

const DAY = 86_400_000;
const rewrite = (from: string | RegExp, to: string): void =>
  fs.writeFileSync(practice.settings, fs.readFileSync(practice.settings, "utf8").replace(from, to));
const inState = (work: (db: Database) => void): void => {
  const db = new Database(practice.world.database, 1_000);
  work(db);
  db.close();
};

describe("the whole", () => {
  beforeEach(() => {
    practice.runs = 3;
  });

  test("before init: one problem, and a client that answers", async () => {
    const { code, findings, client, daemon, cost } = await practice.ask();
    expect(code).toBe(1);
    expect(findings.filter((one) => !one.ok)).toMatchObject([
      { name: "installed", detail: expect.stringContaining("not installed") },
    ]);
    expect(client.command.at(-1)).toMatch(new RegExp(`^${DIST}/hook`));
    expect(daemon).toEqual({ running: false, state: "absent" });
    expect(cost).toMatchObject({ runs: 3, via: "in process" });
    const [program = "", ...args] = client.command;
    const payload = {
      hook_event_name: "PreToolUse",
      tool_name: "Write",
      tool_input: { file_path: "/p/.git/x" },
      cwd: "/p",
    };
    const input = JSON.stringify({ ...payload, session_id: "s", tool_use_id: "t" });
    const answer = spawnSync(program, [...args, "--no-daemon"], {
      input,
      env: practice.world.environment,
      encoding: "utf8",
    });
    expect([answer.status, answer.stdout]).toEqual([2, expect.stringContaining("deny")]);
  });

  test("after init all is well, by the installed client, and no daemon was started for it", async () => {
    await practice.install();
    const told = await practice.ask();
    expect(told.findings.filter((one) => one.level !== "ok")).toEqual([]);
    expect(told.code).toBe(0);
    expect(told.client.command[0]).toBe(path.join(practice.folder, "hook"));
    expect(fs.readdirSync(practice.world.runtime)).toEqual([]);
    const { said } = await practice.run({}, NO_TERMINAL);
    expect(said).toMatch(/^ok +installed +user: .*settings\.json$/m);
    expect(said).toMatch(
      /^info +one event +takes [\d.]+ ms, answered without the daemon; .* Node alone takes [\d.]+ ms \(ratio [\d.]+, median of 3 runs\)$/m,
    );
  });

  test("with a daemon the cost is that of the way through it", async () => {
    await practice.world.startDaemon();
    const { daemon, cost } = await practice.ask();
    expect(daemon).toMatchObject({ running: true, state: "running" });
    expect(cost?.via).toBe("daemon");
    expect(cost?.ratio).toBeCloseTo((cost?.medianMs ?? 0) / (cost?.nodeMs ?? 1), 1);
  });

  test("what the daemon did not answer is not called its work", async () => {
    const command = [process.execPath, "-e", "0"];
    const question = { command, env: practice.world.environment, runs: 3, isDaemonUp: true };
    let asked = 0;
    expect((await measureCost(question, async () => ++asked))?.via).toBe("in process");
    const busy = async (): Promise<number> => (asked += 4);
    expect((await measureCost(question, busy))?.via).toBe("daemon");
  });

  test("of its trials no more than one entry stays, and numbers are never given twice", async () => {
    await practice.ask();
    await practice.ask();
    expect(journal(practice.world)).toMatchObject([{ id: 8, session: "hookwright-doctor", event: "cwd.changed" }]);
  });

  test("a client that cannot run is a problem, and there is no cost", async () => {
    await practice.install();
    fs.writeFileSync(path.join(practice.folder, "hook"), "#!/bin/sh\necho broken >&2\nexit 1\n", { mode: 0o700 });
    const { code, cost, findings } = await practice.ask();
    expect([code, cost]).toEqual([1, null]);
    expect(findings.find((one) => one.name === "client answers")).toMatchObject({ ok: false, detail: "broken" });
  });
});

describe("installed", () => {
  test("a hook that does not wait for the answers that the configuration wants", async () => {
    fs.mkdirSync(practice.world.home, { recursive: true, mode: 0o700 });
    fs.writeFileSync(path.join(practice.world.home, "config.yml"), "approvals: browser\n");
    await practice.install();
    expect(await practice.finding("installed")).toMatchObject({ ok: true });
    rewrite('"--wait-ms"', '"--deadline-ms"');
    expect((await practice.finding("installed")).detail).toContain("does not let the agent wait for an answer");
  });

  test("the manifest beside the hooks is missing, until it is repaired", async () => {
    await practice.install({ agent: "gemini-cli" });
    const manifest = path.join(practice.world.userHome, ".gemini/extensions/hookwright/gemini-extension.json");
    expect(await practice.finding("installed")).toMatchObject({ ok: true });
    fs.rmSync(manifest);
    const { ok, detail, fix } = await practice.finding("installed");
    expect([ok, detail]).toEqual([false, expect.stringContaining(`${manifest} is missing`)]);
    expect(fix).toContain("`hookwright init --agent gemini-cli`");
    await practice.install({ agent: "gemini-cli" });
    expect(await practice.finding("installed")).toMatchObject({ ok: true });
  });

  const losses: readonly (readonly [string, () => void, string])[] = [
    ["the settings file", () => fs.rmSync(practice.settings), "is missing"],
    ["all entries", () => fs.writeFileSync(practice.settings, "{}"), "no longer holds any hook"],
    ["the guard's entry", () => rewrite('"PreToolUse"', '"PreToolUsed"'), "has no hook for PreToolUse"],
    ["the way to read it", () => rewrite("{", "{{"), "settings.json:1:2"],
    ["the right to run", () => rewrite("{", '{"disableAllHooks": true, '), "disableAllHooks"],
  ];
  test.each(losses)("%s is lost", async (_name, lose, says) => {
    await practice.install();
    lose();
    expect(await practice.finding("installed")).toMatchObject({ ok: false, detail: expect.stringContaining(says) });
  });

  test("settings that cannot be read are named, although nothing is installed", async () => {
    fs.mkdirSync(path.dirname(practice.settings), { recursive: true });
    fs.writeFileSync(practice.settings, '{"hooks": {');
    const { detail, fix } = await practice.finding("installed");
    expect([detail, fix]).toEqual([
      expect.stringContaining("settings.json:1:12"),
      expect.stringContaining("Repair the file"),
    ]);
  });

  test("a record that cannot be read", async () => {
    fs.mkdirSync(practice.world.home);
    fs.writeFileSync(path.join(practice.world.home, "installs.json"), "[");
    expect(await practice.finding("installed")).toMatchObject({
      ok: false,
      detail: expect.stringContaining("cannot be read"),
    });
  });

  test("by another version: worth knowing, not wrong", async () => {
    await practice.install();
    const file = path.join(practice.world.home, "installs.json");
    const [record] = JSON.parse(fs.readFileSync(file, "utf8"));
    fs.writeFileSync(file, JSON.stringify([{ ...record, version: "0.0.1-old", files: {} }]));
    expect(await practice.finding("installed")).toMatchObject({
      level: "note",
      detail: expect.stringContaining("0.0.1-old"),
    });
  });

  test("for everybody on the machine", async () => {
    practice.places = { ...practice.places, uid: 0 };
    await practice.install({ scope: "managed" });
    practice.places = { ...practice.places, uid: practice.uid };
    const { findings, client } = await practice.ask();
    expect(findings[0]).toMatchObject({ ok: true, detail: `managed: ${practice.places.settings}` });
    expect(client.command[0]).toContain(practice.places.store.root);
    fs.appendFileSync(client.command[0] ?? "", "x");
    expect(await practice.finding("files unchanged")).toMatchObject({ ok: false });
  });

  test("changed and missing files are named", async () => {
    await practice.install();
    fs.appendFileSync(path.join(practice.folder, "daemon.cjs"), "// changed");
    fs.rmSync(path.join(practice.folder, "config.cjs"));
    const { ok, detail } = await practice.finding("files unchanged");
    expect([ok, detail]).toEqual([false, expect.stringContaining("daemon.cjs was changed")]);
    expect(detail).toContain("config.cjs is missing");
  });

  test("versions nobody uses", async () => {
    const old = path.join(practice.world.home, "versions", "0.0.1-old");
    fs.mkdirSync(old, { recursive: true });
    fs.writeFileSync(path.join(old, "build.json"), "{}");
    fs.utimesSync(old, new Date(0), new Date(0));
    expect(await practice.finding("old versions")).toMatchObject({
      level: "note",
      detail: "0.0.1-old: no longer used",
    });
  });

  test("in a project that is gone: worth knowing, not wrong", async () => {
    await practice.install();
    const other = practice.world.folder("other");
    fs.mkdirSync(path.join(other, ".git"));
    await practice.install({ scope: "local" }, other);
    fs.rmSync(other, { recursive: true });
    const { code } = await practice.ask();
    const found = await practice.finding("projects that are gone");
    expect([code, found.level, found.detail]).toEqual([0, "note", path.join(other, ".claude", "settings.local.json")]);
  });

  test("a kill switch is a problem", async () => {
    practice.env = { HOOKWRIGHT_DISABLE: "1" };
    expect(await practice.finding("switched on")).toMatchObject({
      ok: false,
      detail: expect.stringContaining("HOOKWRIGHT_DISABLE"),
    });
    practice.env = {};
    fs.mkdirSync(practice.world.home, { recursive: true });
    fs.writeFileSync(path.join(practice.world.home, "off.json"), "{}");
    expect(await practice.finding("switched on")).toMatchObject({ ok: false, fix: "Run `hookwright on`." });
  });
});

describe("state", () => {
  test("jobs that were given up or that nobody runs", async () => {
    inState((db) => {
      db.run("INSERT INTO jobs (name, args, env, at, due_at) VALUES ('a/late', '{}', '{}', 0, ?)", Date.now() - DAY);
    });
    expect(await practice.finding("background work")).toMatchObject({ level: "note", detail: "1 open, and overdue" });
    inState((db) => {
      const id = addJob(db, "a/b", null, {}, 1);
      db.run("UPDATE jobs SET done_at = 2, error = 'no luck' WHERE id = ?", id);
    });
    const { level, detail } = await practice.finding("background work");
    expect([level, detail]).toEqual(["note", expect.stringContaining("a/b (2): no luck")]);
  });

  test("size and age of the journal", async () => {
    inState((db) => {
      for (const days of [3, 1]) {
        append(db, `k${days}`, {
          ...{ at: Date.now() - days * DAY, agent: "a", session: "s", agentId: "", project: "", event: "turn.stop" },
          ...{ agentEvent: "Stop", tool: "", toolUseId: "", ruling: "pass", policy: "", reason: "", microseconds: 0 },
          ...{ body: "{}", verdicts: "[]", facts: "{}", reply: { exit: 0, stdout: "", stderr: "" } },
        });
      }
    });
    expect(await practice.finding("journal")).toMatchObject({
      level: "ok",
      detail: expect.stringMatching(/^\d entries since \d{4}-.*, [\d.]+ MB$/),
    });
    inState((db) => db.run("UPDATE journal SET at = ? WHERE id = 1", Date.now() - 90 * DAY));
    expect(await practice.finding("journal")).toMatchObject({ level: "note", fix: "Run `hookwright maintain`." });
    // Simulates a long pause without work, or a clock that jumped.
    inState((db) => db.run("UPDATE journal SET at = ? WHERE id = 2", Date.now() - 89 * DAY));
    expect(await practice.finding("journal")).toMatchObject({ level: "ok" });
    expect(await practice.finding("clock")).toMatchObject({
      level: "note",
      detail: expect.stringContaining("nothing was recorded for 89 days"),
    });
  });

  test("damaged files that were set aside, and a damaged database", async () => {
    fs.mkdirSync(practice.world.home, { mode: 0o700 });
    fs.writeFileSync(path.join(practice.world.home, "state.db.corrupt-x"), "");
    expect(await practice.finding("set aside as damaged")).toMatchObject({
      level: "note",
      detail: "state.db.corrupt-x",
    });
    practice.env = { HOOKWRIGHT_DISABLE: "1" };
    for (const suffix of ["-wal", "-shm"]) fs.rmSync(practice.world.database + suffix, { force: true });
    fs.writeFileSync(practice.world.database, "nonsense ".repeat(200));
    expect(await practice.finding("recording")).toMatchObject({
      ok: false,
      detail: expect.stringContaining("not a database"),
    });
    const { fixed } = await practice.ask({ fix: true });
    expect(fixed).toEqual([expect.stringContaining("moved to")]);
    expect(await practice.finding("recording")).toMatchObject({ ok: true });
  });

  test("what the client says beside its answer is worth knowing, and not that it does not answer", async () => {
    fs.mkdirSync(practice.world.home, { mode: 0o700 });
    fs.writeFileSync(practice.world.database, "nonsense ".repeat(200));
    expect(await practice.finding("client answers")).toMatchObject({
      level: "note",
      detail: expect.stringContaining("yes, and it said: The state database was damaged"),
    });
  });

  test("profiles that guard nothing", async () => {
    fs.mkdirSync(practice.world.home, { mode: 0o700 });
    fs.writeFileSync(path.join(practice.world.home, "config.yml"), "profiles: [omc, ntm]\n");
    const { level, detail } = await practice.finding("configuration");
    expect(level).toBe("note");
    expect(detail).toContain("no command and no file is guarded");
  });

  test("a configuration with a mistake", async () => {
    fs.writeFileSync(path.join(practice.world.project, "hookwright.yml"), "profiles: [saftey]\n");
    expect(await practice.finding("configuration")).toMatchObject({
      ok: false,
      detail: expect.stringContaining("hookwright.yml:1:"),
    });
    fs.writeFileSync(path.join(practice.world.project, "hookwright.yml"), "profiles: [ntm]\n");
    expect(await practice.finding("configuration")).toMatchObject({
      ok: true,
      detail: "hookwright.yml; profiles: safety, ntm",
    });
  });
});
