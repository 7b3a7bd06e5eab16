import { posix } from "node:path";
import type { Command, Word } from "../../shell/command.ts";
import { type OptionReading, readOptions } from "../../shell/options.ts";
import type { Scene } from "../effect.ts";
import { WRITERS } from "./writers.ts";

/** The options of a program that writes files, read by its own table. */
export function optionsOf(command: Command): OptionReading {
  return readOptions(command.argv.slice(1), WRITERS[command.program ?? ""] ?? {}, true);
}

export function operandsOf(command: Command): readonly Word[] {
  return command.argv.slice(1).filter((word) => !/^-/.test(word.text));
}

export function has(options: OptionReading, names: string): boolean {
  return names.split(" ").some((name) => options.given.has(name));
}

export function given(options: OptionReading, names: string): Word | undefined {
  for (const name of names.split(" ")) {
    const found = options.given.get(name)?.at(-1);
    if (found) return found;
  }
  return undefined;
}

/** A path for messages, relative to the folder the line starts in: `cd web && rm -rf src` is about web/src. */
export function named({ text, known, glob }: Word, { cwd, remote }: Command, scene: Scene): string {
  if (text === "") return "something that is only known at run time";
  const folder = cwd === undefined || remote ? scene.cwd : posix.resolve(scene.cwd, cwd);
  if (folder === scene.cwd || !(known || glob) || /^[/~$`]/.test(text)) return text;
  const whole = posix.join(folder, text);
  return whole.startsWith(`${scene.cwd}/`) ? whole.slice(scene.cwd.length + 1) : whole;
}
