import { posix } from "node:path";
import type { Command } from "../command.ts";
import type { Scene } from "./effect.ts";

/** Scripts that are made to change the machine; building from a fresh clone is everyday work. */
export const INSTALLS = /\.(?:sh|bash|zsh|run|bin|command)$|\/(?:install|setup|bootstrap|installer|run|start|deploy)$/;

export function clones({ program, args }: Command): boolean {
  return program === "git" && args.includes("clone") && args.some((arg) => isAddress(arg ?? ""));
}

/** Where a line puts whole folders from elsewhere: clones, and archives that it downloaded itself. */
export function broughtFolders(
  commands: readonly Command[],
  scene: Scene,
  downloaded: ReadonlySet<string>,
  isFed: (command: Command) => boolean,
): readonly string[] {
  return commands.flatMap((command) => {
    const at = (text: string): string => posix.resolve(scene.cwd, command.cwd ?? ".", text);
    if (clones(command)) {
      const operands = command.args
        .slice(command.args.indexOf("clone") + 1)
        .filter((arg) => arg && !arg.startsWith("-"));
      const last = operands.at(-1) ?? "";
      return [at(isAddress(last) ? posix.basename(last, ".git") : last)];
    }
    if (!/^(?:tar|bsdtar|unzip|7z|7za)$/.test(command.program ?? "")) return [];
    const archive = command.args.find((arg) => arg !== undefined && downloaded.has(at(arg)));
    if (archive === undefined && !(unpacks(command) && isFed(command))) return [];
    const folder = command.args.findIndex((arg) => /^(?:-C|-d|--directory)$/.test(arg ?? ""));
    return [at(folder < 0 ? "." : (command.args[folder + 1] ?? "."))];
  });
}

/** `tar xz`, `tar -xzf -`: out of what it reads. */
function unpacks({ program, args }: Command): boolean {
  return (
    /tar$/.test(program ?? "") &&
    args.some((arg, at) => /^(?:-\w*x|--extract$|--get$)/.test(arg ?? "") || (at === 0 && /^\w*x\w*$/.test(arg ?? "")))
  );
}

function isAddress(text: string): boolean {
  return /^(?:https?|git|ssh):\/\/|^[\w.-]+@[\w.-]+:/.test(text);
}
