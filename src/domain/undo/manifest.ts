import fs from "node:fs";

/** One path as it was. Its name is kept byte for byte, one character for each: names need not be text. */
export interface KeptFile {
  readonly path: string;
  /** `absent`: it was not there, although git knows it. */
  readonly kind: "file" | "link" | "folder" | "absent";
  readonly mode: number;
  /** Which of the kept contents is its own; for a link the content is where it points to. */
  readonly content?: number;
}

export interface KeptStash {
  readonly commit: string;
  readonly message: string;
}

/** What a repository pointed to, for what git itself would change. */
export interface KeptGit {
  readonly gitDir: string;
  /** `refs/heads/…`, or a commit when no branch is checked out. */
  readonly head: string;
  readonly branches: Readonly<Record<string, string>>;
  /** Other refs that were in danger; null for one that was not there. */
  readonly refs: Readonly<Record<string, string | null>>;
  /** Tags with a message, by the name of their object: the content that is the object. */
  readonly tags: Readonly<Record<string, number>>;
  /** Settings of the branches, which go with them: name and value. */
  readonly settings: readonly (readonly [string, string])[];
  readonly stashes: readonly KeptStash[];
  /** Files in the git folder that say what is under way, such as a merge. */
  readonly underWay: readonly KeptFile[];
  /** Modes of unchanged tracked files and of folders that git would not bring back by itself. */
  readonly modes: Readonly<Record<string, number>>;
  /** Does undoing bring back index, branches and stashes too, and not only files? */
  readonly isWhole: boolean;
  /** The content that is the index, if there was one. */
  readonly index?: number;
}

/** Everything that was kept before one command ran. */
export interface Manifest {
  readonly version: 1;
  readonly id: string;
  readonly at: number;
  /** The work tree, or the project outside git. */
  readonly root: string;
  /** What the command was about to do, in words. */
  readonly what: string;
  readonly bytes: number;
  /** The files and folders that the command names, relative to the root. */
  readonly named: readonly string[];
  readonly files: readonly KeptFile[];
  readonly git?: KeptGit;
}

/** What a list shows without opening a snapshot. */
export interface Snapshot {
  readonly id: string;
  readonly at: number;
  readonly root: string;
  readonly what: string;
  readonly files: number;
  readonly bytes: number;
  readonly store: "git" | "copy";
}

export function summaryOf(manifest: Manifest): Snapshot {
  const { id, at, root, what, bytes, files, git } = manifest;
  const kept = files.filter(({ kind }) => kind === "file" || kind === "link").length;
  return { id, at, root, what, bytes, files: kept, store: git ? "git" : "copy" };
}

export function rawOf(text: string): string {
  return Buffer.from(text).toString("latin1");
}

export function textOf(raw: string): string {
  return Buffer.from(raw, "latin1").toString();
}

/** The path on disk of a kept name: as text where that is the same, because it is looked up in half the time. */
export function placeOf(root: string, raw: string): string | Buffer {
  return PLAIN.test(raw) ? `${root}/${raw}` : Buffer.concat([Buffer.from(`${root}/`), Buffer.from(raw, "latin1")]);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: every one of them may be part of a name.
const PLAIN = /^[\x01-\x7f]*$/;

export function lookAt(place: string | Buffer): fs.Stats | undefined {
  try {
    return fs.lstatSync(place, { throwIfNoEntry: false });
  } catch (error) {
    // Something on the way to it is no folder, so it is not there.
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}

export function isBelow(raw: string, folder: string): boolean {
  return folder === "" || raw === folder || raw.startsWith(`${folder}/`);
}

export const ID = /^[0-9a-f]{10}$/;
export const REFS = "refs/hookwright";
