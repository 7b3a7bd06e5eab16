import type { Command, Word } from "../command.ts";
import { type OptionReading, readOptions } from "../options.ts";
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

/** A word for people. */
export function named(word: Word): string {
  return word.text === "" ? "something that is only known when it runs" : word.text;
}
