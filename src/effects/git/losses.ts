import type { Word } from "../../shell/command.ts";
import { COMMIT_FIRST, type Effect, type EffectKind, effect, type GitQuestion } from "../effect.ts";
import { isDelayed } from "../line/delayed-commands.ts";
import type { GitCommand } from "./command.ts";
import { createdBranches } from "./created-branches.ts";
import { before } from "./earlier-commands.ts";

interface Loss {
  readonly why: string;
  readonly target?: string;
  readonly instead?: string;
  readonly possible?: boolean;
}

interface FileLoss extends Loss {
  readonly loses: readonly Exclude<GitQuestion["loses"][number], "branch" | "ref">[];
  /** Undefined: the whole work tree. */
  readonly paths?: readonly Word[];
  /** The work tree it happens in, when that is not the one git is called in. */
  readonly tree?: readonly (string | undefined)[];
}

interface BranchLoss extends Loss {
  readonly kind?: EffectKind;
  /** Undefined: nobody can tell which. */
  readonly branches: readonly Word[] | undefined;
  readonly mayBeNew?: boolean;
}

/** Files whose content no commit has. */
export function losesFiles(git: GitCommand, loss: FileLoss): readonly Effect[] {
  const state = before(git);
  const at = loss.tree ?? git.folders;
  if (state.fresh && !loss.tree) return [];
  const loses = loss.loses.filter((one) => !state.saved.has(one === "unstaged" ? "changes" : one));
  if (loses.length === 0) return [];
  const { paths } = loss;
  const target = loss.target ?? paths?.map(({ text }) => text).join(" ") ?? "";
  const only = paths?.every(isPathspec) ? paths.map(({ text }) => text) : [];
  const possible = loss.possible || paths?.some((word) => !word.known && !word.glob);
  const reachesFar =
    git.words.some(({ text }) => text.startsWith("--recurse-")) || git.settings.has("submodule.recurse");
  // Git only knows what is there now.
  const tellable = !state.disturbed && !reachesFar && !isDelayed(git.command, git.scene.shell);
  return at.map((folder) =>
    effect("discard-uncommitted", git.command, loss.why, {
      target,
      instead: loss.instead ?? COMMIT_FIRST,
      ...(possible && { certainty: "possible" }),
      ...(tellable && { git: { folder: git.displaced ? undefined : folder, loses, only } }),
    }),
  );
}

/** Commits that no other branch may have. */
export function losesBranches(git: GitCommand, loss: BranchLoss): readonly Effect[] {
  const state = before(git);
  if (state.fresh) return [];
  const { branches, mayBeNew, kind = "rewrite-history" } = loss;
  if (branches && isCreated(git, branches)) return [];
  const names = branches?.map((word) => (word.text === "HEAD" ? state.head : word.known ? word.text : undefined));
  const only = names?.every((name) => name !== undefined) ? names : [];
  const possible = loss.possible || branches?.some((word) => !word.known);
  return git.folders.map((folder) =>
    effect(kind, git.command, loss.why, {
      target: loss.target ?? branches?.map(({ text }) => text).join(" ") ?? "",
      instead: loss.instead ?? "keep the commits under another branch name first",
      ...(possible && { certainty: "possible" }),
      git: {
        folder: git.displaced ? undefined : folder,
        loses: ["branch"],
        only,
        ...(mayBeNew && { mayBeNew }),
      },
    }),
  );
}

/** Tags and copies of remote branches: most often there is nothing else to them than the name. */
export function losesRefs(git: GitCommand, why: string, space: string, words: readonly Word[]): readonly Effect[] {
  if (words.length === 0 || before(git).fresh) return [];
  const only = words.every(({ known }) => known) ? words.map(({ text }) => space + text) : [space];
  return git.folders.map((folder) =>
    effect("rewrite-history", git.command, why, {
      target: words.map(({ text }) => text).join(" "),
      instead: "keep the commits under another branch name first",
      certainty: "possible",
      git: { folder: git.displaced ? undefined : folder, loses: ["ref"], only },
    }),
  );
}

/** There is nothing in them that was not there before the line, and is still. */
function isCreated(git: GitCommand, branches: readonly Word[]): boolean {
  if (!branches.every(({ known }) => known)) return false;
  const made = createdBranches(git);
  return branches.length > 0 && branches.every(({ text }) => made.has(text.replace(/^refs\/heads\//, "")));
}

/** A pattern of the shell matches no more than the same pattern does in git. */
function isPathspec(word: Word): boolean {
  return word.known || (word.glob === true && !/[()$`]/.test(word.text));
}
