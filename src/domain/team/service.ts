import fs from "node:fs";
import type { Json, JsonObject } from "../../core/event.ts";
import { safeName } from "../../core/text/safe-name.ts";
import { addLine, hasLine, writeOpenLines } from "../../state/appended-lines.ts";
import type { Database } from "../../state/database.ts";
import { maskJson } from "../../state/masking.ts";
import { keptPayload } from "../../state/recorded-body.ts";
import { bumpRevision } from "../../state/sessions.ts";
import { openTable, PERSON_SCOPE } from "../../state/stores.ts";
import { type AtmEnvironment, atmPathsIn, teamFolders } from "./atm-paths.ts";
import { inputQueue, queueInput } from "./control.ts";
import type { TeamService } from "./handle-request.ts";
import { applyLifecycle } from "./lifecycle.ts";
import { isSessionAlive } from "./liveness.ts";
import { auditLine, lineKey } from "./protocol.ts";
import { openRegistry, type TeamRegistry, teams } from "./registry.ts";
import { isMember, readTeam, TEAM_FILE, type Team } from "./team-config.ts";

const LARGEST_TEAM_FILE = 4 * 1024 * 1024;

/** The registry outside of an event: for reading, or for writing inside the caller's transaction. */
export function registryIn(db: Database): TeamRegistry {
  return openRegistry(openTable(db, PERSON_SCOPE, teams.name, () => bumpRevision(db, PERSON_SCOPE)));
}

/** The path of a team's configuration file; undefined when there is none. */
export function teamFileOf(name: string, where: AtmEnvironment): string | undefined {
  return teamFolders(where)
    .map((folder) => `${folder}/${safeName(name)}/${TEAM_FILE}`)
    .find((file) => fs.statSync(file, { throwIfNoEntry: false })?.isFile());
}

/** Undefined also for a file that cannot be read: then no claim of membership is accepted. */
export function teamIn(name: string, where: AtmEnvironment): Team | undefined {
  const file = teamFileOf(name, where);
  if (file === undefined || fs.statSync(file).size > LARGEST_TEAM_FILE) return undefined;
  try {
    return readTeam(JSON.parse(fs.readFileSync(file, "utf8")) as Json);
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** The service behind the team socket. Must be called inside a transaction, so that a request is applied as a whole. */
export function teamServiceOn(db: Database, home: string, where: AtmEnvironment, now: () => number): TeamService {
  const registry = registryIn(db);
  const { events } = atmPathsIn(home);
  const leaveLine = (key: string, line: JsonObject): void =>
    void addLine(db, events, key, JSON.stringify(maskJson(line)), now());
  return {
    now,
    database: db.file,
    registry,
    isMember(name, agent) {
      const team = teamIn(name, where);
      return team !== undefined && isMember(team, agent);
    },
    deliver(id, entry, text) {
      const about = { ...entry, event: "control" };
      const key = lineKey(id, about);
      if (hasLine(db, events, key)) return { duplicate: true };
      queueInput(inputQueue(home, entry), key, text);
      leaveLine(key, auditLine(about.event, entry, id.slice(0, 128), now(), { characters: text.length }));
      return { duplicate: false };
    },
    isAlive: isSessionAlive,
    receive(id, event, payload: JsonObject) {
      const key = lineKey(id, event);
      if (hasLine(db, events, key)) return { processed: true, duplicate: true };
      const result = applyLifecycle(event, registry, (name) => teamIn(name, where), now());
      const line = {
        ...auditLine(event.event.slice(0, 64), event, id.slice(0, 128), now(), keptPayload(payload)),
        ...result,
      };
      leaveLine(key, line);
      return result;
    },
  };
}

/** Writes the pending lines to their files. False when the attempt has to be repeated. */
export function flushLines(db: Database, uid: number, log: (line: string) => void): boolean {
  const problems = writeOpenLines(db, uid);
  for (const [file, error] of problems ?? []) log(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  return problems !== undefined;
}
