import type { Json, JsonObject } from "../../core/event.ts";
import type { ForeignFiles, PolicyContext, SettledContext } from "../../core/policy.ts";
import { fingerprint } from "../../core/text/fingerprint.ts";
import { keptPayload } from "../../state/recorded-body.ts";
import { type Atm, atmOf } from "./atm-config.ts";
import { atmHome, atmPlaces, isTeamName, type Surroundings, teamFolders } from "./folders.ts";
import { applyLifecycle, type LifecycleEvent, withinBounds } from "./lifecycle.ts";
import { asRequestId, auditLine, hookEventRequest, lineKey } from "./messages.ts";
import type { TeamRegistry } from "./registry.ts";
import { readTeam, TEAM_FILE, type Team } from "./team-config.ts";

/** Tells whoever listens on the socket; see the engine's jobs. */
export const REPORT_JOB = "teams/report";

interface Settling extends Pick<SettledContext, "now" | "addLine" | "job" | "residentJob" | "env" | "read" | "info"> {
  readonly foreign: ForeignFiles;
  readonly places: { readonly userHome: string };
}

export function surroundingsOf(ctx: {
  env(name: string): string | undefined;
  readonly places: { readonly userHome: string };
}): Surroundings {
  return { env: (name) => ctx.env(name), userHome: ctx.places.userHome };
}

type ReadJson = <T>(parts: readonly [string, ...string[]], check: (value: Json) => T | undefined) => T | undefined;

/** The team's own file, wherever it is kept. A name that is no team's is never looked for. */
export function findTeam(name: string, where: Surroundings, read: ReadJson): Team | undefined {
  if (!isTeamName(name)) return undefined;
  for (const folder of teamFolders(where)) {
    const team = read([folder, name, TEAM_FILE], readTeam);
    if (team) return team;
  }
  return undefined;
}

/**
 * Looks at everything outside that a report will need. What was seen is known by the time the report is written, and
 * nobody has to wait for a file while the database is locked.
 */
export function lookAhead(ctx: PolicyContext, team = ""): undefined {
  const where = surroundingsOf(ctx);
  const atm = atmOf(ctx.read, where);
  if (!atm) return undefined;
  findTeam(team || atm.team, where, ctx.read.json);
  ctx.info(atmPlaces(atmHome(where)).socket);
  return undefined;
}

/** The configuration of a session that takes part in agent-team-mail; undefined for every other one. */
export function atmWhileSettling(ctx: Settling): Atm | undefined {
  return atmOf(ctx.foreign, surroundingsOf(ctx));
}

/**
 * What a hook has to say about an agent: into the audit trail, into the registry, and to whoever listens on the socket.
 * The registry and the line are part of the event's own transaction; the socket is served by a job and may be absent.
 */
export function report(
  ctx: Settling,
  registry: TeamRegistry,
  given: LifecycleEvent,
  more: JsonObject,
  raw: JsonObject,
): void {
  const about = withinBounds(given);
  const where = surroundingsOf(ctx);
  const now = ctx.now();
  const home = atmHome(where);
  const kept = keptPayload(raw);
  const id = asRequestId(
    fingerprint(about.event, about.team, about.agent, about.session, String(now), JSON.stringify(kept)),
  );
  applyLifecycle(about, registry, (name) => findTeam(name, where, (parts, check) => ctx.read(parts, check)), now);
  // While the policy only observes, nothing outside our database hears of it.
  if (!ctx.addLine([atmPlaces(home).events], lineKey(id, about), auditLine(about.event, about, id, now, kept))) return;
  const payload = {
    event: about.event,
    session_id: about.session,
    agent: about.agent || null,
    team: about.team || null,
    ...(about.pid > 0 ? { process_id: about.pid } : {}),
    ...more,
  };
  registry.keepHome(home, now);
  const job = { home, request: hookEventRequest(id, payload) as unknown as Json };
  // Where nobody listens there is nobody to tell; the daemon, though, may begin to listen.
  if (ctx.info(atmPlaces(home).socket) !== undefined) ctx.job(REPORT_JOB, job);
  else ctx.residentJob(REPORT_JOB, job);
}
