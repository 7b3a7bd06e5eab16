import { posix } from "node:path";
import type { Effect } from "../../../effects/effect.ts";
import { isDelayed } from "../../../effects/line/delayed-commands.ts";
import { lineIndex } from "../../../effects/line/line-index.ts";
import { has, optionsOf } from "../../../effects/line/words.ts";
import type { Command } from "../../../shell/command.ts";
import type { Shell } from "../../../shell/shell.ts";
import type { LossProbes } from "../effect-loss.ts";
import { createdBefore } from "./created-paths.ts";
import { isRecreatedByLine } from "./recreated-by-line.ts";
import { isWrittenUnderSameName } from "./written-under-same-name.ts";

const REMOVERS = new Set(["rm", "unlink", "shred", "find", "mv"]);
const COPIERS = new Set(["mv", "cp"]);

/** What the other commands of the line tell about the path that one of them hits. */
export function lineProbes(
  shell: Shell,
  cwd: string,
): Pick<LossProbes, "createdBefore" | "isKeptByLine" | "mayChangeBefore"> {
  return {
    createdBefore: (effect) => createdBefore(effect, shell, cwd),
    isKeptByLine: (effect) =>
      isCopiedByLine(effect, shell, cwd) ||
      isEdit(effect, shell, cwd) ||
      isWrittenUnderSameName(effect, shell) ||
      isRecreatedByLine(effect, shell, cwd),
    mayChangeBefore: ({ by }) => isDelayed(by, shell) || popsBefore(by, shell),
  };
}

/** `git stash pop && rm -rf src`: the restored changes are in no commit, and the stash entry is dropped. */
function popsBefore(by: Command, shell: Shell): boolean {
  const end = lineIndex(shell).positions.get(by) ?? 0;
  const stashes = shell.commands.flatMap(({ program, args }, at) =>
    program === "git" && args.includes("stash") ? [{ args, at }] : [],
  );
  const isDropped = stashes.some(({ args }) => args.includes("drop") || args.includes("clear"));
  return stashes.some(({ args, at }) => at < end && (args.includes("pop") || (isDropped && args.includes("apply"))));
}

/**
 * An earlier command of the same line moved or copied the hit path to another name: `cp a a.bak && echo x > a`. Not when
 * the line writes to the path again after that, or when it may delete the copy.
 */
function isCopiedByLine({ path, kind, by }: Effect, shell: Shell, cwd: string): boolean {
  if (path === undefined || by.remote || !shell.commands.some(isCopy)) return false;
  const { positions } = lineIndex(shell);
  const end = positions.get(by) ?? 0;
  let kept: Command | undefined;
  for (const command of shell.commands.slice(0, end)) {
    if (!isCopy(command)) continue;
    const [from, to] = placesOf(command, cwd);
    if (to === path) kept = undefined;
    else if (from === path && takes(command, kind)) kept = command;
  }
  if (!kept) return false;
  const start = positions.get(kept) ?? 0;
  // A file that was moved away and is deleted under its new name is an effect of its own.
  return (
    kept.program === "mv" ||
    !shell.commands.some((one, at) => at > start && one !== by && REMOVERS.has(one.program ?? ""))
  );
}

function isCopy({ program = "", within, negated, background, remote }: Command): boolean {
  return COPIERS.has(program) && within.length === 0 && !negated && !background && !remote;
}

/** Source and target of a copy with one source; empty for any other form. */
function placesOf(command: Command, cwd: string): readonly (string | undefined)[] {
  const [from, to, more] = optionsOf(command).operands;
  if (!from?.known || !to?.known || more || command.cwd === undefined || to.text === "/dev/null") return [];
  return [from, to].map(({ text }) => posix.resolve(cwd, command.cwd ?? ".", text));
}

/** Does the copy include what the effect loses? `cp` skips folders without `-r`. */
function takes(command: Command, kind: Effect["kind"]): boolean {
  if (command.program === "mv") return kind === "overwrite" || kind === "truncate";
  const options = optionsOf(command);
  if (has(options, "n no-clobber u update i interactive")) return false;
  return kind !== "delete-tree" || has(options, "r R a recursive archive");
}

/** `jq … a > b && mv b a`, `sort a | sponge a`: the new content was made from the old one, as in an editor. */
function isEdit({ path, kind, by }: Effect, shell: Shell, cwd: string): boolean {
  if (path === undefined || kind !== "overwrite") return false;
  if (by.program === "sponge") return reads(by, path, cwd);
  if (by.program !== "mv") return false;
  const [from] = placesOf(by, cwd);
  if (from === undefined) return false;
  const end = lineIndex(shell).positions.get(by) ?? 0;
  const writer = shell.commands
    .slice(0, end)
    .findLast(({ redirections, cwd: folder }) =>
      redirections.some(
        ({ operator, target }) => operator === ">" && target?.known && placed(target.text, folder, cwd) === from,
      ),
    );
  return writer !== undefined && reads(writer, path, cwd);
}

const LONGEST_PIPE = 8;

function reads(command: Command, path: string, cwd: string, steps = 0): boolean {
  const words = [
    ...command.argv.slice(1),
    ...command.redirections.flatMap(({ operator, target }) => (operator === "<" && target ? [target] : [])),
  ];
  const own =
    command.program !== "sponge" && words.some((word) => word.known && placed(word.text, command.cwd, cwd) === path);
  return own || (steps < LONGEST_PIPE && command.upstream.some((one) => reads(one, path, cwd, steps + 1)));
}

function placed(text: string, folder: string | undefined, cwd: string): string | undefined {
  return folder === undefined ? undefined : posix.resolve(cwd, folder, text);
}
