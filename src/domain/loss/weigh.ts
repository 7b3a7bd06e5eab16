import { posix } from "node:path";
import { kept } from "../../core/event-memo.ts";
import type { Effect, EffectKind } from "../../effects/effect.ts";
import { type Allowance, isAllowed } from "./allowed.ts";
import { patiently } from "./git-steps.ts";
import { type Grounds, isHarmless } from "./harmless.ts";
import { type KeptQuestion, type Loss, lossByGit, lossOf, lossUnseen, type Witness } from "./judge.ts";
import { keptByGit } from "./kept-by-git.ts";
import { hitByCopy } from "./line/hit-by-copy.ts";
import { isOutputOfScript } from "./output-of-script.ts";
import { isLocalLoss } from "./snapshot-scope.ts";

/** `snapshot`: allowed once a snapshot of what would be lost is taken. `once`: denied the first time only. */
export type Answer = "allow" | "snapshot" | "once" | "ask" | "deny";
/** `standard`: the built-in answer for the kind. */
export type Setting = (typeof ANSWERS)[number];

/** What to answer to losses inside the project, from the loosest to the strictest. */
export const ON_LOSS = ["snapshot", "ask", "deny"] as const;

export const ANSWERS = ["allow", "once", "standard", "ask", "deny"] as const;

/** Kinds that are denied without asking: they cannot be undone, and normal work does not need them. */
const DENIED: ReadonlySet<EffectKind> = new Set([
  ...(["remote-code", "format-device", "permission-blast", "kill-everything", "fork-bomb"] as const),
  ...(["delete-remote-history", "exfiltrate-secret"] as const),
]);

export interface Weighing {
  readonly setting: (kind: EffectKind) => Setting;
  /** For losses inside the project whose kind has no setting of its own. */
  readonly onLoss: (typeof ON_LOSS)[number];
  readonly allowances: readonly Allowance[];
  readonly now: number;
}

export interface Weighed {
  readonly effect: Effect;
  /** The effect of the whole command, where `effect` is only one of the files it hits. */
  readonly whole?: Effect;
  readonly answer: Answer;
  /** Far more than the project would be lost. */
  readonly isRoot: boolean;
}

/** At most this many effects of one line are examined; the others are judged by their words alone. */
const MOST = 300;
const STRICTNESS: readonly Answer[] = ["allow", "snapshot", "once", "ask", "deny"];

const NOTHING_KEPT: ReadonlySet<string> = new Set();

const weighings = kept<readonly Effect[], readonly Weighed[]>();

/** The answers last computed for the effects of a line, for output that explains them. */
export function weighedOf(effects: readonly Effect[]): readonly Weighed[] {
  return weighings.get(effects) ?? [];
}

/** The answer to each effect of a line, strictest first; effects that lose nothing are left out. */
export async function weigh(
  effects: readonly Effect[],
  grounds: Grounds,
  witness: Witness,
  weighing: Weighing,
): Promise<readonly Weighed[]> {
  const weighed: Weighed[] = [];
  const isOpen = (effect: Effect): boolean => !isAllowed(effect, weighing.allowances, weighing.now);
  const open = effects.slice(0, MOST).filter(isOpen);
  const looks = open.flatMap((effect) => looksAt(effect, grounds, witness)).filter(({ effect }) => isOpen(effect));
  const patience = patiently(witness.git);
  const questions = looks.flatMap(({ look }) => (typeof look === "object" ? look : []));
  const kept = questions.length === 0 ? NOTHING_KEPT : await keptByGit(questions, patience.git);
  for (const { effect, whole, look } of looks) {
    const isKept = typeof look === "object" && kept.has(look.path);
    const said = effect.git && (isOwn(effect, witness) ? "none" : await lossByGit(effect.git, grounds, patience.git));
    const byGit = patience.isCutOff || said === undefined ? "some" : said;
    const loss = isKept ? "none" : typeof look === "string" ? look : byGit;
    if (loss === "none") continue;
    const isRoot = loss === "root";
    if (!isRoot && (await isOutputOfScript(effect, patience.git))) continue;
    const answer = answerTo(effect, isRoot, weighing, grounds);
    if (answer !== "allow") weighed.push({ effect, ...(whole && { whole }), answer, isRoot });
  }
  // Examining ten thousand files takes longer than an agent waits, and the person has to be asked anyway.
  let isAsked = false;
  for (const effect of effects.slice(MOST)) {
    if (weighing.setting(effect.kind) === "allow") continue;
    const loss = lossUnseen(effect, grounds);
    if (loss === "none") continue;
    const isRoot = loss === "root";
    const isDenied = answerTo(effect, isRoot, weighing, grounds) === "deny";
    if (isDenied || !isAsked) weighed.push({ effect, answer: isDenied ? "deny" : "ask", isRoot });
    isAsked ||= !isDenied;
  }
  weighed.sort((a, b) => STRICTNESS.indexOf(b.answer) - STRICTNESS.indexOf(a.answer));
  weighings.set(effects, weighed);
  return weighed;
}

interface Look extends Pick<Weighed, "effect" | "whole"> {
  /** Undefined for the effect of a git command: git is asked what it would lose. */
  readonly look: Loss | KeptQuestion | undefined;
}

function looksAt(effect: Effect, grounds: Grounds, witness: Witness): readonly Look[] {
  if (effect.git) return [{ effect, look: undefined }];
  if (!effect.brings) return [{ effect, look: lossOf(effect, grounds, witness) }];
  if (isHarmless(effect, grounds)) return [];
  const hit = hitByCopy(effect, effect.brings, witness);
  if (hit === "too many") return [{ effect, look: "some" }];
  return hit.map((one) => {
    const look = lossOf(one, grounds, witness);
    if (typeof look === "string") return { effect: one, whole: effect, look };
    // With the same folder, many files are one question to git.
    return { effect: one, whole: effect, look: { ...look, folder: effect.path ?? look.folder } };
  });
}

/** The repository is one that the line itself creates, or the line copies the files that git would overwrite. */
function isOwn(effect: Effect, witness: Witness): boolean {
  const path = effect.git?.folder;
  if (path === undefined) return false;
  if (witness.info(path)) return isCopied(effect, path, witness);
  return witness.madeBefore({ ...effect, path }).some((place) => witness.info(place) === undefined);
}

/** `cp a a.bak && git checkout a` */
function isCopied(effect: Effect, folder: string, witness: Witness): boolean {
  const { only = [], loses = [] } = effect.git ?? {};
  if (only.length === 0 || loses.some((one) => one !== "changes" && one !== "unstaged")) return false;
  return only.every((name) => witness.isKept({ ...effect, kind: "overwrite", path: posix.resolve(folder, name) }));
}

function answerTo(effect: Effect, isRoot: boolean, { setting, onLoss }: Weighing, grounds: Grounds): Answer {
  const set = setting(effect.kind);
  if (isRoot) return "deny";
  if (set === "standard" && onLoss !== "ask" && isLocalLoss(effect, grounds)) return onLoss;
  if (set !== "standard") return set;
  return DENIED.has(effect.kind) ? "deny" : "ask";
}
