/** The socket of agent-team-mail, as the resident process serves it to anybody of the same user and nobody else. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ordinaryUser } from "../../test/support/privileges.ts";
import { sleep } from "../../test/support/processes.ts";
import {
  type Answered,
  ask,
  auditLines,
  makeTeam,
  sessionEnd,
  sessionStart,
  TEAM,
  teammateIdle,
  teamPlaces,
  turnTeamsOn,
} from "../../test/support/teams.ts";
import { World } from "../../test/support/world.ts";

const WARM = { client: "node", daemon: true } as const;
const COLD = { client: "node", daemon: false } as const;
const TEAMS = { args: ["--profile", "teams"] };

let world: World;
let socket: string;
const servers: net.Server[] = [];
beforeEach(() => {
  world = new World();
  makeTeam(world);
  socket = teamPlaces(world).socket;
});
afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await world.dispose();
});

const lead = { name: "team-lead", team: TEAM };
const until = async (check: () => Promise<boolean> | boolean): Promise<void> => {
  for (let i = 0; i < 200; i++) {
    if (await check()) return;
    await sleep(20);
  }
  throw new Error("it never came to that");
};

/** Another program's daemon: takes requests, remembers them, answers as told. */
async function otherDaemon(answer: (line: string) => string | undefined): Promise<string[]> {
  fs.mkdirSync(teamPlaces(world).daemon, { recursive: true, mode: 0o700 });
  const seen: string[] = [];
  const server = net.createServer((connection) => {
    connection.on("error", () => undefined);
    connection.setEncoding("utf8").on("data", (line: string) => {
      seen.push(line);
      const said = answer(line);
      if (said !== undefined) connection.end(said);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  return seen;
}
const accept = (line: string): string =>
  `${JSON.stringify({ version: 1, request_id: JSON.parse(line).request_id, status: "ok", payload: { processed: true } })}\n`;

describe("the resident process", () => {
  it("serves the socket from its start where the person has the teams on, and takes it away with itself", async () => {
    turnTeamsOn(world);
    const daemon = await world.startDaemon();
    expect(await ask(socket, "list-agents", {})).toMatchObject({ status: "ok", payload: [] });
    expect(fs.readFileSync(`${teamPlaces(world).daemon}/atm-daemon.pid`, "utf8")).toBe(`${daemon.pid}\n`);
    daemon.kill("SIGTERM");
    await daemon.ended;
    expect(fs.readdirSync(teamPlaces(world).daemon)).toEqual([]);
  });

  it("serves it after the first event of such a project, and again after a restart", async () => {
    const first = await world.startDaemon();
    expect(fs.existsSync(socket)).toBe(false);
    await world.send(sessionStart(world, "lead-session"), WARM, TEAMS);
    await until(() => fs.existsSync(socket));
    expect(await ask(socket, "session-query", lead)).toMatchObject({
      payload: { session_id: "lead-session", alive: true },
    });
    first.kill();
    await first.ended;
    await world.startDaemon();
    expect(await ask(socket, "session-query", lead)).toMatchObject({ payload: { session_id: "lead-session" } });
  });

  it("keeps away from the socket of a project that is none of these", async () => {
    fs.rmSync(`${world.project}/.atm.toml`);
    await world.startDaemon();
    const { stdout } = await world.send(sessionStart(world, "s"), WARM, TEAMS);
    expect(stdout).toContain("SESSION_ID=s (starting fresh)");
    await sleep(200);
    expect(fs.existsSync(teamPlaces(world).daemon)).toBe(false);
  });

  it("reports closed after the end of a session and refuses control then, within the time an agent gives", async () => {
    await world.startDaemon();
    await world.send(sessionStart(world, "lead-session"), WARM, TEAMS);
    await until(() => fs.existsSync(socket));
    const { ms, stdout, stderr } = await world.send(sessionEnd(world, "lead-session"), WARM, TEAMS);
    expect({ stdout, stderr }).toEqual({ stdout: "", stderr: "" });
    expect(ms).toBeLessThan(1_500);
    expect(await ask(socket, "agent-state", { agent: "team-lead" })).toMatchObject({ payload: { state: "closed" } });
    expect(await ask(socket, "control", { agent: "team-lead" })).toMatchObject({ error: { code: "AGENT_CLOSED" } });
  });

  it("sees what hooks did while it was away", async () => {
    expect((await world.send(sessionStart(world, "lead-session"), COLD, TEAMS)).exit).toBe(0);
    expect((await world.send(sessionEnd(world, "lead-session"), COLD, TEAMS)).exit).toBe(0);
    turnTeamsOn(world);
    await world.startDaemon();
    expect(await ask(socket, "session-query", lead)).toMatchObject({ payload: { alive: false, registry: "Dead" } });
    expect(auditLines(world).map(({ type }) => type)).toEqual(["session-start", "session-end"]);
  });

  it("takes the place of a daemon that is gone, and of none that lives", async () => {
    turnTeamsOn(world);
    const dead = `require("node:net").createServer().listen(${JSON.stringify(socket)}, () => process.kill(process.pid, "SIGKILL"))`;
    fs.mkdirSync(teamPlaces(world).daemon, { recursive: true, mode: 0o700 });
    spawnSync(process.execPath, ["-e", dead]);
    expect(fs.lstatSync(socket).isSocket()).toBe(true);
    await world.startDaemon();
    expect(await ask(socket, "list-agents", {})).toMatchObject({ status: "ok" });
  });

  it("answers several requests on one connection, half a line, and too long a one", async () => {
    turnTeamsOn(world);
    await world.startDaemon();
    const say = (text: string): Promise<Answered[]> =>
      new Promise((resolve, reject) => {
        let received = "";
        const connection = net.connect(socket, () => connection.end(text));
        connection.setEncoding("utf8").on("data", (more) => {
          received += more;
        });
        connection.on("error", reject);
        connection.on("end", () =>
          resolve(
            received
              .trim()
              .split("\n")
              .map((line) => JSON.parse(line) as Answered),
          ),
        );
      });
    const request = JSON.stringify({ version: 1, request_id: "r", command: "list-agents" });
    expect((await say(`${request}\n\n${request}`)).map(({ status }) => status)).toEqual(["ok", "ok"]);
    expect(await say("hello")).toMatchObject([{ error: { code: "INVALID_REQUEST" } }]);
    const [tooLong] = await say("x".repeat(1024 * 1024 + 10));
    expect(tooLong).toMatchObject({ error: { code: "INVALID_REQUEST" } });
  });

  it("goes on after its database was taken away", async () => {
    turnTeamsOn(world);
    await world.startDaemon();
    const idle = { event: "teammate_idle", agent: "bob", team: TEAM, session_id: "s" };
    expect(await ask(socket, "hook-event", idle)).toMatchObject({ payload: { processed: true } });
    for (const suffix of ["", "-wal", "-shm"]) fs.rmSync(`${world.database}${suffix}`, { force: true });
    expect(await ask(socket, "hook-event", idle)).toMatchObject({ payload: { processed: true } });
    expect(await ask(socket, "agent-state", { agent: "bob" })).toMatchObject({ payload: { state: "idle" } });
  });
});

describe("another daemon on the socket", () => {
  it("is told what the hooks see, by the seed's words, and keeps its socket", async () => {
    const seen = await otherDaemon(accept);
    await world.startDaemon();
    await world.send(sessionStart(world, "lead-session"), WARM, TEAMS);
    await world.send(teammateIdle(world, "bob", "p1"), WARM, TEAMS);
    await world.send(sessionEnd(world, "lead-session"), WARM, TEAMS);
    await until(() => seen.length === 3);
    const told = seen.map((line) => JSON.parse(line));
    expect(told).toMatchObject([
      {
        version: 1,
        command: "hook-event",
        payload: { event: "session_start", session_id: "lead-session", agent: "team-lead", team: TEAM },
      },
      {
        payload: {
          event: "teammate_idle",
          agent: "bob",
          team: TEAM,
          session_id: "of-bob",
          source: { kind: "claude_hook" },
        },
      },
      {
        payload: { event: "session_end", session_id: "lead-session", agent: "team-lead", team: TEAM, reason: "other" },
      },
    ]);
    expect(seen.every((line) => line.endsWith("}\n"))).toBe(true);
    expect(auditLines(world).map(({ request_id }) => request_id)).toEqual(told.map(({ request_id }) => request_id));
    const { stdout } = await world.hookwright("daemon", "status", "--json");
    expect(JSON.parse(stdout).teams).toEqual({ [world.userHome]: { owner: "another" } });
  });

  it("is told by hooks that run without ours", async () => {
    const seen = await otherDaemon(accept);
    const { exit } = await world.send(sessionEnd(world, "lead-session"), COLD, TEAMS);
    expect(exit).toBe(0);
    await until(() => seen.length === 1);
    expect(JSON.parse(seen[0] ?? "")).toMatchObject({ payload: { event: "session_end" } });
  });

  it.each<[string, (line: string) => string | undefined]>([
    ["says nothing", () => undefined],
    ["talks nonsense", () => "what?\n"],
    ["refuses", () => '{"version":1,"status":"error","error":{"code":"NO","message":"no"}}\n'],
  ])("may be one that %s: hooks answer all the same, and the line is written", async (_name, answer) => {
    const seen = await otherDaemon(answer);
    await world.startDaemon();
    const { exit, stdout, stderr, ms } = await world.send(teammateIdle(world, "bob", "p"), WARM, TEAMS);
    expect({ exit, stdout, stderr }).toEqual({ exit: 0, stdout: "", stderr: "" });
    expect(ms).toBeLessThan(1_500);
    expect(auditLines(world)).toHaveLength(1);
    await until(() => seen.length > 0);
  });

  it("leaves the socket to us once it is gone", async () => {
    await otherDaemon(accept);
    await world.startDaemon();
    await world.send(sessionStart(world, "lead-session"), WARM, TEAMS);
    for (const server of servers.splice(0)) server.close();
    await world.send(sessionStart(world, "lead-session", "compact"), WARM, TEAMS);
    await until(async () => (await ask(socket, "list-agents", {}).catch(() => undefined))?.status === "ok");
  });
});

if (ordinaryUser === undefined) console.log("Nobody but root can be somebody else: tests of other people are SKIPPED.");

describe("other people", () => {
  const STRANGER = 65533;
  const asStranger = (script: string) =>
    spawnSync(process.execPath, ["-e", script], { uid: STRANGER, gid: STRANGER, cwd: "/", encoding: "utf8" });
  const attempt = (call: string): string =>
    asStranger(`try { ${call}; console.log("done"); } catch (e) { console.log(e.code); }`).stdout.trim();
  const quoted = (text: string): string => JSON.stringify(text);

  // As root, whom everything belongs to, and as an ordinary user, who is just another one for the stranger.
  it.skipIf(ordinaryUser === undefined).each([
    ["root", undefined],
    ["an ordinary user", ordinaryUser],
  ])("cannot reach the socket of %s, forge an event or read the trail", async (_name, uid) => {
    await world.dispose();
    world = new World({ uid });
    makeTeam(world);
    socket = teamPlaces(world).socket;
    turnTeamsOn(world);
    const { daemon, events } = teamPlaces(world);
    // Everything above is open to them, as many homes are, so that only the socket's own permissions are left.
    fs.mkdirSync(daemon, { recursive: true });
    const owner = uid ?? 0;
    for (const folder of [world.root, world.userHome, `${world.userHome}/.claude`, daemon]) {
      fs.chownSync(folder, owner, owner);
      fs.chmodSync(folder, 0o755);
    }
    await world.startDaemon();
    await ask(socket, "hook-event", { event: "teammate_idle", agent: "bob", team: TEAM, session_id: "s" });
    expect([socket, events, world.database].map((file) => fs.statSync(file).uid)).toEqual([owner, owner, owner]);
    expect([socket, events, world.database].map((file) => fs.statSync(file).mode & 0o777)).toEqual([
      0o600, 0o600, 0o600,
    ]);
    const forged = JSON.stringify({
      version: 1,
      request_id: "forged",
      command: "hook-event",
      payload: { event: "session_end", agent: "team-lead", team: TEAM, session_id: "lead-session" },
    });
    const connecting = (to: string) => `const c = require("node:net").connect(${quoted(to)}, () => {
        c.write(${quoted(`${forged}\n`)}); console.log("connected"); });
      c.on("data", (d) => { console.log(String(d)); c.destroy(); }); c.on("error", (e) => console.log(e.code));`;
    expect(asStranger("console.log(process.getuid())").stdout.trim()).toBe(String(STRANGER));
    expect(asStranger(connecting(socket)).stdout.trim()).toBe("EACCES");
    expect(asStranger(connecting(world.socket)).stdout.trim()).toBe("EACCES");
    for (const file of [events, world.database]) {
      expect(attempt(`require("node:fs").appendFileSync(${quoted(file)}, "{}")`)).toBe("EACCES");
      expect(attempt(`require("node:fs").readFileSync(${quoted(file)})`)).toBe("EACCES");
    }
    expect(attempt(`require("node:fs").renameSync(${quoted(socket)}, ${quoted(`${socket}.away`)})`)).toBe("EACCES");
    expect(auditLines(world)).toHaveLength(1);
    expect(await ask(socket, "list-agents", {})).toMatchObject({ payload: [{ agent: "bob", state: "idle" }] });
    // The same words from the right user are believed, so it was not the request that was wrong.
    expect(await ask(socket, "hook-event", JSON.parse(forged).payload)).toMatchObject({ payload: { processed: true } });
  });

  it("who may write to the folder keep us from serving there", async () => {
    turnTeamsOn(world);
    fs.mkdirSync(teamPlaces(world).daemon, { recursive: true });
    fs.chmodSync(teamPlaces(world).daemon, 0o777);
    const daemon = await world.startDaemon();
    expect(daemon.stderr).toContain("others may write to");
    expect(fs.existsSync(socket)).toBe(false);
  });
});
