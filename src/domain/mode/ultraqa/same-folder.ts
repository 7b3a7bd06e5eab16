import path from "node:path";

/** How folders are looked at, the same while a policy decides and while it settles. */
export interface FolderLook {
  readonly project: string;
  realPath(folder: string): string;
  text<T>(file: string, about: string, digest: (text: string) => T): T | undefined;
}

/** Is it the same folder, or the one in its place in a worktree of the project? */
export function isSameFolder(wanted: string, given: string, look: FolderLook): boolean {
  if (wanted === given || look.realPath(wanted) === look.realPath(given)) return true;
  const inCheckout = pathInside(wanted, look.project);
  return inCheckout !== undefined && inCheckout === pathInWorktree(given, look);
}

/** The path below the root, empty for the root itself; undefined for a folder that is not inside. */
export function pathInside(folder: string, root: string): string | undefined {
  const relative = path.relative(root, folder);
  return relative.startsWith("..") || path.isAbsolute(relative) ? undefined : relative;
}

/** The path below the root of a worktree of the project; undefined for a folder in none. */
export function pathInWorktree(folder: string, look: FolderLook): string | undefined {
  const own = path.join(look.project, ".git", "worktrees");
  for (let root = folder; ; root = path.dirname(root)) {
    // In a worktree `.git` is a file, and names a folder of the main checkout.
    const gitFolder = look.text(path.join(root, ".git"), "worktree", (text) => /^gitdir: (.+)$/m.exec(text)?.[1] ?? "");
    if (gitFolder !== undefined) {
      return pathInside(path.resolve(root, gitFolder), own) ? path.relative(root, folder) : undefined;
    }
    if (root === path.dirname(root) || root === look.project) return undefined;
  }
}
