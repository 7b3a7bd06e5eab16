import path from "node:path";
import type { Json, JsonObject } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";
import type { ForeignFiles } from "../../core/policy.ts";
import type { AtmEnvironment } from "./atm-paths.ts";

export const ATM_FILE = ".atm.toml";
const LONGEST_WELCOME = 2_000;
const LONGEST_WORD = 128;

/** The content of `.atm.toml`. A project uses agent-team-mail when it has this file. */
export interface AtmFile {
  readonly team: string;
  readonly identity: string;
  readonly welcome: string;
  readonly policies: Readonly<Record<string, TeamPolicy>>;
}

export interface TeamPolicy {
  readonly anyMember: boolean;
  readonly coLeaders: readonly string[];
}

export function readAtmFile(value: Json): AtmFile | undefined {
  if (!isObject(value)) return undefined;
  const core = isObject(value.core) ? value.core : {};
  const teams = isObject(value.team) ? value.team : {};
  return {
    team: word(core.default_team),
    identity: word(core.identity),
    welcome: text(core["welcome-message"]).slice(0, LONGEST_WELCOME),
    policies: Object.fromEntries(
      Object.entries(teams).flatMap(([name, policy]) => (isObject(policy) ? [[name, readPolicy(policy)]] : [])),
    ),
  };
}

function readPolicy(policy: JsonObject): TeamPolicy {
  const coLeaders: readonly Json[] = Array.isArray(policy.co_leaders) ? policy.co_leaders : [];
  return {
    anyMember: text(policy.spawn_policy) === "any-member",
    coLeaders: coLeaders.map(text).filter((name) => name !== ""),
  };
}

/** Team and identity of a project, with the same precedence as in the `atm` command. */
export interface AtmConfig {
  readonly team: string;
  readonly identity: string;
  readonly file: AtmFile;
}

export function atmOf(files: ForeignFiles, where: AtmEnvironment): AtmConfig | undefined {
  const file = files.tomlAbove(ATM_FILE, readAtmFile);
  if (!file) return undefined;
  const personal = (): AtmFile | undefined => files.toml([personalAtmFile(where.userHome)], readAtmFile);
  return {
    file,
    team: oneLine(where.env("ATM_TEAM")?.trim() ?? "") || file.team || personal()?.team || "",
    identity: oneLine(where.env("ATM_IDENTITY")?.trim() ?? "") || file.identity || personal()?.identity || "",
  };
}

export function personalAtmFile(userHome: string): string {
  return path.join(userHome, ".config", "atm", "config.toml");
}

/** These values become part of one line that the model reads. */
function word(value: Json | undefined): string {
  return oneLine(text(value));
}

export function oneLine(value: string): string {
  return value.replace(/\p{Cc}+/gu, " ").slice(0, LONGEST_WORD);
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value.trim() : "";
}
