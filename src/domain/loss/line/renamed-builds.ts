import { posix } from "node:path";
import { optionsOf } from "../../../effects/line/words.ts";
import type { Command } from "../../../shell/command.ts";
import type { Shell } from "../../../shell/shell.ts";
import { isInBuildFolder } from "../build-folders.ts";

interface Renamed {
  readonly place: string;
  readonly by: Command;
}

/**
 * New names that the line gives to build folders: `mv dist dist.old`. Not where something else is moved to that name or
 * into it, because then the folder also holds what no build creates.
 */
export function renamedBuilds({ commands }: Shell, cwd: string): readonly Renamed[] {
  const moves = commands.filter(({ program }) => program === "mv");
  const targets = moves.map((by) => targetOf(by, cwd));
  return moves.flatMap((by, at) => {
    const place = builtName(by, cwd);
    if (place === undefined) return [];
    const isMixed = targets.some(
      (other, index) => index !== at && (other === undefined || other === place || other.startsWith(`${place}/`)),
    );
    return isMixed ? [] : [{ place, by }];
  });
}

function builtName(command: Command, cwd: string): string | undefined {
  const { operands, given } = optionsOf(command);
  const [from, to, more] = operands;
  if (command.cwd === undefined || command.remote || !from?.known || !to?.known || more || given.has("t"))
    return undefined;
  const source = posix.relative(cwd, posix.resolve(cwd, command.cwd, from.text));
  if (source.startsWith("..") || !isInBuildFolder(`/${source}/`)) return undefined;
  return posix.resolve(cwd, command.cwd, to.text);
}

/** The target of a move; undefined when it is not known. */
function targetOf(command: Command, cwd: string): string | undefined {
  const { operands, given } = optionsOf(command);
  const to = given.get("t")?.at(-1) ?? given.get("target-directory")?.at(-1) ?? operands.at(-1);
  return command.cwd === undefined || !to?.known ? undefined : posix.resolve(cwd, command.cwd, to.text);
}
