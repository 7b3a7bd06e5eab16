import type { Command } from "../../../shell/command.ts";
import { type Effect, effect, pathsOf, type Scene } from "../../effect.ts";

/** A mirror deletes at the target what the source does not have. */
export function mirroredFolders(command: Command, scene: Scene): readonly Effect[] {
  const flags = command.args.filter((arg) => arg?.startsWith("/")).map((arg) => arg?.toLowerCase());
  const [, to] = command.argv.slice(1).filter(({ text }) => !/^\/[a-z]/i.test(text));
  if (!to || flags.includes("/l") || !flags.some((flag) => flag === "/mir" || flag === "/purge")) return [];
  const why = `deletes everything in ${to.text} that the source does not have`;
  if (/^[A-Za-z]:|\\/.test(to.text)) return [effect("delete-tree", command, why, { target: to.text })];
  return pathsOf(to, command, scene).map((path) => effect("delete-tree", command, why, path));
}
