import path from "node:path";
import { changed, objectIn, type SessionState, textsIn } from "./state.ts";

/** Kinds of files in which a folder says how to work in it. */
export const DIRECTIVE_TYPES = ["README", "CHECKLIST", "PITFALLS", "INVARIANTS", "TESTING", "AGENTS"];
/** These are answered at the end of the work, not read before it. */
const ANSWERED = new Set(["CHECKLIST"]);
const PASSED_OVER = new Set(["node_modules", ".git", "sessions", "tmp", "dist", "build"]);
/** In a folder that has this one, its directives lie there. */
const OWN_FOLDER = ".directives";

export interface Look {
  list(folder: string): readonly string[] | undefined;
  realPath(file: string): string;
}

export interface Place {
  /** The file that was touched, absolute. */
  readonly file: string;
  readonly cwd: string;
  readonly project: string;
  readonly userHome: string;
}

export interface Discovery {
  readonly dir: string;
  /** To be read. */
  readonly directives: readonly string[];
  readonly checklists: readonly string[];
}

/** What a first visit to a folder brings to light; undefined when it is no first visit or none of our business. */
export function discover(
  place: Place,
  state: SessionState,
  types: readonly string[],
  look: Look,
): Discovery | undefined {
  const dir = path.dirname(place.file);
  if (Object.hasOwn(objectIn(state, "touchedDirs"), dir) || isPassedOver(dir, place)) return undefined;
  const wanted = new Map([...types, ...textsIn(state, "directives")].map((type) => [`${type.toUpperCase()}.MD`, type]));
  const known = knownFiles(state);
  const directives = new Set<string>();
  const checklists = new Set<string>();
  for (const folder of foldersUp(dir, place)) {
    const own = path.join(folder, OWN_FOLDER);
    const [holder, names] = look.list(own) ? [own, look.list(own)] : [folder, look.list(folder)];
    for (const name of names ?? []) {
      const type = wanted.get(name.toUpperCase());
      if (type === undefined) continue;
      const file = look.realPath(path.join(holder, name));
      if (known.has(file) || file === place.file) continue;
      (ANSWERED.has(type.toUpperCase()) ? checklists : directives).add(file);
    }
  }
  return { dir, directives: [...directives], checklists: [...checklists] };
}

/** The state after such a visit. */
export function withDiscovery(state: SessionState, { dir, directives, checklists }: Discovery): SessionState {
  const found = [...directives, ...checklists];
  return changed(state, {
    touchedDirs: { ...objectIn(state, "touchedDirs"), [dir]: found },
    ...(directives.length > 0
      ? {
          pendingDirectives: [...textsIn(state, "pendingDirectives"), ...directives],
          directiveReadsWithoutClearing: 0,
        }
      : {}),
    ...(checklists.length > 0
      ? { discoveredChecklists: [...textsIn(state, "discoveredChecklists"), ...checklists] }
      : {}),
  });
}

/** Everything that was found, read or loaded before, wherever it was met first. */
function knownFiles(state: SessionState): ReadonlySet<string> {
  const touched = objectIn(state, "touchedDirs");
  const fields = ["pendingDirectives", "discoveredChecklists", "preloadedFiles", "readDirectives"];
  return new Set([
    ...Object.keys(touched).flatMap((dir) => textsIn(touched, dir)),
    ...fields.flatMap((field) => textsIn(state, field)),
  ]);
}

/** From the folder up to where the work began; a folder outside of it stands alone. */
function foldersUp(dir: string, { cwd, project }: Place): string[] {
  const top = [cwd, project].find((folder) => dir === folder || dir.startsWith(`${folder}/`));
  if (top === undefined) return [dir];
  const folders = [dir];
  for (let at = dir; at !== top && at !== path.dirname(at); ) {
    at = path.dirname(at);
    folders.push(at);
  }
  return folders;
}

function isPassedOver(dir: string, { cwd, project, userHome }: Place): boolean {
  if (dir === `${userHome}/.claude` || dir.startsWith(`${userHome}/.claude/`)) return true;
  if (dir === cwd || dir === project) return false;
  const top = [cwd, project].find((folder) => dir.startsWith(`${folder}/`));
  const inside = top === undefined ? dir : dir.slice(top.length + 1);
  return inside.split("/").some((part) => PASSED_OVER.has(part) && (top !== undefined || part !== "tmp"));
}
