import fs from "node:fs";
import path from "node:path";
import type { ConfigOwner, ConfigSource } from "../../config/compile.ts";
import { describe } from "../../core/errors.ts";
import { fingerprint } from "../../core/text/fingerprint.ts";
import type { Home } from "../../system/home.ts";
import { readTrust, standingOf, trustFileAt } from "./trust.ts";

export const PROJECT_CONFIG = "hookwright.yml";
export const LARGEST_CONFIG = 256 * 1024;

/** A configuration file that exists, whether or not it can be read. */
export interface ConfigFile {
  readonly file: string;
  readonly owner: ConfigOwner;
  /** Changes whenever the file does. */
  readonly stamp: string;
  /** When the system last saw the file change, in epoch milliseconds. */
  readonly changedAt: number;
}

/** The policy bundle of a fleet, in its folder; its signature was checked before it was put there. */
export const FLEET_CONFIG = "bundle.yml";

/**
 * The person's file first, then the project's nearest one: the later one is laid over the earlier. The bundle of a fleet
 * comes last, so that what it makes stricter stays so, also where a project is trusted.
 */
export function findConfigFiles(home: Home, cwd: string, project: string): ConfigFile[] {
  const fleet = configFileAt(path.join(home.fleet, FLEET_CONFIG), "fleet");
  const found = [configFileAt(home.config, "person"), projectFile(cwd, project), fleet];
  return found.filter((one) => one !== undefined);
}

/**
 * From the working directory up to the project root, the first one found. A linked worktree lies beside the project:
 * there the search ends at the worktree's own root and goes on with the main checkout.
 */
export function projectFile(cwd: string, project: string): ConfigFile | undefined {
  if (!path.isAbsolute(cwd)) return undefined;
  for (let dir = path.normalize(cwd); ; dir = path.dirname(dir)) {
    const found = configFileAt(path.join(dir, PROJECT_CONFIG), "project");
    if (found || dir === project) return found;
    if (dir === path.dirname(dir) || fs.existsSync(path.join(dir, ".git"))) break;
  }
  return configFileAt(path.join(project, PROJECT_CONFIG), "project");
}

function configFileAt(file: string, owner: ConfigFile["owner"]): ConfigFile | undefined {
  const version = fileVersion(file);
  return version && { file, owner, ...version };
}

/** Undefined: there is no such file. */
export function fileVersion(file: string): Pick<ConfigFile, "stamp" | "changedAt"> | undefined {
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (!stat) return undefined;
    // The change time cannot be set back, so no edit hides behind an old date.
    return { stamp: [stat.mtimeMs, stat.ctimeMs, stat.size, stat.ino, stat.mode].join(":"), changedAt: stat.ctimeMs };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    // A path too long or too odd to exist holds no file; a folder that may not be entered or a link in a circle might.
    return code === "EACCES" || code === "ELOOP" ? { stamp: code, changedAt: 0 } : undefined;
  }
}

export type ConfigContent =
  | { readonly bytes: Buffer; readonly text: string }
  /** A sentence that says why it cannot be read. */
  | { readonly unreadable: string };

export function readConfigFile(file: string): ConfigContent {
  try {
    const stat = fs.statSync(file);
    if (stat.isDirectory()) return { unreadable: `${file}: this is a directory, not a file.` };
    if (!stat.isFile()) return { unreadable: `${file}: this is not a regular file.` };
    if (stat.size > LARGEST_CONFIG) {
      return { unreadable: `${file}: the file has ${stat.size} bytes; more than ${LARGEST_CONFIG} are not read.` };
    }
    const bytes = fs.readFileSync(file);
    const text = bytes.toString("utf8");
    const wrong = firstDifference(bytes, Buffer.from(text));
    if (wrong < 0) return { bytes, text: text.replace(/^\uFEFF/, "") };
    const lines = bytes.subarray(0, wrong).toString("utf8").split("\n");
    return { unreadable: `${file}:${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}: this is not UTF-8 text.` };
  } catch (error) {
    // The message of Node ends with the path, which our sentence has already.
    return { unreadable: `${file}: it cannot be read (${describe(error).replace(/, \w+( '.*')?$/, "")}).` };
  }
}

/** Bytes that are not UTF-8 do not survive being read as text and written again. */
function firstDifference(bytes: Buffer, again: Buffer): number {
  if (bytes.equals(again)) return -1;
  return bytes.findIndex((byte, index) => byte !== again[index]);
}

export interface ConfigSources {
  readonly sources: readonly ConfigSource[];
  /** Problems of the record of trusted files, or of the trust in this file. */
  readonly problems: readonly string[];
}

/** Everything the compiler needs to know about the files found. */
export function readConfigSources(home: Home, found: readonly ConfigFile[]): ConfigSources {
  const problems: string[] = [];
  const sources = found.map(({ file, owner }): ConfigSource => {
    const content = readConfigFile(file);
    const lastGood = readLastGood(home, file);
    const base = { file, owner, ...(lastGood === undefined ? {} : { lastGood }) };
    if ("unreadable" in content) return { ...base, text: "", unreadable: content.unreadable };
    const trusted = owner === "project" && isTrusted(home, file, content.bytes, problems);
    return { ...base, text: content.text, trusted };
  });
  return { sources, problems };
}

function isTrusted(home: Home, file: string, bytes: Buffer, problems: string[]): boolean {
  // Without a record there is nothing to compare with, and no reason to load a hash function.
  if (!fs.existsSync(trustFileAt(home.root))) return false;
  const trust = readTrust(home.root);
  if (trust.problem !== "") problems.push(trust.problem);
  const standing = standingOf(trust, file, bytes);
  if (standing === "changed") {
    problems.push(
      `${file} has changed since you trusted it, so only its stricter settings apply. Run \`hookwright trust\` in the project to review it.`,
    );
  }
  return standing === "trusted";
}

export function lastGoodFile(home: Home, file: string): string {
  return path.join(home.cache, `config-good-${fingerprint(file)}.yml`);
}

function readLastGood(home: Home, file: string): string | undefined {
  const content = readConfigFile(lastGoodFile(home, file));
  return "text" in content ? content.text : undefined;
}
