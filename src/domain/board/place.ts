import fs from "node:fs";
import path from "node:path";
import { HookwrightError } from "../../core/errors.ts";
import { missingIgnoreFile } from "../omc-folder/ignore-file.ts";

/** The path of a project's board: in oh-my-claudecode's folder, under the name in its documentation. */
export interface BoardPlace {
  readonly root: string;
  readonly file: string;
  /** The file in which oh-my-claudecode really stores its tasks. */
  readonly oldFile: string;
}

const FOLDER = ".omc";
const STATE = "state";
const OTHERS = 0o077;

/** Creates nothing; throws for a path that leads out of the project. */
export function boardPlace(root: string): BoardPlace {
  const folder = path.join(root, FOLDER, STATE);
  assertFolder(path.join(root, FOLDER), root);
  assertFolder(folder, root);
  const [file, oldFile] = [path.join(folder, "swarm-tasks.db"), path.join(folder, "swarm.db")];
  for (const one of [file, oldFile]) for (const suffix of ["", "-wal", "-shm"]) assertFile(one + suffix);
  return { root, file, oldFile };
}

/** Creates missing folders and the file, readable only for the owner. `git status` stays as it was. */
export function makeBoardFile(root: string, uid: number): BoardPlace {
  const place = boardPlace(root);
  const folder = path.dirname(place.file);
  const ignore = missingIgnoreFile(root, fs.existsSync);
  makeFolder(path.dirname(folder));
  makeFolder(folder);
  if (ignore) fs.writeFileSync(path.join(...ignore.parts), ignore.text, { mode: 0o600 });
  makePrivate(folder, 0o700, uid);
  fs.closeSync(fs.openSync(place.file, "a", 0o600));
  makePrivate(place.file, 0o600, uid);
  return place;
}

function makeFolder(folder: string): void {
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

function makePrivate(file: string, mode: number, uid: number): void {
  const stat = fs.statSync(file);
  if (stat.uid !== uid) throw refused(file, `it belongs to user ${stat.uid}`);
  if ((stat.mode & OTHERS) !== 0) fs.chmodSync(file, mode);
}

function assertFolder(folder: string, root: string): void {
  const stat = fs.lstatSync(folder, { throwIfNoEntry: false });
  if (!stat || stat.isDirectory()) return;
  if (!stat.isSymbolicLink()) throw refused(folder, "it is not a folder");
  if (!fs.existsSync(folder)) throw refused(folder, "it is a symbolic link to nothing");
  const real = fs.realpathSync(folder);
  const inside = path.relative(fs.realpathSync(root), real);
  if (inside === "" || inside === ".." || inside.startsWith(`..${path.sep}`)) {
    throw refused(folder, `it is a symbolic link that leads out of the project, to ${real}`);
  }
  if (!fs.statSync(real).isDirectory()) throw refused(folder, "it is a symbolic link to something that is no folder");
}

function assertFile(file: string): void {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (!stat || stat.isFile()) return;
  throw refused(file, stat.isSymbolicLink() ? "it is a symbolic link" : "it is not a regular file");
}

function refused(file: string, detail: string): HookwrightError {
  return new HookwrightError("HW_SWARM_PLACE", { file, detail });
}
