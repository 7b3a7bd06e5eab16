import type { Command, MutableCommand } from "../../../shell/command.ts";
import { readShell, type Shell } from "../../../shell/shell.ts";
import type { Scene } from "../../effect.ts";
import { quotedWords } from "../../line/line-text.ts";
import { scriptOf } from "./arguments.ts";
import { inBash } from "./steps.ts";

const POWERSHELL = /^(?:pwsh|pwsh-preview|powershell)$/;
const MAX_DEPTH = 3;
const known = new WeakMap<Command, readonly (readonly Command[])[]>();

/**
 * The line with the commands of its PowerShell texts, each right behind the program that runs it. They are marked as
 * translated: programs and files are told by them, effects by the text itself.
 */
export function withPowerShell(shell: Shell, cwd: string, userHome: string, depth = 0): Shell {
  if (depth > MAX_DEPTH || !shell.commands.some(isPowerShell)) return shell;
  const scene: Scene = { shell, cwd, userHome, nested: () => [] };
  return { ...shell, commands: shell.commands.flatMap((one) => [one, ...stepsOf(one, scene, depth).flat()]) };
}

function isPowerShell({ program }: Command): boolean {
  return program !== undefined && POWERSHELL.test(program);
}

/** For each command of the text that it runs: what that is in bash. */
export function stepsOf(command: Command, scene: Scene, depth = 0): readonly (readonly Command[])[] {
  if (!isPowerShell(command)) return [];
  const steps = known.get(command) ?? readSteps(command, scene, depth);
  known.set(command, steps);
  return steps;
}

function readSteps(command: Command, scene: Scene, depth: number): readonly (readonly Command[])[] {
  const script = scriptOf(command, scene);
  if (script === undefined) return [];
  const { text, steps } = inBash(script, scene.userHome);
  const folder = command.cwd === undefined ? "" : `cd ${quotedWords([{ text: command.cwd, known: true }])}`;
  const { cwd, userHome } = scene;
  const read = readShell(folder + text, { cwd, variables: { HOME: userHome } });
  const own = withPowerShell(read, cwd, userHome, depth + 1).commands.slice(folder === "" ? 0 : 1);
  const copies = new Map(own.map((one) => [one, copyOf(one, command)]));
  const same = (one: Command): Command => copies.get(one) ?? one;
  const found: Command[][] = steps.map(() => []);
  for (const [one, copy] of copies) {
    copy.upstream = one.upstream.map(same);
    copy.inner = one.inner.map(same);
    const at = steps.findLastIndex(({ start }) => start + folder.length <= one.at.start);
    if (steps[at]?.isInner) copy.within = [...copy.within, "condition"];
    found[at]?.push(copy);
  }
  return found;
}

function copyOf(one: Command, by: Command): MutableCommand {
  return {
    ...one,
    translated: true,
    at: by.at,
    via: by,
    within: by.within,
    background: by.background,
    remote: by.remote || one.remote,
    ...(by.cwd === undefined && { cwd: undefined, cwds: by.cwds }),
  };
}
