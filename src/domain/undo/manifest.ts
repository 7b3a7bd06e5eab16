import fs from "node:fs";

/** The state of one path. The name has one character for each byte, because names need not be valid text. */
export interface KeptFile {
  readonly path: string;
  /** `absent`: the path did not exist. */
  readonly kind: "file" | "link" | "folder" | "absent";
  readonly mode: number;
  /** The number of its content in the snapshot; for a link the content is its target. */
  readonly content?: number;
}

export interface KeptStash {
  readonly commit: string;
  readonly message: string;
}

/** The state of a repository, as far as git commands could change it. */
export interface KeptGit {
  readonly gitDir: string;
  /** `refs/heads/…`, or a commit when no branch is checked out. */
  readonly head: string;
  readonly branches: Readonly<Record<string, string>>;
  /** Other refs that the command could change; null for one that did not exist. */
  readonly refs: Readonly<Record<string, string | null>>;
  /** Annotated tags: object id to the number of the content that holds the object. */
  readonly tags: Readonly<Record<string, number>>;
  /** `branch.*` settings, which git deletes together with the branch: name and value. */
  readonly settings: readonly (readonly [string, string])[];
  readonly stashes: readonly KeptStash[];
  /** Files in the git folder that describe an operation in progress, such as a merge. */
  readonly underWay: readonly KeptFile[];
  /** Unusual modes of unchanged tracked files and of folders, which git would not restore. */
  readonly modes: Readonly<Record<string, number>>;
  /** Does `undo` restore the index, branches and stashes too, and not only files? */
  readonly isWhole: boolean;
  /** The number of the content that holds the index, if there was one. */
  readonly index?: number;
}

/** The description of one snapshot, which is taken before one command runs. */
export interface UndoManifest {
  readonly version: 1;
  readonly id: string;
  readonly at: number;
  /** The work tree, or the project outside git. */
  readonly root: string;
  /** What the command would do, in words. */
  readonly what: string;
  readonly bytes: number;
  /** The files and folders that the command names, relative to the root. */
  readonly named: readonly string[];
  readonly files: readonly KeptFile[];
  readonly git?: KeptGit;
}

/** The summary of a snapshot, which lists show without opening it. */
export interface UndoSnapshot {
  readonly id: string;
  readonly at: number;
  readonly root: string;
  readonly what: string;
  readonly files: number;
  readonly bytes: number;
  readonly store: "git" | "copy";
}

export function summaryOf(manifest: UndoManifest): UndoSnapshot {
  const { id, at, root, what, bytes, files, git } = manifest;
  const kept = files.filter(({ kind }) => kind === "file" || kind === "link").length;
  return { id, at, root, what, bytes, files: kept, store: git ? "git" : "copy" };
}

export function textToRaw(text: string): string {
  return Buffer.from(text).toString("latin1");
}

export function rawToText(raw: string): string {
  return Buffer.from(raw, "latin1").toString();
}

/** The path on disk of a raw name: a string for ASCII names, because lookups with strings take half the time. */
export function diskPathOf(root: string, raw: string): string | Buffer {
  return PLAIN.test(raw) ? `${root}/${raw}` : Buffer.concat([Buffer.from(`${root}/`), Buffer.from(raw, "latin1")]);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: every one of them may be part of a name.
const PLAIN = /^[\x01-\x7f]*$/;

export function statOf(place: string | Buffer): fs.Stats | undefined {
  try {
    return fs.lstatSync(place, { throwIfNoEntry: false });
  } catch (error) {
    // A parent is not a folder, so the path does not exist.
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}

export function isBelow(raw: string, folder: string): boolean {
  return folder === "" || raw === folder || raw.startsWith(`${folder}/`);
}

export const SNAPSHOT_ID = /^[0-9a-f]{10}$/;
export const SNAPSHOT_REFS = "refs/hookwright";
