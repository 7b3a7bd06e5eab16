import { posix } from "node:path";
import type { Effect } from "../../../effects/effect.ts";
import { runsLater } from "../../../effects/line/later.ts";
import { lineIndex } from "../../../effects/line/line-index.ts";
import { has, optionsOf } from "../../../effects/line/words.ts";
import type { Command } from "../../../shell/command.ts";
import type { Shell } from "../../../shell/shell.ts";
import type { Witness } from "../judge.ts";
import { isMadeAgainByLine } from "./made-again.ts";
import { madeBefore } from "./newly-written.ts";
import { isWrittenBefore } from "./written-unseen.ts";

const REMOVERS = new Set(["rm", "unlink", "shred", "find", "mv"]);
const COPIERS = new Set(["mv", "cp"]);

/** What the line itself says about what it hits. */
export function lineWitness(shell: Shell, cwd: string): Pick<Witness, "madeBefore" | "isKept" | "isUnsettled"> {
  return {
    madeBefore: (effect) => madeBefore(effect, shell, cwd),
    isKept: (effect) =>
      isKeptByLine(effect, shell, cwd) ||
      isEdit(effect, shell, cwd) ||
      isWrittenBefore(effect, shell) ||
      isMadeAgainByLine(effect, shell, cwd),
    isUnsettled: ({ by }) => runsLater(by, shell) || popsBefore(by, shell),
  };
}

/** `git stash pop && rm -rf src`: what comes back is in no commit, and the stash is gone, then or later. */
function popsBefore(by: Command, shell: Shell): boolean {
  const end = lineIndex(shell).positions.get(by) ?? 0;
  const stashes = shell.commands.flatMap(({ program, args }, at) =>
    program === "git" && args.includes("stash") ? [{ args, at }] : [],
  );
  const isDropped = stashes.some(({ args }) => args.includes("drop") || args.includes("clear"));
  return stashes.some(({ args, at }) => at < end && (args.includes("pop") || (isDropped && args.includes("apply"))));
}

/**
 * An earlier command of the same line moved or copied what is hit to another name: `cp a a.bak && echo x > a`. What was
 * put there since is lost with it, and a copy that the line takes away again keeps nothing.
 */
function isKeptByLine({ path, kind, by }: Effect, shell: Shell, cwd: string): boolean {
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
  // What is moved away and then deleted is known where it is deleted.
  return (
    kept.program === "mv" ||
    !shell.commands.some((one, at) => at > start && one !== by && REMOVERS.has(one.program ?? ""))
  );
}

function isCopy({ program = "", within, negated, background, remote }: Command): boolean {
  return COPIERS.has(program) && within.length === 0 && !negated && !background && !remote;
}

/** Where one thing is copied from and to; nothing for any other form. */
function placesOf(command: Command, cwd: string): readonly (string | undefined)[] {
  const [from, to, more] = optionsOf(command).operands;
  if (!from?.known || !to?.known || more || command.cwd === undefined || to.text === "/dev/null") return [];
  return [from, to].map(({ text }) => posix.resolve(cwd, command.cwd ?? ".", text));
}

/** Without an option a copy leaves folders out. */
function takes(command: Command, kind: Effect["kind"]): boolean {
  if (command.program === "mv") return kind === "overwrite" || kind === "truncate";
  const options = optionsOf(command);
  if (has(options, "n no-clobber u update i interactive")) return false;
  return kind !== "delete-tree" || has(options, "r R a recursive archive");
}

/** `jq … a > b && mv b a`, `sort a | sponge a`: what takes its place was made of it, as an editor does. */
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

/** Of a pipe. */
const LONGEST = 8;

function reads(command: Command, path: string, cwd: string, steps = 0): boolean {
  const words = [
    ...command.argv.slice(1),
    ...command.redirections.flatMap(({ operator, target }) => (operator === "<" && target ? [target] : [])),
  ];
  const own =
    command.program !== "sponge" && words.some((word) => word.known && placed(word.text, command.cwd, cwd) === path);
  return own || (steps < LONGEST && command.upstream.some((one) => reads(one, path, cwd, steps + 1)));
}

function placed(text: string, folder: string | undefined, cwd: string): string | undefined {
  return folder === undefined ? undefined : posix.resolve(cwd, folder, text);
}
