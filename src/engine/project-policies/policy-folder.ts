import fs from "node:fs";
import path from "node:path";
import { describe } from "../../core/errors.ts";
import { fingerprint } from "../../core/text/fingerprint.ts";
import type { Home } from "../../system/home.ts";
import { fileVersion } from "../config/config-files.ts";
import { readTrust, sha256, standingOfHash, trustFileAt } from "../config/trust.ts";

/** In the root of a project: its own policies, and what they import. */
export const POLICY_FOLDER = ".hookwright";
const POLICIES = "policies/";
const MOST_ENTRIES = 200;
const MOST_BYTES = 2 * 1024 * 1024;

export interface ListedFile {
  /** Relative to the folder, with slashes. */
  readonly name: string;
  readonly size: number;
  /** Changes whenever the file does. */
  readonly stamp: string;
  readonly changedAt: number;
}

export interface FolderFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly sha256: string;
}

export interface FolderContent {
  readonly files: readonly FolderFile[];
  /** Of every name and every byte. */
  readonly sha256: string;
}

/** A sentence that says why nothing of the folder is used. */
export interface Refused {
  readonly refused: string;
}

class Refusal extends Error {}

export function policyFolderOf(project: string): string {
  return path.join(project, POLICY_FOLDER);
}

/** Undefined: there is no such folder, which costs one `lstat`. */
export function listFolder(folder: string): readonly ListedFile[] | Refused | undefined {
  const stat = statOf(folder);
  if (!stat) return undefined;
  return refusing(folder, () => {
    if (!stat.isDirectory()) throw new Refusal("it is not a folder, and links are not followed");
    const files: ListedFile[] = [];
    walk(folder, "", { entries: 0, bytes: 0 }, files);
    return files.sort((a, b) => (a.name < b.name ? -1 : 1));
  });
}

/** A folder that may not be read, or an impossible path, holds nothing that could run. */
function statOf(folder: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(folder, { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

function walk(folder: string, below: string, seen: { entries: number; bytes: number }, files: ListedFile[]): void {
  // Entry by entry, so that a folder with a million files is refused at the first entry over the limit.
  const directory = fs.opendirSync(path.join(folder, below));
  try {
    for (let entry = directory.readSync(); entry; entry = directory.readSync()) {
      if (++seen.entries > MOST_ENTRIES) throw new Refusal(`it holds more than ${MOST_ENTRIES} files and folders`);
      const name = below + entry.name;
      const stat = fs.lstatSync(path.join(folder, name));
      if (stat.isDirectory()) walk(folder, `${name}/`, seen, files);
      else if (!stat.isFile()) throw new Refusal(notAFile(name));
      else {
        seen.bytes += stat.size;
        if (seen.bytes > MOST_BYTES) throw new Refusal(tooLarge());
        const stamp = [stat.mtimeMs, stat.ctimeMs, stat.size, stat.ino].join(":");
        files.push({ name, size: stat.size, stamp, changedAt: stat.ctimeMs });
      }
    }
  } finally {
    directory.closeSync();
  }
}

/** The bytes that are hashed here are run later: the files are not read a second time. */
export function readFolder(folder: string, names: readonly string[]): FolderContent | Refused {
  return refusing(folder, () => {
    let bytesLeft = MOST_BYTES;
    const files = names.map((name): FolderFile => {
      const bytes = readRegularFile(path.join(folder, name), name, bytesLeft);
      bytesLeft -= bytes.length;
      return { name, bytes, sha256: sha256(bytes) };
    });
    // A name cannot hold a zero byte and a hash is always as long, so no two folders give the same text.
    const lines = files.map(({ name, sha256 }) => `${name}\0${sha256}\n`);
    return { files, sha256: sha256(Buffer.from(`hookwright folder\n${lines.join("")}`)) };
  });
}

/** Refuses a link that replaced the file since it was listed, and a pipe that would block the read. */
function readRegularFile(file: string, name: string, most: number): Buffer {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  const fd = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = fs.fstatSync(fd);
    if (!stat.isFile()) throw new Refusal(notAFile(name));
    if (stat.size > most) throw new Refusal(tooLarge());
    const bytes = fs.readFileSync(fd);
    if (bytes.length > most) throw new Refusal(tooLarge());
    return bytes;
  } finally {
    fs.closeSync(fd);
  }
}

function refusing<T>(folder: string, look: () => T): T | Refused {
  try {
    return look();
  } catch (error) {
    if (error instanceof Refusal) return { refused: sentence(folder, error.message) };
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "") throw error;
    return { refused: sentence(folder, `it cannot be read (${describe(error).replace(/, \w+( '.*')?$/, "")})`) };
  }
}

function sentence(folder: string, why: string): string {
  return `The policies in ${folder} do not run: ${why}.`;
}

function notAFile(name: string): string {
  return `${name} is a link or something else that is no regular file`;
}

function tooLarge(): string {
  return `its files have more than ${MOST_BYTES / 1024 / 1024} MB together`;
}

/** A file that should be a policy. */
export interface Candidate {
  readonly id: string;
  /** Its name in the folder. */
  readonly file: string;
}

/** Every script directly in `policies/`; those in other places are there to be imported. */
export function isPolicyFile(name: string): boolean {
  return /^policies\/[^/]+\.[jt]s$/.test(name);
}

/** Why one of them does not run, as a sentence for the person. */
export interface NotRun {
  readonly id: string;
  readonly problem: string;
}

export function candidatesIn(
  folder: string,
  names: readonly string[],
): { candidates: Candidate[]; misnamed: NotRun[] } {
  const candidates: Candidate[] = [];
  const misnamed: NotRun[] = [];
  for (const file of names.filter(isPolicyFile)) {
    const name = file.slice(POLICIES.length, -3);
    const id = `local/${name}`;
    if (!/^[a-z0-9][a-z0-9-]*$/.test(name)) {
      const problem = `${folder}/${file} does not run: such a file is named with small letters, digits and hyphens.`;
      misnamed.push({ id, problem });
    } else if (candidates.some((one) => one.id === id)) {
      misnamed.push({ id, problem: `${folder}/${file} does not run: another file is ${id} already.` });
    } else candidates.push({ id, file });
  }
  return { candidates, misnamed };
}

/** The contents of a project's trusted folder, as they were read to compare their hash. */
export interface TrustedFolder extends FolderContent {
  readonly folder: string;
}

export type FolderStanding =
  | { readonly kind: "none" }
  /** A sentence for the person; nothing of the folder runs. */
  | { readonly kind: "not-run"; readonly problem: string }
  | { readonly kind: "trusted"; readonly trusted: TrustedFolder };

const NO_FOLDER: FolderStanding = { kind: "none" };
/** Two writes within one tick of the file system's clock have the same timestamps, so a newer folder is always read. */
const SETTLED_MS = 100;
const MOST_KNOWN = 16;

/** Returns whether the policies of a project may run; the folder is read again only when something in it has changed. */
export function openFolders(home: Home): (project: string) => FolderStanding {
  const known = new Map<string, { readonly key: string; readonly standing: FolderStanding }>();
  return (project) => {
    const folder = policyFolderOf(project);
    const listed = listFolder(folder);
    if (listed === undefined) return NO_FOLDER;
    if ("refused" in listed) return { kind: "not-run", problem: listed.refused };
    if (!listed.some(({ name }) => isPolicyFile(name))) return NO_FOLDER;
    const trust = fileVersion(trustFileAt(home.root));
    if (!trust) return { kind: "not-run", problem: problemOf(folder, "unknown") };
    const key = fingerprint(trust.stamp, ...listed.flatMap(({ name, stamp }) => [name, stamp]));
    const before = known.get(folder);
    if (before?.key === key) return before.standing;
    const standing = standingNow(
      home,
      folder,
      listed.map(({ name }) => name),
    );
    if ([trust, ...listed].every(({ changedAt }) => Date.now() - changedAt >= SETTLED_MS)) {
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(folder, { key, standing });
    }
    return standing;
  };
}

function standingNow(home: Home, folder: string, names: readonly string[]): FolderStanding {
  const trust = readTrust(home.root);
  if (trust.problem !== "") return { kind: "not-run", problem: trust.problem };
  const content = readFolder(folder, names);
  if ("refused" in content) return { kind: "not-run", problem: content.refused };
  const standing = standingOfHash(trust, folder, () => content.sha256);
  if (standing === "trusted") return { kind: "trusted", trusted: { ...content, folder } };
  return { kind: "not-run", problem: problemOf(folder, standing) };
}

function problemOf(folder: string, standing: "changed" | "unknown"): string {
  const why =
    standing === "changed" ? "something in the folder has changed since you trusted it" : "you have not trusted them";
  return `The policies in ${folder} do not run: ${why}. Look at them, then run \`hookwright trust\` in the project.`;
}
