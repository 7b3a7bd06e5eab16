import path from "node:path";

/** Folders whose files are not written for whoever works in the project. */
const EXCLUDED_FOLDERS = new Set(["node_modules", ".git", "sessions", "tmp", "dist", "build"]);

export interface VisitedFile {
  /** The file that was touched, absolute. */
  readonly file: string;
  readonly cwd: string;
  readonly project: string;
  readonly userHome: string;
}

/** The folder and those above it up to the working folder or the project; only the folder itself outside of both. */
export function foldersUp(dir: string, { cwd, project }: VisitedFile): string[] {
  const top = [cwd, project].find((folder) => dir === folder || dir.startsWith(`${folder}/`));
  return top === undefined ? [dir] : foldersUpTo(top, dir);
}

/** The folder and those above it, as far as this one. */
export function foldersUpTo(top: string, dir: string): string[] {
  const folders = [dir];
  for (let at = dir; at !== top && at !== path.dirname(at); ) {
    at = path.dirname(at);
    folders.push(at);
  }
  return folders;
}

export function isExcluded(dir: string, { cwd, project, userHome }: VisitedFile): boolean {
  if (dir === `${userHome}/.claude` || dir.startsWith(`${userHome}/.claude/`)) return true;
  if (dir === cwd || dir === project) return false;
  const top = [cwd, project].find((folder) => dir.startsWith(`${folder}/`));
  const inside = top === undefined ? dir : dir.slice(top.length + 1);
  return inside.split("/").some((part) => EXCLUDED_FOLDERS.has(part) && (top !== undefined || part !== "tmp"));
}
