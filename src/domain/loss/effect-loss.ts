import { posix } from "node:path";
import type { FileInfo } from "../../core/ports.ts";
import type { Effect, EffectKind, GitQuestion } from "../../effects/effect.ts";
import { isGeneratedName } from "../../shell/expand/temporary-names.ts";
import { type GitRun, gitLoss } from "../git-loss.ts";
import { isRecreatedBeside } from "./build-folders.ts";
import { type FolderContext, isHarmless, isRecreatable, isRoot } from "./harmless.ts";

/** The questions to the outside world whose answers show whether anything would be lost. */
export interface LossProbes {
  info(path: string): FileInfo | undefined;
  /** The names in a folder; undefined when there is no such folder. */
  list(folder: string): readonly string[] | undefined;
  readonly git: GitRun;
  /** Created by this session, which can create it again. */
  isCreatedBySession(path: string): boolean;
  /** The hit path and the folders around it, as far as an earlier command of the line creates them. */
  createdBefore(effect: Effect): readonly string[];
  /** An earlier command of the line moves or copies it to another name, or the line creates it again. */
  isKeptByLine(effect: Effect): boolean;
  /** What `find` says about the text of a file; undefined when the file cannot be read. */
  inText(path: string, find: (text: string) => boolean): boolean | undefined;
  /** What git says about the folder now may no longer be true when the command runs. */
  mayChangeBefore(effect: Effect): boolean;
}

/** `root`: far more than the project would be lost. */
export type Loss = "none" | "some" | "root";

const ON_FILES: ReadonlySet<EffectKind> = new Set(["delete-tree", "delete-file", "overwrite", "truncate"]);

/** A file or folder that is lost unless git has it committed and unchanged. */
export interface RestorableQuestion {
  readonly path: string;
  /** The folder in which git runs. */
  readonly folder: string;
}

/** What a git command would lose. Where that cannot be determined: "some". */
export async function lossByGit(question: GitQuestion, context: FolderContext, git: GitRun): Promise<Loss> {
  if (question.folder !== undefined && isGeneratedName(question.folder)) return "none";
  const found = await gitLoss(question, git, (path) => isRecreatable(path, context));
  return found === "nothing" ? "none" : "some";
}

/**
 * Would the effect lose something for good? Where that cannot be determined, yes. Where only git can answer, the
 * question to git is returned.
 */
export function lossOf(effect: Effect, context: FolderContext, probes: LossProbes): Loss | RestorableQuestion {
  if (effect.runs && probes.inText(effect.runs.path, effect.runs.doesHarm) !== true) return "none";
  if (effect.kind === "permission-blast" && isHarmless(effect, context)) return "none";
  // A database file in a temporary folder.
  if (effect.kind === "destroy-database" && effect.path !== undefined && isHarmless(effect, context)) return "none";
  if (!ON_FILES.has(effect.kind)) return "some";
  // A script deletes its output before it creates it: nothing is lost where there is none yet.
  if (effect.startedBy !== undefined && effect.path !== undefined && !probes.info(effect.path)) return "none";
  const hit = effect.ifExists ? existingTarget(effect, probes) : effect;
  if (!hit) return "none";
  const whole = isSelection(hit) ? undefined : (hit.path ?? hit.inside);
  const root = !hit.ifExists && whole !== undefined && !hit.by.remote && isRoot(whole, context);
  // With a name that is generated at run time, the folder alone does not tell what is hit.
  if (root && hit.mask === undefined) return "root";
  if (isHarmless(hit, context)) return "none";
  if (root) return "root";
  if (hit.by.remote) return "some";
  const deletes = hit.kind === "delete-file" || hit.kind === "delete-tree";
  if (deletes && isRecreatedByProject(hit, probes)) return "none";
  if (deletes && probes.createdBefore(hit).some((place) => probes.info(place) === undefined)) return "none";
  if (probes.isKeptByLine(hit)) return "none";
  if (hit.path === undefined || hit.inside !== undefined) return folderQuestion(hit, probes);
  if (probes.isCreatedBySession(hit.path)) return "none";
  const isFolder = probes.info(hit.path)?.kind === "directory";
  if (isFolder && hit.kind === "delete-tree" && probes.mayChangeBefore(hit)) return "some";
  const folder = isFolder ? hit.path : posix.dirname(hit.path);
  return { path: hit.path, folder };
}

/** The loss as far as the command's words tell, without disk or git: for lines with more effects than can be examined. */
export function lossFromWords(effect: Effect, context: FolderContext): Loss {
  if (effect.git) return "some";
  const isOfFiles = ON_FILES.has(effect.kind);
  if (isOfFiles && !effect.ifExists && !effect.by.remote && effect.mask === undefined) {
    const whole = isSelection(effect) ? undefined : (effect.path ?? effect.inside);
    if (whole !== undefined && isRoot(whole, context)) return "root";
  }
  const mayBeHarmless = isOfFiles || effect.kind === "permission-blast";
  return mayBeHarmless && isHarmless(effect, context) ? "none" : "some";
}

/** Files that a search finds in a folder are not lost when git has the whole folder committed. */
function folderQuestion({ inside, mask }: Effect, probes: LossProbes): Loss | RestorableQuestion {
  if (inside === undefined || mask !== undefined || probes.info(inside)?.kind !== "directory") return "some";
  return { path: inside, folder: inside };
}

/** `bin` beside a .NET project file: the build creates it again. Also a search for folders of that name below one. */
function isRecreatedByProject({ path, inside }: Effect, probes: LossProbes): boolean {
  if (path === undefined || (inside !== undefined && posix.dirname(path) !== inside)) return false;
  return isRecreatedBeside(posix.basename(path), () => probes.list(posix.dirname(path)), inside !== undefined);
}

/** Only some of the files of a folder, by name: `*.log`, not `*`. */
function isSelection({ path, pattern }: Effect): boolean {
  return path === undefined && pattern !== undefined && !/\/[.?]?\*+$|\/\.\[!\.\]\*$/.test(pattern);
}

/** The effect on the file whose content would be replaced; undefined when no such file exists. */
function existingTarget(effect: Effect, probes: LossProbes): Effect | undefined {
  if (effect.path === undefined) return undefined;
  const found = probes.info(effect.path);
  if (!found || found.kind === "other") return undefined;
  if (found.kind !== "directory") return effect;
  if (effect.lands === undefined) return undefined;
  const path = `${effect.path}/${effect.lands}`;
  const inside = probes.info(path);
  return inside && inside.kind !== "directory" ? { ...effect, path } : undefined;
}
