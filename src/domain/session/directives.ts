import path from "node:path";
import { foldersUp, isExcluded, type VisitedFile } from "../touched/visited-folders.ts";
import { objectIn, type SessionState, textsIn, withFields } from "./state.ts";

/** Names of directive files: files that say how to work in their folder. */
export const DIRECTIVE_TYPES = ["README", "CHECKLIST", "PITFALLS", "INVARIANTS", "TESTING", "AGENTS"];
/** Types that are answered at the end of the work instead of being read before it. */
const ANSWERED_TYPES = new Set(["CHECKLIST"]);
/** When a folder has this subfolder, its directive files are in there. */
const OWN_FOLDER = ".directives";

export interface FolderReader {
  list(folder: string): readonly string[] | undefined;
  realPath(file: string): string;
}

export interface DirectiveDiscovery {
  readonly dir: string;
  /** Files that the agent has to read. */
  readonly directives: readonly string[];
  readonly checklists: readonly string[];
}

/** The directive files for a folder that is touched for the first time; undefined for a known or an excluded folder. */
export function discoverDirectives(
  place: VisitedFile,
  state: SessionState,
  types: readonly string[],
  look: FolderReader,
): DirectiveDiscovery | undefined {
  const dir = path.dirname(place.file);
  if (Object.hasOwn(objectIn(state, "touchedDirs"), dir) || isExcluded(dir, place)) return undefined;
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
      (ANSWERED_TYPES.has(type.toUpperCase()) ? checklists : directives).add(file);
    }
  }
  return { dir, directives: [...directives], checklists: [...checklists] };
}

/** The state with the discovery recorded. */
export function withDiscovery(state: SessionState, { dir, directives, checklists }: DirectiveDiscovery): SessionState {
  const found = [...directives, ...checklists];
  return withFields(state, {
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

/** The files that the agent is told to read for this folder, now or before, and those that it has. */
export function namedDirectives(
  place: VisitedFile,
  state: SessionState,
  types: readonly string[],
  look: FolderReader,
): ReadonlySet<string> {
  const { directives = [], checklists = [] } = discoverDirectives(place, state, types, look) ?? {};
  return new Set([...knownFiles(state), ...directives, ...checklists]);
}

/** All files that were found, read or loaded before. */
function knownFiles(state: SessionState): ReadonlySet<string> {
  const touched = objectIn(state, "touchedDirs");
  const fields = ["pendingDirectives", "discoveredChecklists", "preloadedFiles", "readDirectives"];
  return new Set([
    ...Object.keys(touched).flatMap((dir) => textsIn(touched, dir)),
    ...fields.flatMap((field) => textsIn(state, field)),
  ]);
}
