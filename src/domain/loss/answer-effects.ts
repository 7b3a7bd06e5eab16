import { posix } from "node:path";
import type { Effect, EffectKind } from "../../effects/effect.ts";
import { type Allowance, isAllowedLoss } from "./allowances.ts";
import {
  type Loss,
  type LossProbes,
  lossByGit,
  lossFromWords,
  lossOf,
  type RestorableQuestion,
} from "./effect-loss.ts";
import { type FolderContext, isHarmless } from "./harmless.ts";
import { withQuestionLimit } from "./limited-git.ts";
import { filesReplacedByCopy } from "./line/files-replaced-by-copy.ts";
import { restorableFromGit } from "./restorable-from-git.ts";
import { isOutputOfScript } from "./script-output.ts";
import { isLocalLoss } from "./snapshot-scope.ts";

/** `snapshot`: allowed once a snapshot of what would be lost is taken. `once`: denied the first time only. */
export type LossAnswer = "allow" | "snapshot" | "once" | "ask" | "deny";
/** `standard`: the built-in answer for the kind. */
export type AnswerSetting = (typeof ANSWERS)[number];

/** What to answer to losses inside the project, from the loosest to the strictest. */
export const ON_LOSS = ["snapshot", "ask", "deny"] as const;

export const ANSWERS = ["allow", "once", "standard", "ask", "deny"] as const;

/** Kinds that are denied without asking: they cannot be undone, and normal work does not need them. */
const DENIED: ReadonlySet<EffectKind> = new Set([
  ...(["remote-code", "format-device", "permission-blast", "kill-everything", "fork-bomb"] as const),
  ...(["delete-remote-history", "exfiltrate-secret"] as const),
]);

export interface AnswerSettings {
  readonly setting: (kind: EffectKind) => AnswerSetting;
  /** For losses inside the project whose kind has no setting of its own. */
  readonly onLoss: (typeof ON_LOSS)[number];
  readonly allowances: readonly Allowance[];
  readonly now: number;
}

export interface AnsweredEffect {
  readonly effect: Effect;
  /** The effect of the whole command, where `effect` is only one of the files it hits. */
  readonly whole?: Effect;
  readonly answer: LossAnswer;
  /** Far more than the project would be lost. */
  readonly isRoot: boolean;
}

/** At most this many effects of one line are examined; the others are judged by their words alone. */
const MOST = 300;
const STRICTNESS: readonly LossAnswer[] = ["allow", "snapshot", "once", "ask", "deny"];

const NOTHING_KEPT: ReadonlySet<string> = new Set();

const lastAnswers = new WeakMap<readonly Effect[], readonly AnsweredEffect[]>();

/** The answers last computed for the effects of a line, for output that explains them. */
export function lastAnswersTo(effects: readonly Effect[]): readonly AnsweredEffect[] {
  return lastAnswers.get(effects) ?? [];
}

/** The answer to each effect of a line, strictest first; effects that lose nothing are left out. */
export async function answerEffects(
  effects: readonly Effect[],
  context: FolderContext,
  probes: LossProbes,
  settings: AnswerSettings,
): Promise<readonly AnsweredEffect[]> {
  const answered: AnsweredEffect[] = [];
  const isOpen = (effect: Effect): boolean => !isAllowedLoss(effect, settings.allowances, settings.now);
  const open = effects.slice(0, MOST).filter(isOpen);
  const looks = open.flatMap((effect) => lossesOf(effect, context, probes)).filter(({ effect }) => isOpen(effect));
  const limited = withQuestionLimit(probes.git);
  const questions = looks.flatMap(({ look }) => (typeof look === "object" ? look : []));
  const kept = questions.length === 0 ? NOTHING_KEPT : await restorableFromGit(questions, limited.git);
  for (const { effect, whole, look } of looks) {
    const isKept = typeof look === "object" && kept.has(look.path);
    const said = effect.git && (isOwn(effect, probes) ? "none" : await lossByGit(effect.git, context, limited.git));
    const byGit = limited.isCutOff || said === undefined ? "some" : said;
    const loss = isKept ? "none" : typeof look === "string" ? look : byGit;
    if (loss === "none") continue;
    const isRoot = loss === "root";
    if (!isRoot && (await isOutputOfScript(effect, limited.git))) continue;
    const answer = answerTo(effect, isRoot, settings, context);
    if (answer !== "allow") answered.push({ effect, ...(whole && { whole }), answer, isRoot });
  }
  // Examining ten thousand files takes longer than an agent waits, and the person has to be asked anyway.
  let isAsked = false;
  for (const effect of effects.slice(MOST)) {
    if (settings.setting(effect.kind) === "allow") continue;
    const loss = lossFromWords(effect, context);
    if (loss === "none") continue;
    const isRoot = loss === "root";
    const isDenied = answerTo(effect, isRoot, settings, context) === "deny";
    if (isDenied || !isAsked) answered.push({ effect, answer: isDenied ? "deny" : "ask", isRoot });
    isAsked ||= !isDenied;
  }
  answered.sort((a, b) => STRICTNESS.indexOf(b.answer) - STRICTNESS.indexOf(a.answer));
  lastAnswers.set(effects, answered);
  return answered;
}

interface EffectLoss extends Pick<AnsweredEffect, "effect" | "whole"> {
  /** Undefined for the effect of a git command: git is asked what it would lose. */
  readonly look: Loss | RestorableQuestion | undefined;
}

function lossesOf(effect: Effect, context: FolderContext, probes: LossProbes): readonly EffectLoss[] {
  if (effect.git) return [{ effect, look: undefined }];
  if (!effect.copied) return [{ effect, look: lossOf(effect, context, probes) }];
  if (isHarmless(effect, context)) return [];
  const hit = filesReplacedByCopy(effect, effect.copied, probes);
  if (hit === "too many") return [{ effect, look: "some" }];
  return hit.map((one) => {
    const look = lossOf(one, context, probes);
    if (typeof look === "string") return { effect: one, whole: effect, look };
    // With the same folder, many files are one question to git.
    return { effect: one, whole: effect, look: { ...look, folder: effect.path ?? look.folder } };
  });
}

/** The repository is one that the line itself creates, or the line copies the files that git would overwrite. */
function isOwn(effect: Effect, probes: LossProbes): boolean {
  const path = effect.git?.folder;
  if (path === undefined) return false;
  if (probes.info(path)) return isCopied(effect, path, probes);
  return probes.createdBefore({ ...effect, path }).some((place) => probes.info(place) === undefined);
}

/** `cp a a.bak && git checkout a` */
function isCopied(effect: Effect, folder: string, probes: LossProbes): boolean {
  const { only = [], loses = [] } = effect.git ?? {};
  if (only.length === 0 || loses.some((one) => one !== "changes" && one !== "unstaged")) return false;
  return only.every((name) => probes.isKeptByLine({ ...effect, kind: "overwrite", path: posix.resolve(folder, name) }));
}

function answerTo(
  effect: Effect,
  isRoot: boolean,
  { setting, onLoss }: AnswerSettings,
  context: FolderContext,
): LossAnswer {
  const set = setting(effect.kind);
  if (isRoot) return "deny";
  if (set === "standard" && onLoss !== "ask" && isLocalLoss(effect, context)) return onLoss;
  if (set !== "standard") return set;
  return DENIED.has(effect.kind) ? "deny" : "ask";
}
