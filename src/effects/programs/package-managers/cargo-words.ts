import type { Command } from "../../../shell/command.ts";
import type { Family } from "../../effect.ts";
import { addressedCode, behind } from "./foreign-code.ts";

const TAKES_VALUE = /^-+(?:color|config|C|Z)$/;

/** `cargo +nightly --color always publish`: without what stands before the subcommand. */
export function subcommandOfCargo(command: Command): Command {
  let at = 1;
  for (let text = command.argv[at]?.text; text !== undefined && /^[+-]./.test(text); text = command.argv[at]?.text)
    at += TAKES_VALUE.test(text) ? 2 : 1;
  if (at === 1) return command;
  const argv = [...command.argv.slice(0, 1), ...command.argv.slice(at)];
  return { ...command, argv, args: command.args.slice(at - 1) };
}

/** `cargo install --git …` */
export const installedCode: Family = (command, scene) =>
  behind("install", addressedCode)(subcommandOfCargo(command), scene).map((one) => ({ ...one, by: command }));
