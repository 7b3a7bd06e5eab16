/** A team, a project that belongs to it, and somebody who speaks to the socket. */
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { World } from "./world.ts";

export const TEAM = "atm-dev";
/** Reports the whole life of one agent; see there. */
export const TEAM_CLIENT = fileURLToPath(new URL("./team-client.mjs", import.meta.url));

export function teamPlaces(world: World) {
  const daemon = path.join(world.userHome, ".claude", "daemon");
  return {
    daemon,
    socket: path.join(daemon, "atm-daemon.sock"),
    events: path.join(daemon, "hooks", "events.jsonl"),
    config: path.join(world.userHome, ".claude", "teams", TEAM, "config.json"),
  };
}

/** `members` beside the lead. */
export function makeTeam(world: World, members: readonly string[] = ["bob"], leadSession = "lead-session"): void {
  const { config } = teamPlaces(world);
  fs.mkdirSync(path.dirname(config), { recursive: true });
  const names = ["team-lead", ...members];
  const team = {
    name: TEAM,
    createdAt: 1_770_000_000_000,
    leadAgentId: `team-lead@${TEAM}`,
    leadSessionId: leadSession,
    members: names.map((name) => ({
      agentId: `${name}@${TEAM}`,
      name,
      agentType: "general-purpose",
      future: { kept: true },
    })),
    unknownField: [1, 2, 3],
  };
  fs.writeFileSync(config, `${JSON.stringify(team, null, 2)}\n`);
  const toml = `[core]\ndefault_team = "${TEAM}"\nidentity = "team-lead"\n`;
  fs.writeFileSync(path.join(world.project, ".atm.toml"), toml);
  if (world.uid === undefined) return;
  for (const name of fs.readdirSync(world.root, { recursive: true, encoding: "utf8" })) {
    fs.chownSync(path.join(world.root, name), world.uid, world.uid);
  }
}

/** The person has the teams on everywhere, so that a daemon serves the socket from its start. */
export function turnTeamsOn(world: World): void {
  fs.mkdirSync(world.home, { recursive: true, mode: 0o700 });
  fs.writeFileSync(path.join(world.home, "config.yml"), "profiles: [safety, teams]\n");
  if (world.uid !== undefined)
    for (const one of [world.home, path.join(world.home, "config.yml")]) fs.chownSync(one, world.uid, world.uid);
}

export interface Answered {
  readonly status: string;
  readonly payload?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

let requests = 0;

/** One request on a connection of its own. Fails when the socket does. */
export function ask(
  socket: string,
  command: string,
  payload: object,
  id = `test-${process.pid}-${++requests}`,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    let received = "";
    const connection = net.connect(socket, () => {
      connection.end(`${JSON.stringify({ version: 1, request_id: id, command, payload })}\n`);
    });
    connection.setEncoding("utf8").on("data", (text) => {
      received += text;
    });
    connection.on("error", reject);
    connection.on("end", () => {
      if (received.endsWith("\n")) resolve(JSON.parse(received) as Answered);
      else reject(new Error(`no whole answer: ${received}`));
    });
  });
}

export interface AuditLine {
  readonly type: string;
  readonly agent: string | null;
  readonly team: string | null;
  readonly session_id: string;
  readonly request_id: string;
  readonly source: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export function auditLines(world: World): AuditLine[] {
  const { events } = teamPlaces(world);
  if (!fs.existsSync(events)) return [];
  const lines = fs.readFileSync(events, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as AuditLine);
}

export function sessionStart(world: World, session: string, source = "startup"): Record<string, unknown> {
  return { hook_event_name: "SessionStart", source, session_id: session, cwd: world.project };
}

export function sessionEnd(world: World, session: string): Record<string, unknown> {
  return { hook_event_name: "SessionEnd", reason: "other", session_id: session, cwd: world.project };
}

export function teammateIdle(world: World, teammate: string, prompt: string): Record<string, unknown> {
  const base = { hook_event_name: "TeammateIdle", session_id: `of-${teammate}`, cwd: world.project, prompt_id: prompt };
  return { ...base, teammate_name: teammate, team_name: TEAM };
}
