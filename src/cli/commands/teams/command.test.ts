import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TeamRegistryEntry } from "../../../domain/team/registry.ts";
import { registryIn } from "../../../domain/team/service.ts";
import { Database } from "../../../state/database.ts";
import { teamsCommand } from "./command.ts";

/** A team file as another program writes it, with unknown fields and its own formatting. */
const TEAM_FILE = `{ "name": "dev",
\t"createdAt": 1770000000000, "big": 12345678901234567890,
\t"leadAgentId": "team-lead@dev", "leadSessionId": "old-session-1",
\t"members": [
\t\t{"agentId": "team-lead@dev", "name": "team-lead", "tmuxPaneId": "", "x": {"y": [1, 2]}},
\t\t{"agentId": "bob@dev", "name": "bob", "isActive": true , "model":"m"},
\t\t{"agentId": "eve@dev", "tmuxPaneId": "in-process"}
\t],
\t"unknown": null}
`;

let folder: string;
let file: string;
let env: NodeJS.ProcessEnv;
const started: ChildProcess[] = [];
const servers: net.Server[] = [];
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "hwt-"));
  file = path.join(folder, ".claude/teams/dev/config.json");
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, TEAM_FILE);
  env = {
    HOME: folder,
    HOOKWRIGHT_HOME: path.join(folder, "hw"),
    XDG_RUNTIME_DIR: path.join(folder, "run"),
    ATM_IDENTITY: "team-lead",
    CLAUDE_SESSION_ID: "new-session-2",
    PATH: process.env.PATH,
    TMUX_TMPDIR: folder,
  };
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
  for (const server of servers.splice(0)) server.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function run(args: string[], options = {}): Promise<{ code: number; out: string }> {
  const lines: string[] = [];
  const say = (text: string) => void lines.push(text);
  const code = await teamsCommand.run({ args, options, env, cwd: folder, out: say, err: say });
  return { code, out: lines.join("\n") };
}

function register(agent: string, more: Partial<TeamRegistryEntry>): void {
  const db = new Database(path.join(folder, "hw/state.db"), 100);
  const entry = { team: "dev", agent, session: "old-session-1", pid: 0, registry: "Active", state: "idle" } as const;
  db.transaction(() => registryIn(db).put({ ...entry, source: "claude_hook", at: Date.now(), ...more }));
  db.close();
}
async function livingProcess(): Promise<ChildProcess> {
  const child = spawn("sleep", ["60"]);
  started.push(child);
  await once(child, "spawn");
  return child;
}
const team = () => JSON.parse(fs.readFileSync(file, "utf8"));
const inbox = (name: string): string => {
  const place = path.join(folder, `.claude/teams/dev/inboxes/${name}.json`);
  fs.mkdirSync(path.dirname(place), { recursive: true });
  return place;
};
const backups = (): string[] => {
  const place = path.join(folder, "hw/backups/teams/dev");
  return fs.existsSync(place) ? fs.readdirSync(place) : [];
};

describe("resume", () => {
  it("hands the team over and changes nothing else in its file", async () => {
    expect(await run(["resume", "dev"])).toEqual({
      code: 0,
      out: "dev is led by session new-sess now, before by old-sess.",
    });
    const expected = TEAM_FILE.replace("old-session-1", "new-session-2")
      .replace('"isActive": true ', '"isActive": false ')
      .replace('"tmuxPaneId": "in-process"}', '"tmuxPaneId": "in-process", "isActive": false}');
    expect(fs.readFileSync(file, "utf8")).toBe(expected);
    expect(backups()).toHaveLength(1);
    expect(fs.readFileSync(path.join(folder, "hw/backups/teams/dev", backups()[0] ?? ""), "utf8")).toBe(TEAM_FILE);
  });

  it("does nothing for the session that leads already", async () => {
    env.CLAUDE_SESSION_ID = "old-session-1";
    expect((await run(["resume", "dev"])).out).toContain("already led by this session");
    expect(fs.readFileSync(file, "utf8")).toBe(TEAM_FILE);
  });

  it.each([
    ["--session-id", { "session-id": "given-session" }, {}, "given-session"],
    ["CLAUDE_SESSION_ID", {}, { CLAUDE_CODE_SESSION_ID: "code-session" }, "new-session-2"],
    [
      "CLAUDE_CODE_SESSION_ID",
      {},
      { CLAUDE_SESSION_ID: undefined, CLAUDE_CODE_SESSION_ID: "code-session" },
      "code-session",
    ],
  ])("takes the session from %s", async (_name, options, more, expected) => {
    Object.assign(env, more);
    await run(["resume", "dev"], options);
    expect(team().leadSessionId).toBe(expected);
  });

  it("asks for the session where nothing says which, and does not take a breadcrumb for it", async () => {
    env.CLAUDE_SESSION_ID = undefined;
    env.TMPDIR = folder;
    fs.writeFileSync(path.join(folder, "atm-session-id"), "crumb");
    await expect(run(["resume", "dev"])).rejects.toThrow("Pass --session-id");
  });

  it.each([
    ["bob", "you are bob"],
    [undefined, "nobody it knows"],
  ])("is for the lead alone, not for %s", async (identity, text) => {
    env.ATM_IDENTITY = identity;
    await expect(run(["resume", "dev"])).rejects.toThrow(text);
    expect(fs.readFileSync(file, "utf8")).toBe(TEAM_FILE);
  });

  it("takes the identity from the project's file", async () => {
    env.ATM_IDENTITY = undefined;
    fs.writeFileSync(path.join(folder, ".atm.toml"), '[core]\nidentity = "team-lead"\n');
    expect((await run(["resume", "dev"])).code).toBe(0);
  });

  it.each(["nope", "../dev", "..", "a b"])("refuses the team %s", async (name) => {
    await expect(run(["resume", name])).rejects.toThrow(/no readable team|cannot be used as a file name/);
  });

  it("needs --force while the lead lives, and names it", async () => {
    register("team-lead", { pid: (await livingProcess()).pid ?? 0 });
    await expect(run(["resume", "dev"])).rejects.toThrow("led by session old-sess, which is still running");
    expect(fs.readFileSync(file, "utf8")).toBe(TEAM_FILE);
    expect((await run(["resume", "dev"], { force: true })).code).toBe(0);
    expect(team().leadSessionId).toBe("new-session-2");
  });

  it.each<[string, Partial<TeamRegistryEntry>]>([
    ["ended", { registry: "Dead", pid: process.pid }],
    ["lost its process", { pid: 2 ** 22 - 3 }],
    ["was another one", { session: "some-other", pid: process.pid }],
  ])("needs no --force when the lead %s", async (_name, entry) => {
    register("team-lead", entry);
    expect((await run(["resume", "dev"])).code).toBe(0);
  });

  it("knows that the old lead lives although the new one has registered already", async () => {
    const old = {
      session: "old-session-1",
      pid: (await livingProcess()).pid ?? 0,
      registry: "Active",
      at: Date.now(),
    } as const;
    register("team-lead", { session: "new-session-2", earlier: [old] });
    await expect(run(["resume", "dev"])).rejects.toThrow("still running");
  });

  it("asks another daemon where one has the socket, and takes one that is silent for none", async () => {
    const answers = { alive: true };
    await otherDaemon(() => ({ status: "ok", payload: { session_id: "old-session-1", ...answers } }));
    await expect(run(["resume", "dev"])).rejects.toThrow("still running");
    answers.alive = false;
    expect((await run(["resume", "dev"])).code).toBe(0);
  });

  it("tells the others in the inboxes that are there", async () => {
    fs.writeFileSync(inbox("bob"), '[{"from":"x","text":"old","read":true}]');
    expect((await run(["resume", "dev", "back", "again"])).out).toContain("Told bob.");
    const [first, second] = JSON.parse(fs.readFileSync(inbox("bob"), "utf8"));
    expect(first).toEqual({ from: "x", text: "old", read: true });
    expect(second).toMatchObject({ from: "team-lead", text: "back again", read: false });
    expect(fs.existsSync(inbox("eve"))).toBe(false);
  });

  it("waits for the file's lock, and gives up without a change", { timeout: 180_000 }, async () => {
    fs.mkdirSync(`${file}.lock`);
    const keeper = setInterval(() => fs.utimesSync(`${file}.lock`, new Date(), new Date()), 500);
    await expect(run(["resume", "dev"])).rejects.toThrow("stayed locked for 5 seconds");
    clearInterval(keeper);
    expect(fs.readFileSync(file, "utf8")).toBe(TEAM_FILE);
    setTimeout(() => fs.rmdirSync(`${file}.lock`), 200);
    expect((await run(["resume", "dev"])).code).toBe(0);
    expect(fs.existsSync(`${file}.lock`)).toBe(false);
  });

  it("breaks the lock of somebody who died long ago", async () => {
    fs.mkdirSync(`${file}.lock`);
    fs.utimesSync(`${file}.lock`, new Date(0), new Date(0));
    expect((await run(["resume", "dev"])).code).toBe(0);
  });

  it("leaves a broken team file alone", async () => {
    fs.writeFileSync(file, "{ broken");
    await expect(run(["resume", "dev"])).rejects.toThrow("no readable team");
    expect(fs.readFileSync(file, "utf8")).toBe("{ broken");
  });
});

describe("resume --kill", () => {
  it("needs --force", async () => {
    await expect(run(["resume", "dev"], { kill: true })).rejects.toThrow("needs --force");
  });

  it("keeps what is known of the session and then ends it", async () => {
    const child = await livingProcess();
    register("team-lead", { pid: child.pid ?? 0 });
    const ended = once(child, "exit");
    const { out } = await run(["resume", "dev"], { force: true, kill: true });
    expect((await ended)[1]).toBe("SIGTERM");
    const kept = /saved in (\S+\.txt)\./.exec(out)?.[1] ?? "";
    expect(fs.readFileSync(kept, "utf8")).toContain(`process: ${child.pid}`);
    expect(fs.statSync(kept).mode & 0o777).toBe(0o600);
  });

  it("ends nothing when the pane cannot be read first", async () => {
    const child = await livingProcess();
    register("team-lead", { pid: child.pid ?? 0 });
    fs.writeFileSync(file, TEAM_FILE.replace('"tmuxPaneId": ""', '"tmuxPaneId": "%99"'));
    await expect(run(["resume", "dev"], { force: true, kill: true })).rejects.toThrow("pane %99 could not be read");
    expect(child.signalCode).toBeNull();
    expect(team().leadSessionId).toBe("old-session-1");
  });

  it("never ends the session that it runs in", async () => {
    register("team-lead", { pid: process.ppid });
    await expect(run(["resume", "dev"], { force: true, kill: true })).rejects.toThrow(
      "the session that runs this command",
    );
  });

  it("says so when no process is known", async () => {
    register("team-lead", { pid: 0 });
    expect((await run(["resume", "dev"], { force: true, kill: true })).out).toContain("so it was not ended");
  });
});

describe("cleanup", () => {
  it("takes out who ended and who is unknown, keeps who lives, and never the lead", async () => {
    register("team-lead", { registry: "Dead" });
    register("bob", { pid: (await livingProcess()).pid ?? 0, session: "b" });
    fs.writeFileSync(inbox("eve"), '[{"text":"unread"}]');
    const { code, out } = await run(["cleanup", "dev"], { json: true });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ removed: ["eve"] });
    expect(team().members.map(({ agentId }: { agentId: string }) => agentId)).toEqual(["team-lead@dev", "bob@dev"]);
    expect(fs.readFileSync(file, "utf8")).toContain('"big": 12345678901234567890');
    expect(fs.existsSync(inbox("eve"))).toBe(false);
    const kept = backups().find((name) => name.includes("inbox-eve")) ?? "";
    expect(fs.readFileSync(path.join(folder, "hw/backups/teams/dev", kept), "utf8")).toContain("unread");
  });

  it("keeps a teammate that lives in the lead's process", async () => {
    register("team-lead", { pid: (await livingProcess()).pid ?? 0 });
    register("bob", { registry: "Dead" });
    expect(JSON.parse((await run(["cleanup", "dev"], { json: true })).out)).toMatchObject({ removed: ["bob"] });
    expect(team().members).toHaveLength(2);
  });

  it("removes nothing where nobody ever registered, unless forced", async () => {
    expect(await run(["cleanup", "dev"])).toMatchObject({ code: 1, out: expect.stringContaining("ever registered") });
    expect(fs.readFileSync(file, "utf8")).toBe(TEAM_FILE);
    expect((await run(["cleanup", "dev"], { force: true })).code).toBe(0);
    expect(team().members).toHaveLength(1);
    expect((await run(["cleanup", "dev"], { force: true })).out).toContain("no members but its lead");
  });

  it("removes nothing while the daemon that knows does not answer, unless forced", { timeout: 180_000 }, async () => {
    await otherDaemon(() => undefined);
    expect(await run(["cleanup", "dev"])).toMatchObject({ code: 1, out: expect.stringContaining("does not answer") });
    expect(fs.readFileSync(file, "utf8")).toBe(TEAM_FILE);
    expect((await run(["cleanup", "dev"], { force: true })).code).toBe(0);
  });

  it("is not for a member that is not the lead", async () => {
    env.ATM_IDENTITY = "bob";
    await expect(run(["cleanup", "dev"])).rejects.toThrow("Only team-lead");
  });

  it("keeps a member whose pane is there", async () => {
    const socket = path.join(folder, "tmux");
    const tmux = (...args: string[]) => spawnSync("tmux", ["-f", "/dev/null", ...args], { env, encoding: "utf8" });
    const made = tmux("new-session", "-d", "-P", "-F", "#{pane_id}", "sleep 60");
    expect(socket).not.toBe("");
    if (made.error) return;
    try {
      fs.writeFileSync(file, TEAM_FILE.replace("in-process", made.stdout.trim()));
      register("bob", { registry: "Dead" });
      expect(JSON.parse((await run(["cleanup", "dev"], { json: true })).out)).toMatchObject({ removed: ["bob"] });
    } finally {
      tmux("kill-server");
    }
  });
});

describe("status and events", () => {
  it("shows who is there", async () => {
    register("team-lead", { pid: process.pid });
    register("bob", { registry: "Dead", state: "closed" });
    const { out } = await run(["status"], { json: true });
    expect(JSON.parse(out)).toMatchObject({
      socket: { owner: "nobody" },
      teams: [
        {
          team: "dev",
          lead: "team-lead",
          leadSession: "old-session-1",
          members: [
            { name: "team-lead", state: "idle", alive: true },
            { name: "bob", state: "closed", alive: false },
            { name: "eve", state: "unknown", alive: null },
          ],
        },
      ],
    });
    expect((await run(["status", "dev"])).out).toContain("team-lead (lead)");
  });

  it("says when another daemon has the socket", async () => {
    await otherDaemon(() => ({ status: "ok", payload: [] }));
    expect((await run(["status"])).out).toContain("another daemon owns it");
  });

  it("prints the audit trail, also what was put aside, and bears broken lines", async () => {
    const trail = path.join(folder, ".claude/daemon/hooks/events.jsonl");
    fs.mkdirSync(path.dirname(trail), { recursive: true });
    const line = (agent: string, name: string) =>
      `${JSON.stringify({ type: "teammate-idle", agent, team: name, session_id: "s" })}\n`;
    fs.writeFileSync(`${trail}.1`, line("first", "dev"));
    fs.writeFileSync(trail, `${line("second", "dev")}{"half\n${line("third", "other")}`);
    const { out } = await run(["events"]);
    expect(out.indexOf("dev/first")).toBeLessThan(out.indexOf("dev/second"));
    expect(out).toContain("1 line could not be read.");
    expect((await run(["events", "other"])).out).not.toContain("dev/");
    expect((await run(["events"], { json: true, lines: "1" })).out).toContain('"third"');
    await expect(run(["events"], { lines: "x" })).rejects.toThrow("--lines");
  });

  it.each([[[]], [["resume"]], [["status", "a", "b"]], [["dance"]]])("refuses %j", async (args) => {
    await expect(run(args)).rejects.toThrow("Give `status`");
  });
});

async function otherDaemon(answer: () => object | undefined): Promise<void> {
  const place = path.join(folder, ".claude/daemon");
  fs.mkdirSync(place, { recursive: true, mode: 0o700 });
  const server = net.createServer((connection) => {
    connection.on("error", () => undefined);
    connection.on("data", () => {
      const said = answer();
      if (said) connection.end(`${JSON.stringify({ version: 1, request_id: "x", ...said })}\n`);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(path.join(place, "atm-daemon.sock"), resolve));
}
