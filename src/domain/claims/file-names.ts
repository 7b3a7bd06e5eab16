import path from "node:path";
import type { PolicyContext } from "../../core/policy.ts";

/** What comparing files with claims reads from the outside. */
export type ClaimReader = Pick<PolicyContext, "realPath" | "info" | "glob"> & {
  readonly read: Pick<PolicyContext["read"], "text">;
};

/** A folder to which claims are relative. */
export interface ClaimFolder {
  readonly folder: string;
  /** Claims may name a file here with this word before it as well, as in `api/src/x.ts`. */
  readonly prefix?: string;
}

/**
 * The names that a claim may use for a file: relative to one of these folders, or to the linked worktree that contains
 * it. Links are followed. Empty when the file is in none of them.
 */
export function namesOfFile(file: string, folders: readonly ClaimFolder[], reader: ClaimReader): readonly string[] {
  const real = reader.realPath(file);
  const names: string[] = [];
  const add = ({ folder, prefix = "" }: ClaimFolder): void => {
    const name = below(reader.realPath(folder), real);
    if (name !== undefined) names.push(name, ...(prefix === "" ? [] : [`${prefix}/${name}`]));
  };
  for (const one of folders) add(one);
  const linked = linkedWorktree(real, reader);
  if (linked !== undefined) add({ folder: linked });
  return [...new Set(names)];
}

/** The path of `file` relative to a folder that contains it, `.` for the folder itself. */
export function below(folder: string, file: string): string | undefined {
  if (file === folder) return ".";
  const prefix = folder.endsWith("/") ? folder : `${folder}/`;
  return file.startsWith(prefix) ? file.slice(prefix.length) : undefined;
}

/** A file as messages show it: relative to the project if it is inside. */
export function shownPath(file: string, root: string): string {
  const relative = path.relative(root, file);
  return relative.startsWith("..") ? file : relative;
}

/** Is the file in a folder for temporary files, or a device? */
export function isTemporary(file: string, tempDir: string, { realPath }: Pick<ClaimReader, "realPath">): boolean {
  const real = realPath(file);
  return [tempDir, "/tmp", "/dev"].some((place) => real.startsWith(`${realPath(place)}/`));
}

/** In a worktree `.git` is a file that points to `…/worktrees/…` of the main checkout; a submodule's points elsewhere. */
export function linkedWorktree(file: string, { info, read }: Pick<ClaimReader, "info" | "read">): string | undefined {
  for (let dir = path.dirname(file); dir !== path.dirname(dir); dir = path.dirname(dir)) {
    const git = path.join(dir, ".git");
    const kind = info(git)?.kind;
    if (kind === "directory") return undefined;
    if (kind === "file") {
      const isLinked = read.text(git, "linked", (text) => /^gitdir: .*\/worktrees\/[^/]+\s*$/m.test(text));
      return isLinked ? dir : undefined;
    }
  }
  return undefined;
}
