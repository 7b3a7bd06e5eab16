import { randomUUID } from "node:crypto";
import * as z from "zod";
import { HookwrightError } from "../../../core/errors.ts";
import type { JsonObject } from "../../../core/event.ts";
import { atmHome } from "../../../domain/team/atm-paths.ts";
import { LIFECYCLE_EVENTS, readLifecycleEvent } from "../../../domain/team/lifecycle.ts";
import { hookEventRequest } from "../../../domain/team/protocol.ts";
import { flushLines, teamServiceOn } from "../../../domain/team/service.ts";
import { askSocket } from "../../../domain/team/socket-client.ts";
import { system } from "../../../system/system.ts";
import type { CliCommand, CommandContext } from "../../command.ts";
import { explainCommand } from "../explain/command.ts";
import { journalCommand } from "../journal/command.ts";
import { policiesCommand } from "../policies/command.ts";
import { teamsCommand } from "../teams/command.ts";
import { openTeamAccess, socketOwner, withDatabase } from "../teams/team-access.ts";
import type { Tool } from "./server.ts";

type Io = Pick<CommandContext, "cwd" | "env">;

const MOST_ENTRIES = 200;
const text = (description: string) => z.string().describe(description);
const optional = (description: string) => text(description).optional();
const howMany = z.number().int().optional().describe("How many; 20 when not given.");

/** The tools for an agent. All of them only read, except `hook_event`; none changes what is allowed. */
export function toolsFor(io: Io): Tool[] {
  return [
    {
      name: "sessions",
      description: "Agent sessions that Hookwright has seen, the latest first: project, times, events and tool calls.",
      input: z.strictObject({ limit: howMany }),
      isReadOnly: true,
      run: async (args) => JSON.stringify(sessions(io, count(args.limit, 20))),
    },
    {
      name: "teams",
      description: "Teams with their members: lead, state, session, and whether it is alive.",
      input: z.strictObject({ team: optional("Only this team.") }),
      isReadOnly: true,
      run: (args) => printed(teamsCommand, ["status", ...given(args.team)], {}, io),
    },
    {
      name: "journal",
      description: "What happened lately: events and what was answered, one JSON object per line.",
      input: z.strictObject({
        session: optional("Only this session."),
        denied: z.boolean().optional().describe("Only what was denied."),
        limit: howMany,
      }),
      isReadOnly: true,
      run: (args) => {
        const options = {
          limit: String(count(args.limit, 20)),
          denied: args.denied === true,
          ...named("session", args.session),
        };
        return printed(journalCommand, [], options, io);
      },
    },
    {
      name: "policies",
      description: "Which policies are on, in what order and why; with an id everything about one.",
      input: z.strictObject({ id: optional("For example teams/spawn-gate.") }),
      isReadOnly: true,
      run: (args) => printed(policiesCommand, given(args.id), {}, io),
    },
    {
      name: "explain",
      description: "What every policy said of one recorded event, and what the answer came to.",
      input: z.strictObject({
        id: z.number().int().optional().describe("The entry's number in the journal; the last one when not given."),
      }),
      isReadOnly: true,
      run: (args) => {
        const options = typeof args.id === "number" ? { id: String(args.id) } : { last: true };
        return printed(explainCommand, [], options, io);
      },
    },
    {
      name: "hook_event",
      description:
        "Reports that an agent of a team started, works, waits or ended. Only members of the team are believed.",
      // Not strict: what a caller says of its source is dropped.
      input: z.object({
        event: z.enum(LIFECYCLE_EVENTS),
        agent: text("The member's name."),
        team: text("The team's name."),
        session_id: text("The agent's session."),
        process_id: z.number().int().optional().describe("Its process, so that its end is noticed."),
      }),
      isReadOnly: false,
      run: async (args) => JSON.stringify(await hookEvent(args as JsonObject, io)),
    },
  ];
}

/** Runs a command of the command line and returns what it printed. */
async function printed(
  command: CliCommand,
  args: readonly string[],
  options: CommandContext["options"],
  io: Io,
): Promise<string> {
  const lines: string[] = [];
  const errors: string[] = [];
  const say = { out: (line: string) => void lines.push(line), err: (line: string) => void errors.push(line) };
  const code = await command.run({ ...io, ...say, args, options: { json: true, ...options } });
  if (code !== 0 && lines.length === 0) throw new Error(errors.join("\n") || `it failed with ${code}`);
  return lines.join("\n");
}

function sessions(io: Io, limit: number) {
  const sql = `
    SELECT one.agent, one.session, one.project, first_at, COALESCE(latest.at, last_at) AS last_at,
      counted.events, calls
    FROM sessions AS one
    LEFT JOIN (
      SELECT session, MAX(id) AS latest, count(*) AS events, count(CASE event WHEN 'tool.before' THEN 1 END) AS calls
      FROM journal GROUP BY session
    ) AS counted ON counted.session = one.session
    LEFT JOIN journal AS latest ON latest.id = counted.latest
    ORDER BY 5 DESC LIMIT ?`;
  return withDatabase(openTeamAccess(io), (db) =>
    db.all(sql, limit).map((row) => ({
      agent: row.agent,
      session: row.session,
      project: row.project,
      first: new Date(Number(row.first_at)).toISOString(),
      last: new Date(Number(row.last_at)).toISOString(),
      events: row.events ?? 0,
      toolCalls: row.calls ?? 0,
    })),
  );
}

/** Reports a lifecycle event. The source is always `atm_mcp`, whatever the caller writes. */
async function hookEvent(args: JsonObject, io: Io) {
  const payload = { ...args, source: { kind: "atm_mcp" } };
  const id = randomUUID();
  const access = openTeamAccess(io);
  const owner = await socketOwner(access);
  if (owner === "another" || owner === "silent") {
    const answer = await askSocket(access.places.socket, hookEventRequest(id, payload));
    if (answer) return answer.status === "ok" ? answer.payload : answer.error;
  }
  return withDatabase(access, (db) => {
    const service = teamServiceOn(db, atmHome(access.where), access.where, () => Date.now());
    const done = db.transaction(() => service.receive(id, readLifecycleEvent(payload), payload));
    if (!done) throw new HookwrightError("HW_STATE_BUSY", {});
    flushLines(db, system.uid, () => undefined);
    return done.value;
  });
}

function given(value: unknown): string[] {
  return typeof value === "string" && value !== "" ? [value] : [];
}

function named(name: string, value: unknown): Record<string, string> {
  return typeof value === "string" && value !== "" ? { [name]: value } : {};
}

function count(value: unknown, usual: number): number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? Math.min(value, MOST_ENTRIES) : usual;
}
