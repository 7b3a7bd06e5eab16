import type { Json, JsonObject } from "../../core/event.ts";
import type { ForeignFiles, PolicyContext, SettledContext } from "../../core/policy.ts";
import { fingerprint } from "../../core/text/fingerprint.ts";
import { keptPayload } from "../../state/recorded-body.ts";
import { type AtmConfig, atmOf } from "./atm-config.ts";
import { type AtmEnvironment, atmHome, atmPathsIn, isTeamName, teamFolders } from "./atm-paths.ts";
import { applyLifecycle, type LifecycleEvent, withBoundedNames } from "./lifecycle.ts";
import { asRequestId, auditLine, hookEventRequest, lineKey } from "./protocol.ts";
import type { TeamRegistry } from "./registry.ts";
import { readTeam, TEAM_FILE, type Team } from "./team-config.ts";

/** The name of the job that sends a report to the socket; the engine runs it. */
export const REPORT_JOB = "teams/report";

interface Settling extends Pick<SettledContext, "now" | "addLine" | "job" | "residentJob" | "env" | "read" | "info"> {
  readonly foreign: ForeignFiles;
  readonly places: { readonly userHome: string };
}

export function atmEnvironmentOf(ctx: {
  env(name: string): string | undefined;
  readonly places: { readonly userHome: string };
}): AtmEnvironment {
  return { env: (name) => ctx.env(name), userHome: ctx.places.userHome };
}

type ReadJson = <T>(parts: readonly [string, ...string[]], check: (value: Json) => T | undefined) => T | undefined;

/** Reads a team's file from the first folder that has it. An invalid name is never looked up. */
export function findTeam(name: string, where: AtmEnvironment, read: ReadJson): Team | undefined {
  if (!isTeamName(name)) return undefined;
  for (const folder of teamFolders(where)) {
    const team = read([folder, name, TEAM_FILE], readTeam);
    if (team) return team;
  }
  return undefined;
}

/**
 * Reads every file that a later report needs, while the policy decides. The report itself then finds these facts recorded
 * and reads no file while the database is locked.
 */
export function prefetchReportFacts(ctx: PolicyContext, team = ""): undefined {
  const where = atmEnvironmentOf(ctx);
  const atm = atmOf(ctx.read, where);
  if (!atm) return undefined;
  findTeam(team || atm.team, where, ctx.read.json);
  ctx.info(atmPathsIn(atmHome(where)).socket);
  return undefined;
}

/** The agent-team-mail configuration inside a `settled` handler; undefined for a session outside agent-team-mail. */
export function atmInSettled(ctx: Settling): AtmConfig | undefined {
  return atmOf(ctx.foreign, atmEnvironmentOf(ctx));
}

/**
 * Reports a lifecycle event of an agent to the registry, the audit trail and the socket. The registry and the audit line
 * are part of the event's transaction; a job sends the report to the socket, which may be absent.
 */
export function reportLifecycle(
  ctx: Settling,
  registry: TeamRegistry,
  given: LifecycleEvent,
  more: JsonObject,
  raw: JsonObject,
): void {
  const about = withBoundedNames(given);
  const where = atmEnvironmentOf(ctx);
  const now = ctx.now();
  const home = atmHome(where);
  const kept = keptPayload(raw);
  const id = asRequestId(
    fingerprint(about.event, about.team, about.agent, about.session, String(now), JSON.stringify(kept)),
  );
  applyLifecycle(about, registry, (name) => findTeam(name, where, (parts, check) => ctx.read(parts, check)), now);
  // In observe mode nothing leaves the database.
  if (!ctx.addLine([atmPathsIn(home).events], lineKey(id, about), auditLine(about.event, about, id, now, kept))) return;
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
  // Without a socket no detached job is started; only a running daemon takes the job, and it may open the socket first.
  if (ctx.info(atmPathsIn(home).socket) !== undefined) ctx.job(REPORT_JOB, job);
  else ctx.residentJob(REPORT_JOB, job);
}
