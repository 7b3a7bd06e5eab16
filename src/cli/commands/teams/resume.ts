import fs from "node:fs";
import path from "node:path";
import { HookwrightError } from "../../../core/errors.ts";
import { safeName } from "../../../core/text/safe-name.ts";
import { isSessionAlive } from "../../../domain/team/liveness.ts";
import { agentSessionIn, earlierSessionsBefore } from "../../../domain/team/registry.ts";
import { registryIn } from "../../../domain/team/service.ts";
import type { Team } from "../../../domain/team/team-config.ts";
import type { CommandContext } from "../../command.ts";
import { isAncestor } from "../../state/processes.ts";
import { captureSession } from "./capture-session.ts";
import { editSharedJson, withLead, withMessage } from "./edit-team-file.ts";
import {
  entriesOf,
  type LivenessSource,
  livenessSource,
  openTeamAccess,
  requireTeam,
  type TeamAccess,
  withDatabase,
} from "./team-access.ts";

/** Makes another session the lead of a team. */
export async function resumeTeam(context: CommandContext, name: string, words: readonly string[]): Promise<number> {
  const { options, out } = context;
  const access = openTeamAccess(context);
  const { team, file } = requireTeam(name, access);
  if (access.identity !== team.lead) {
    throw new HookwrightError("HW_TEAM_LEAD_ONLY", {
      team: name,
      lead: team.lead,
      who: access.identity || "nobody it knows",
    });
  }
  if (options.kill && !options.force) usage("--kill ends a running session, so it needs --force too");
  const session = sessionOf(context);
  if (team.leadSession === session) {
    out(`${name} is already led by this session (${short(session)}).`);
    return 0;
  }
  const witness = await livenessSource(access);
  if (await isLeadAlive(name, team, witness)) {
    if (!options.force) {
      throw new HookwrightError("HW_TEAM_LEAD_ALIVE", { team: name, session: short(team.leadSession) });
    }
    if (options.kill) out(endSession(name, team, access));
  }
  await editSharedJson(file, access.home.backups, (text) => withLead(text, team.lead, session));
  registerLead(name, team, session, access);
  const told = await tellOthers(
    file,
    team,
    words.join(" ") || `${team.lead} is now session ${short(session)}.`,
    access,
  );
  out(
    `${name} is led by session ${short(session)} now${team.leadSession === "" ? "" : `, before by ${short(team.leadSession)}`}.`,
  );
  if (told.length > 0) out(`Told ${told.join(", ")}.`);
  return 0;
}

const short = (session: string): string => session.slice(0, 8);

function usage(detail: string): never {
  throw new HookwrightError("HW_USAGE", { detail, command: "teams" });
}

function sessionOf({ options, env }: CommandContext): string {
  const given = options["session-id"] ?? env.CLAUDE_SESSION_ID ?? env.CLAUDE_CODE_SESSION_ID ?? "";
  if (typeof given !== "string" || given.trim() === "") {
    usage("which session? Pass --session-id; the session's context begins with it, as SESSION_ID=…");
  }
  return given.trim();
}

/** An unknown lead counts as dead, so that a restarted machine does not keep a team locked. */
async function isLeadAlive(name: string, team: Team, witness: LivenessSource): Promise<boolean> {
  return team.leadSession !== "" && (await witness.isAlive(name, team.lead, team.leadSession)) === true;
}

/** Ends the process of the previous lead, after saving what it shows. */
function endSession(name: string, team: Team, access: TeamAccess): string {
  const entry = entriesOf(access, name).find(({ agent }) => agent === team.lead);
  const known = entry && agentSessionIn(entry, team.leadSession);
  if (!known || known.pid === 0 || !isSessionAlive(known)) {
    return "The process of the lead before is not known, so it was not ended.";
  }
  if (isAncestor(known.pid)) usage("--kill would end the session that runs this command");
  const pane = team.members.find((member) => member.name === team.lead)?.pane ?? "";
  const of = {
    team: name,
    session: known.session,
    pid: known.pid,
    pane,
    transcript: transcriptOf(known.session, access),
  };
  const kept = captureSession(path.join(access.home.root, "captures"), of, access.env);
  process.kill(known.pid, "SIGTERM");
  return `Asked process ${known.pid} to end. What it showed is saved in ${kept}.`;
}

function transcriptOf(session: string, access: TeamAccess): string {
  return withDatabase(access, (db) => {
    const row = db.get("SELECT body FROM journal WHERE id = (SELECT MAX(id) FROM journal WHERE session = ?)", session);
    const body = row ? (JSON.parse(String(row.body)) as { transcript_path?: unknown }) : {};
    return typeof body.transcript_path === "string" ? body.transcript_path : "";
  });
}

function registerLead(name: string, team: Team, session: string, access: TeamAccess): void {
  const pid = Number(access.env.CLAUDE_PID) || 0;
  withDatabase(access, (db) =>
    db.transaction(() => {
      const registry = registryIn(db);
      const before = registry.find(name, team.lead);
      // The session's own start was already reported, with its pid.
      if (before?.session === session && before.registry === "Active") return;
      const entry = { team: name, agent: team.lead, session, pid, registry: "Active", state: "launching" } as const;
      registry.put({ ...entry, ...earlierSessionsBefore(session, before), source: "unknown", at: Date.now() });
    }),
  );
}

/** Writes a message to the members' inboxes. Inboxes belong to the agent, so none is created. */
async function tellOthers(file: string, team: Team, text: string, access: TeamAccess): Promise<string[]> {
  const told: string[] = [];
  for (const { name } of team.members) {
    const inbox = name === "" ? "" : path.join(path.dirname(file), "inboxes", `${safeName(name)}.json`);
    if (name === team.lead || inbox === "" || !fs.existsSync(inbox)) continue;
    const message = { from: team.lead, text, timestamp: new Date().toISOString(), read: false };
    if (await editSharedJson(inbox, access.home.backups, (before) => withMessage(before, message))) told.push(name);
  }
  return told;
}
