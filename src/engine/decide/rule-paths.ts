import path from "node:path";
import type { CompiledGlob } from "../../config/patterns.ts";
import type { AnyEvent } from "../../core/event.ts";
import type { PolicyContext } from "../../core/policy.ts";
import { writtenPaths } from "../../effects/files/written-paths.ts";
import { shellOf } from "../../effects/shell-of-event.ts";

/** Programs that take a folder away with everything in it. */
const TAKES_FOLDERS = new Set(["rm", "mv", "rmdir", "shred", "unlink"]);
/** Longer patterns are not written by hand, and are not compiled. */
const LONGEST_PATTERN = 200;
/** A pattern of the shell has to be compiled, which takes as long as comparing this many characters. */
const PATTERN_WORK = 1_000;

/** A glob, and the folder that its paths start in. */
export interface PlacedGlob {
  readonly from: "project" | "home" | "root";
  /** As it was written, without the part that names that folder. */
  readonly text: string;
  readonly glob: CompiledGlob;
}

export function placedGlob(written: string, compileGlob: (glob: string) => CompiledGlob): PlacedGlob {
  const isHome = written === "~" || written.startsWith("~/");
  const text = isHome ? written.slice(2) || "**" : written;
  return { from: isHome ? "home" : written.startsWith("/") ? "root" : "project", text, glob: compileGlob(text) };
}

type Context = Pick<PolicyContext, "actor" | "places" | "realPath" | "info">;

interface Target {
  readonly path: string;
  /** The shell matches `path` against files. */
  readonly isPattern: boolean;
  /** A folder that is removed takes its files along. */
  readonly takesFolder: boolean;
  /** Only when this is a folder. */
  readonly whenFolder?: string | undefined;
}

/** The first path that the call would write and that one of the globs matches, in its shortest form. */
export function writtenBy(
  targets: readonly Target[],
  event: AnyEvent,
  ctx: Context,
  globs: readonly PlacedGlob[],
  compileGlob: (glob: string) => CompiledGlob,
): string | undefined {
  const roots = projectRoots(event, ctx);
  const places = { project: roots, home: [ctx.places.userHome], root: ["/"] };
  const shellGlob = shellGlobs(event, compileGlob);
  const isFolder = (place: string): boolean => ctx.info(ctx.realPath(place))?.kind === "directory";
  const hit = targets.find(
    (target) =>
      (target.whenFolder === undefined || isFolder(target.whenFolder)) &&
      globs.some((glob) => {
        const from = places[glob.from];
        if (from.some((place) => isMeant(glob, target, target.path, place, shellGlob))) return true;
        if (target.isPattern) return false;
        // A link may lead to a path that the glob matches, and the project itself may be reached through a link.
        const real = ctx.realPath(target.path);
        const isElsewhere = real !== target.path;
        return from.some((place) => {
          if (isElsewhere && isMeant(glob, target, real, place, shellGlob)) return true;
          const realPlace = ctx.realPath(place);
          return realPlace !== place && isMeant(glob, target, real, realPlace, shellGlob);
        });
      }),
  );
  if (!hit) return undefined;
  return roots.map((root) => below(root, hit.path)).find((name) => name !== undefined && name !== "") ?? hit.path;
}

const known = new WeakMap<AnyEvent, readonly Target[]>();

/** The paths that the call would write, worked out once for all rules. */
export function targetsOf(event: AnyEvent, userHome: string): readonly Target[] {
  let targets = known.get(event);
  if (!targets) {
    targets = readTargets(event, userHome);
    known.set(event, targets);
  }
  return targets;
}

function readTargets(event: AnyEvent, userHome: string): readonly Target[] {
  const edited = "writes" in event ? event.writes : [];
  const shell = shellOf(event, userHome);
  return [
    ...edited.map((one) => ({ path: one, isPattern: false, takesFolder: false })),
    ...writtenPaths(shell, event.cwd).flatMap((written) => {
      const target = written.path ?? written.pattern;
      if (target === undefined) return [];
      const takesFolder = TAKES_FOLDERS.has(written.by.program ?? "");
      return [{ path: target, isPattern: written.path === undefined, takesFolder, whenFolder: written.whenFolder }];
    }),
  ];
}

/** How many characters there are to compare. */
export function lengthOf(targets: readonly Target[]): number {
  return targets.reduce((sum, { path: one, isPattern }) => sum + one.length + (isPattern ? PATTERN_WORK : 0), 0);
}

/** In a linked worktree the files of the project lie below the worktree's own root. */
function projectRoots(event: AnyEvent, { actor, info }: Context): readonly string[] {
  for (let dir = path.normalize(event.cwd); dir !== actor.project; dir = path.dirname(dir)) {
    if (info(path.join(dir, ".git"))?.kind === "file") return [dir, actor.project];
    if (dir === path.dirname(dir)) break;
  }
  return [actor.project];
}

function isMeant(
  { from, text, glob }: PlacedGlob,
  { isPattern, takesFolder }: Target,
  target: string,
  place: string,
  shellGlob: (pattern: string) => CompiledGlob | undefined,
): boolean {
  const name = from === "root" ? target : below(place, target);
  const takes = (folder: string, what: string): boolean => {
    if (!takesFolder) return false;
    if (!isPattern) return folder === "" || below(folder, what) !== undefined;
    return foldersOf(what).some((one) => shellGlob(folder)?.matches(one));
  };
  if (name === undefined) return takes(target, place);
  if (name !== "" && glob.matches(name)) return true;
  // `src/*` also writes `src/key.ts` when that is what the rule names.
  if (isPattern && shellGlob(name)?.matches(text)) return true;
  return takes(name, glob.base);
}

const compiled = new WeakMap<AnyEvent, Map<string, CompiledGlob | undefined>>();

/** Patterns of the shell line itself, each compiled once however many globs it is compared with. */
function shellGlobs(
  event: AnyEvent,
  compileGlob: (glob: string) => CompiledGlob,
): (pattern: string) => CompiledGlob | undefined {
  const globs = compiled.get(event) ?? new Map<string, CompiledGlob | undefined>();
  compiled.set(event, globs);
  return (pattern) => {
    if (!globs.has(pattern)) globs.set(pattern, ofShell(pattern, compileGlob));
    return globs.get(pattern);
  };
}

function ofShell(pattern: string, compileGlob: (glob: string) => CompiledGlob): CompiledGlob | undefined {
  if (pattern === "" || pattern.length > LONGEST_PATTERN) return undefined;
  try {
    return compileGlob(pattern);
  } catch (error) {
    // A shell knows more forms of patterns than a glob has; such a one was compared by its text.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** `a/b/c` lies in `a`, in `a/b` and in itself. */
function foldersOf(base: string): readonly string[] {
  const folders = base.split("/").map((_part, index, parts) => parts.slice(0, index + 1).join("/"));
  return folders.filter((folder) => folder !== "");
}

/** How `target` is called from `place`: empty when it is the same, undefined when it does not lie in there. */
function below(place: string, target: string): string | undefined {
  if (place === target) return "";
  const prefix = place.endsWith("/") ? place : `${place}/`;
  return target.startsWith(prefix) ? target.slice(prefix.length) : undefined;
}
