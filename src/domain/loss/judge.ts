import { posix } from "node:path";
import type { FileInfo } from "../../core/ports.ts";
import type { Effect, EffectKind, GitQuestion } from "../../effects/effect.ts";
import { isGeneratedName } from "../../shell/expand/temporary-names.ts";
import { type GitRun, gitLoss } from "../git-loss.ts";
import { isMadeBeside } from "./build-folders.ts";
import { type Grounds, isHarmless, isMadeAgain, isRoot } from "./harmless.ts";

/** The outside, as far as it says whether anything would be lost. */
export interface Witness {
  info(path: string): FileInfo | undefined;
  /** The names in a folder; undefined when there is no such folder. */
  list(folder: string): readonly string[] | undefined;
  readonly git: GitRun;
  /** Made by this session, which can make it again. */
  isOurs(path: string): boolean;
  /** Places around what is hit that the line itself makes before. */
  madeBefore(effect: Effect): readonly string[];
  /** The line itself has moved or copied it to another name before, or makes it again. */
  isKept(effect: Effect): boolean;
  /** What is found in a file of texts; undefined when it cannot be read. */
  inText(path: string, find: (text: string) => boolean): boolean | undefined;
  /** What git says now of a folder need not be true when it is hit. */
  isUnsettled(effect: Effect): boolean;
}

/** `root`: far more than the work at hand. */
export type Loss = "none" | "some" | "root";

const ON_FILES: ReadonlySet<EffectKind> = new Set(["delete-tree", "delete-file", "overwrite", "truncate"]);

/** A file or folder of which only git can say whether it is kept. */
export interface KeptQuestion {
  readonly path: string;
  /** Where git is asked. */
  readonly folder: string;
}

/** What a git command would lose. Where nobody can say: something. */
export async function lossByGit(question: GitQuestion, grounds: Grounds, git: GitRun): Promise<Loss> {
  if (question.folder !== undefined && isGeneratedName(question.folder)) return "none";
  const found = await gitLoss(question, git, (path) => isMadeAgain(path, grounds));
  return found === "nothing" ? "none" : "some";
}

/** Would anything be lost that nobody can bring back, unless git keeps it? Where nobody can say, yes. */
export function lossOf(effect: Effect, grounds: Grounds, witness: Witness): Loss | KeptQuestion {
  if (effect.runs && witness.inText(effect.runs.path, effect.runs.doesHarm) !== true) return "none";
  if (effect.kind === "permission-blast" && isHarmless(effect, grounds)) return "none";
  // A database in a file among temporary ones.
  if (effect.kind === "destroy-database" && effect.path !== undefined && isHarmless(effect, grounds)) return "none";
  if (!ON_FILES.has(effect.kind)) return "some";
  // A script clears away what it is going to make, or what another task has made.
  if (effect.startedBy !== undefined && effect.path !== undefined && !witness.info(effect.path)) return "none";
  const hit = effect.ifExists ? standing(effect, witness) : effect;
  if (!hit) return "none";
  const whole = isSelection(hit) ? undefined : (hit.path ?? hit.inside);
  const root = !hit.ifExists && whole !== undefined && !hit.by.remote && isRoot(whole, grounds);
  // Of a name that is only made up when it runs, the folder alone says little.
  if (root && hit.mask === undefined) return "root";
  if (isHarmless(hit, grounds)) return "none";
  if (root) return "root";
  if (hit.by.remote) return "some";
  const deletes = hit.kind === "delete-file" || hit.kind === "delete-tree";
  if (deletes && isMadeByProject(hit, witness)) return "none";
  if (deletes && witness.madeBefore(hit).some((place) => witness.info(place) === undefined)) return "none";
  if (witness.isKept(hit)) return "none";
  if (hit.path === undefined || hit.inside !== undefined) return asFolder(hit, witness);
  if (witness.isOurs(hit.path)) return "none";
  const isFolder = witness.info(hit.path)?.kind === "directory";
  if (isFolder && hit.kind === "delete-tree" && witness.isUnsettled(hit)) return "some";
  const folder = isFolder ? hit.path : posix.dirname(hit.path);
  return { path: hit.path, folder };
}

/** The same without a look at the disk or a question to git: a line may hit more files than anyone can wait for. */
export function lossUnseen(effect: Effect, grounds: Grounds): Loss {
  if (effect.git) return "some";
  const isOfFiles = ON_FILES.has(effect.kind);
  if (isOfFiles && !effect.ifExists && !effect.by.remote && effect.mask === undefined) {
    const whole = isSelection(effect) ? undefined : (effect.path ?? effect.inside);
    if (whole !== undefined && isRoot(whole, grounds)) return "root";
  }
  const mayBeHarmless = isOfFiles || effect.kind === "permission-blast";
  return mayBeHarmless && isHarmless(effect, grounds) ? "none" : "some";
}

/** Of what is found in a folder nothing is lost where git keeps all that is there. */
function asFolder({ inside, mask }: Effect, witness: Witness): Loss | KeptQuestion {
  if (inside === undefined || mask !== undefined || witness.info(inside)?.kind !== "directory") return "some";
  return { path: inside, folder: inside };
}

/** `bin` beside a project of .NET: whoever builds it makes the folder. Or all of that name below such a project. */
function isMadeByProject({ path, inside }: Effect, witness: Witness): boolean {
  if (path === undefined || (inside !== undefined && posix.dirname(path) !== inside)) return false;
  return isMadeBeside(posix.basename(path), () => witness.list(posix.dirname(path)), inside !== undefined);
}

/** Some of what a folder holds, by name: `*.log`, not `*`. */
function isSelection({ path, pattern }: Effect): boolean {
  return path === undefined && pattern !== undefined && !/\/[.?]?\*+$|\/\.\[!\.\]\*$/.test(pattern);
}

/** The file whose content would be replaced, if there is one. */
function standing(effect: Effect, witness: Witness): Effect | undefined {
  if (effect.path === undefined) return undefined;
  const found = witness.info(effect.path);
  if (!found || found.kind === "other") return undefined;
  if (found.kind !== "directory") return effect;
  if (effect.lands === undefined) return undefined;
  const path = `${effect.path}/${effect.lands}`;
  const inside = witness.info(path);
  return inside && inside.kind !== "directory" ? { ...effect, path } : undefined;
}
