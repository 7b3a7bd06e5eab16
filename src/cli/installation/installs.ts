import { chmodSync, existsSync, readFileSync, renameSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import {
  errorCode,
  readFailed,
  readSettingsFile,
  type SettingsFile,
  sha256OfBytes,
  writeFailed,
  writeSettingsFile,
} from "../../agents/settings-file.ts";
import type { Home } from "../../system/home.ts";
import { makeFolder } from "../../system/make-folder.ts";
import { asideName } from "../../system/set-aside.ts";

/** What an agent was told to trust, and the file in which it wrote that down, as it was before and after. */
const TrustRecord = z.looseObject({
  file: z.string(),
  /** Null where there was no file. */
  originalSha256: z.string().nullable(),
  originalFile: z.string().nullable(),
  writtenSha256: z.string(),
  keys: z.array(z.string()),
});
export type TrustRecord = z.infer<typeof TrustRecord>;

/** Unknown fields are kept, so that switching between versions loses nothing. */
const InstallRecord = z.looseObject({
  agent: z.string(),
  scope: z.string(),
  /** The settings file, by the path that the agent uses, even if that is a symbolic link. */
  file: z.string(),
  /** The name of the version folder in use. */
  version: z.string(),
  /** The hashes of the installed files, for detecting changes; empty for the scope `project`, which installs none. */
  files: z.record(z.string(), z.string()).default({}),
  existedBefore: z.boolean(),
  /** The hash of the settings file without our entries, and its backup; null when there would be no file. */
  originalSha256: z.string().nullable(),
  originalFile: z.string().nullable(),
  writtenSha256: z.string(),
  /** The agent's events that a guard has to see, by its own names; those of older records are Claude Code's. */
  guarded: z.array(z.string()).optional(),
  /** The hashes of further files that are ours as a whole, by path. */
  companions: z.record(z.string(), z.string()).optional(),
  /** The topmost directory that was created for the file. */
  createdDirectory: z.string().nullable(),
  /** The `--profile` value of the registered commands. */
  profile: z.array(z.string()),
  /** The configuration file that `init` wrote profiles into. */
  configured: z.string().optional(),
  trust: TrustRecord.optional(),
  at: z.string(),
});
export type InstallRecord = z.infer<typeof InstallRecord>;

/** The folders for records, backups of settings, and versions: in a person's home, or the machine's shared ones. */
export type InstallStore = Pick<Home, "root" | "installs" | "backups" | "versions">;

export interface Installs {
  readonly file: SettingsFile;
  readonly records: readonly InstallRecord[];
  /** The file exists but is invalid. It is moved aside when the next record is saved. */
  readonly damaged: boolean;
}

export function readInstalls(home: InstallStore): Installs {
  const file = readSettingsFile(home.installs);
  if (file.text === undefined) return { file, records: [], damaged: false };
  const read = z.array(InstallRecord).safeParse(parsed(file.text));
  return { file, records: read.data ?? [], damaged: !read.success };
}

export function findInstall(
  installs: Installs,
  wanted: Pick<InstallRecord, "agent" | "scope" | "file">,
): InstallRecord | undefined {
  return installs.records.find((record) => isSame(record, wanted));
}

/** The project folder of this installation no longer exists. */
export function isProjectGone({ scope, file }: InstallRecord): boolean {
  return (scope === "project" || scope === "local") && !existsSync(projectOf(file));
}

/** The project of a settings file: what lies above the agent's folder, whose name begins with a dot. */
export function projectOf(file: string): string {
  const parts = path.dirname(file).split(path.sep);
  const agentFolder = parts.findLastIndex((part) => part.startsWith("."));
  return parts.slice(0, agentFolder).join(path.sep) || path.sep;
}

/** Replaces the record for the same file, or adds it. */
export function withRecord(records: readonly InstallRecord[], record: InstallRecord): InstallRecord[] {
  return [...withoutRecord(records, record), record];
}

export function withoutRecord(
  records: readonly InstallRecord[],
  wanted: Pick<InstallRecord, "agent" | "scope" | "file">,
): InstallRecord[] {
  return records.filter((record) => !isSame(record, wanted));
}

export function saveInstalls(home: InstallStore, installs: Installs, records: readonly InstallRecord[]): void {
  makePrivate(home.root);
  let { file } = installs;
  if (installs.damaged) {
    const aside = asideName(home.installs, Date.now());
    try {
      renameSync(home.installs, aside);
    } catch (error) {
      throw writeFailed(home.installs, error);
    }
    file = readSettingsFile(home.installs);
  }
  writeSettingsFile(file, `${JSON.stringify(records, null, 2)}\n`);
}

/** Stores a backup, named after its hash: equal content is stored once and never overwritten. */
export function storeBackup(home: InstallStore, bytes: Uint8Array): string {
  makePrivate(home.root);
  makePrivate(home.backups);
  const file = path.join(home.backups, `settings-${sha256OfBytes(bytes).slice(0, 16)}.json`);
  const kept = readSettingsFile(file);
  if (kept.bytes === undefined || !kept.bytes.equals(bytes)) writeSettingsFile(kept, bytes);
  try {
    // Settings may contain keys, so only the owner can read the backup.
    chmodSync(file, 0o600);
  } catch (error) {
    throw writeFailed(file, error);
  }
  return file;
}

/** The original bytes from the backup; undefined when there were none or the backup was changed. */
export function originalBytes(
  record: Pick<InstallRecord, "originalFile" | "originalSha256"> | undefined,
): Buffer | undefined {
  if (!record?.originalFile) return undefined;
  try {
    const bytes = readFileSync(record.originalFile);
    return sha256OfBytes(bytes) === record.originalSha256 ? bytes : undefined;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw readFailed(record.originalFile, error);
  }
}

function isSame(a: Pick<InstallRecord, "agent" | "scope" | "file">, b: typeof a): boolean {
  return a.agent === b.agent && a.scope === b.scope && a.file === b.file;
}

function makePrivate(directory: string): void {
  try {
    makeFolder(directory, 0o700);
  } catch (error) {
    throw writeFailed(directory, error);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
