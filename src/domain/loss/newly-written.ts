import { posix } from "node:path";
import type { EventOf } from "../../core/event.ts";
import type { Command } from "../../shell/command.ts";
import type { Effect } from "../../shell/effects/effect.ts";
import { lineIndex } from "../../shell/effects/line-index.ts";
import { writtenPaths } from "../../shell/effects/written-paths.ts";
import { shellOf } from "../../shell/of-event.ts";
import type { Shell } from "../../shell/shell.ts";
import { subcommandOf } from "../../shell/subcommand.ts";
import { isWithin } from "./harmless.ts";

/** Longer ones exist on no system we know. */
const LONGEST_PATH = 4096;
/** Programs that leave what they read where it was. */
const MAKERS = new Set("cp install ln touch mkdir mkfifo tee rsync scp tar zip unzip curl wget sort dd git".split(" "));
const REMOVERS = new Set(["rm", "rmdir", "unlink", "shred", "find"]);

/** Files that a call writes, which may be the first that anybody hears of them. */
export function newlyWritten(event: EventOf<"tool.before">, userHome: string): readonly string[] {
  const shell = event.tool.kind === "shell" ? writtenPaths(shellOf(event, userHome), event.cwd) : [];
  const made = shell.filter(({ by }) => !REMOVERS.has(by.program ?? "")).flatMap(({ path }) => path ?? []);
  return [...event.writes, ...made].filter((path) => path.length <= LONGEST_PATH);
}

/** Places that an earlier command of the same line makes: what it takes away again is its own. */
export function madeBefore(effect: Effect, shell: Shell, cwd: string): readonly string[] {
  const { positions } = lineIndex(shell);
  const end = positions.get(effect.by) ?? 0;
  if (end === 0) return [];
  const path = effect.path ?? unmoved(effect, shell, cwd, end);
  if (path === undefined) return [];
  const written = writtenPaths(shell, cwd).filter(
    ({ by }) => (positions.get(by) ?? end) < end && (MAKERS.has(by.program ?? "") || by.redirections.length > 0),
  );
  const cloned = shell.commands.slice(0, end).flatMap((command) => clonedTo(command, cwd));
  return [...written.flatMap((one) => one.path ?? []), ...cloned].filter((made) => isWithin(path, made));
}

/**
 * After `source file` nobody can say for sure where the shell is. Where the line itself goes nowhere, a plain name is
 * taken to be what it was before.
 */
function unmoved({ target, inside, by }: Effect, shell: Shell, cwd: string, end: number): string | undefined {
  if (by.remote || inside !== undefined || by.cwds !== undefined || !/^[\w.][\w./-]*$/.test(target)) return undefined;
  const moves = shell.commands.slice(0, end).some(({ program }) => /^(?:cd|pushd|popd)$/.test(program ?? ""));
  return moves ? undefined : posix.resolve(cwd, target);
}

/** The folder that `git clone` or `git worktree add` makes. */
function clonedTo(command: Command, cwd: string): readonly string[] {
  if (command.program !== "git" || command.cwd === undefined) return [];
  const sub = subcommandOf(command);
  const operands = (sub?.words ?? []).filter(({ text }) => !text.startsWith("-"));
  const tree = sub?.name === "worktree" && operands[0]?.text === "add" ? operands[1] : undefined;
  const last = operands.at(-1);
  const clone = sub?.name === "clone" && last?.known ? last.text.replace(/\/+$/, "") : undefined;
  const name = clone === undefined ? tree?.text : isAddress(clone) ? posix.basename(clone, ".git") : clone;
  return name === undefined || name === "." ? [] : [posix.resolve(cwd, command.cwd, name)];
}

function isAddress(text: string): boolean {
  return /^[\w+]+:\/\/|^[^/]+:|\.git$/.test(text);
}
