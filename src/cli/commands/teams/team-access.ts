import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { readToml } from "../../../config/toml.ts";
import { projectRoot } from "../../../core/actor.ts";
import { HookwrightError } from "../../../core/errors.ts";
import type { ForeignFiles } from "../../../core/policy.ts";
import { ATM_FILE, type AtmConfig, atmOf } from "../../../domain/team/atm-config.ts";
import { type AtmEnvironment, type AtmPaths, atmHome, atmPathsIn, isTeamName } from "../../../domain/team/atm-paths.ts";
import { isSessionAlive } from "../../../domain/team/liveness.ts";
import { PROTOCOL_VERSION } from "../../../domain/team/protocol.ts";
import { agentSessionIn, type TeamRegistryEntry } from "../../../domain/team/registry.ts";
import { registryIn, teamFileOf, teamIn } from "../../../domain/team/service.ts";
import { askSocket } from "../../../domain/team/socket-client.ts";
import type { Team } from "../../../domain/team/team-config.ts";
import { nearestAbove } from "../../../engine/decide/foreign-files.ts";
import { Database } from "../../../state/database.ts";
import type { Home } from "../../../system/home.ts";
import { system } from "../../../system/system.ts";
import type { CommandContext } from "../../command.ts";
import { homeOf } from "../../installation/current-build.ts";

const BUSY_MS = 2_000;
const LARGEST_TOML = 256 * 1024;

export interface TeamAccess {
  readonly home: Home;
  readonly where: AtmEnvironment;
  readonly places: AtmPaths;
  readonly env: NodeJS.ProcessEnv;
  readonly atm: AtmConfig | undefined;
  /** The identity of the caller; empty when unknown. */
  readonly identity: string;
}

export function openTeamAccess({ env, cwd }: Pick<CommandContext, "env" | "cwd">): TeamAccess {
  const where = { env: (name: string) => env[name], userHome: env.HOME || os.homedir() };
  const atm = atmOf(filesFor(cwd), where);
  const identity = atm?.identity || env.ATM_IDENTITY?.trim() || "";
  return { home: homeOf(env), where, places: atmPathsIn(atmHome(where)), env, atm, identity };
}

/** Reads the current files with the same rules as the policies. */
function filesFor(cwd: string): ForeignFiles {
  const read = (file: string) => {
    const text = system.readText(file, LARGEST_TOML);
    const toml = text === undefined ? undefined : readToml(text);
    return toml && "value" in toml ? toml.value : undefined;
  };
  return {
    toml([base, ...names], check) {
      const value = read(path.join(base, ...names));
      return value === undefined ? undefined : check(value);
    },
    tomlAbove(name, check) {
      const file = nearestAbove(name, cwd, projectRoot(cwd, system), system);
      const value = file === undefined ? undefined : read(file);
      return file === undefined || value === undefined ? undefined : check(value, file);
    },
    frontMatter: () => undefined,
  };
}

/** Why the project's `.atm.toml` cannot be read; `problem` is empty when it can. Undefined without such a file. */
export function atmFileProblem(cwd: string): { readonly file: string; readonly problem: string } | undefined {
  const file = nearestAbove(ATM_FILE, cwd, projectRoot(cwd, system), system);
  if (file === undefined) return undefined;
  const text = system.readText(file, LARGEST_TOML);
  if (text === undefined) return { file, problem: "it cannot be read" };
  const toml = readToml(text);
  return { file, problem: "problem" in toml ? toml.problem : "" };
}

export function requireTeam(name: string, { where }: TeamAccess): { readonly team: Team; readonly file: string } {
  if (!isTeamName(name)) throw new HookwrightError("HW_PATH_ESCAPES", { name });
  const file = teamFileOf(name, where);
  const team = file === undefined ? undefined : teamIn(name, where);
  if (file === undefined || !team) throw new HookwrightError("HW_TEAM_UNKNOWN", { team: name });
  return { team, file };
}

/** The source that tells which agents are alive: our registry, or another program's daemon that owns the socket. */
export interface LivenessSource {
  readonly kind: "registry" | "daemon" | "silent";
  /** Undefined when nothing is known about the agent. */
  isAlive(team: string, agent: string, session?: string): Promise<boolean | undefined>;
}

export async function livenessSource(access: TeamAccess): Promise<LivenessSource> {
  const owner = await socketOwner(access);
  if (owner === "silent") return { kind: "silent", isAlive: async () => undefined };
  if (owner === "another")
    return { kind: "daemon", isAlive: (...about) => aliveForDaemon(access.places.socket, ...about) };
  return { kind: "registry", isAlive: async (...about) => aliveInRegistry(access, ...about) };
}

/** `silent`: a program accepts connections there but does not answer. */
export type SocketOwner = "us" | "another" | "nobody" | "silent";

export async function socketOwner({ places, home }: TeamAccess): Promise<SocketOwner> {
  if (!fs.existsSync(places.socket)) return "nobody";
  const request = {
    version: PROTOCOL_VERSION,
    request_id: `who-${process.pid}`,
    command: "hookwright-status",
    payload: {},
  };
  try {
    const answer = await askSocket(places.socket, request);
    if (answer === undefined) return "nobody";
    const isOurs =
      answer.status === "ok" && (answer.payload as { database?: unknown } | null)?.database === home.database;
    return isOurs ? "us" : "another";
  } catch (error) {
    if (error instanceof Error) return "silent";
    throw error;
  }
}

async function aliveForDaemon(
  socket: string,
  team: string,
  agent: string,
  session?: string,
): Promise<boolean | undefined> {
  const payload = { name: agent, agent, team };
  const request = {
    version: PROTOCOL_VERSION,
    request_id: `query-${process.pid}-${agent}`,
    command: "session-query",
    payload,
  };
  const answer = await askSocket(socket, request).catch((error: unknown) => {
    if (error instanceof Error) return undefined;
    throw error;
  });
  if (answer?.status !== "ok") return undefined;
  const { alive, session_id: known } = answer.payload as { alive?: unknown; session_id?: unknown };
  if (session !== undefined && typeof known === "string" && known !== session) return undefined;
  return typeof alive === "boolean" ? alive : undefined;
}

function aliveInRegistry(access: TeamAccess, team: string, agent: string, session?: string): boolean | undefined {
  const entry = entriesOf(access, team).find((one) => one.agent === agent);
  const found = entry && (session === undefined ? entry : agentSessionIn(entry, session));
  return found && isSessionAlive(found);
}

export function entriesOf(access: TeamAccess, team?: string): TeamRegistryEntry[] {
  if (!fs.existsSync(access.home.database)) return [];
  return withDatabase(access, (db) => (team === undefined ? registryIn(db).all() : registryIn(db).ofTeam(team)));
}

export function withDatabase<T>(access: TeamAccess, work: (db: Database) => T): T {
  const db = new Database(access.home.database, BUSY_MS);
  try {
    return work(db);
  } finally {
    db.close();
  }
}
