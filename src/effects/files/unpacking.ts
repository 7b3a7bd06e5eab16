import { posix } from "node:path";
import { type Command, knownWord, type Word } from "../../shell/command.ts";
import { type OptionReading, readOptions } from "../../shell/options.ts";
import type { Effect, Family, Scene } from "../effect.ts";
import { given, has } from "../line/words.ts";
import { WRITERS } from "../line/writers.ts";
import { named } from "../loose-options.ts";
import { written } from "./replacing.ts";
import { dashed } from "./written-paths.ts";

/** `tar xf a.tar src/app.ts`: the file of that name here becomes the archived one. A whole archive is left alone. */
function tar(command: Command, scene: Scene): readonly Effect[] {
  const options = readOptions(dashed(command.argv.slice(1)), WRITERS.tar ?? {}, true);
  const isPlain = !has(options, "k O U W keep-old-files to-stdout transform strip-components one-top-level wildcards");
  const keeps = command.args.some((arg) => /^--(?:keep|skip|to|xform|strip|no-over|list)/.test(arg ?? ""));
  if (!has(options, "x extract get") || !isPlain || keeps) return [];
  return unpacked(options.operands, given(options, "C directory"), command, scene);
}

/** Without `-o` it asks. */
function unzip(command: Command, scene: Scene): readonly Effect[] {
  const options: OptionReading = readOptions(command.argv.slice(1), WRITERS.unzip ?? {}, true);
  if (!has(options, "o") || has(options, "l t v p c z n x f u")) return [];
  const members = options.operands.slice(1);
  const names = has(options, "j") ? members.map((word) => ({ ...word, text: posix.basename(word.text) })) : members;
  return unpacked(names, given(options, "d"), command, scene);
}

function unpacked(
  members: readonly Word[],
  folder: Word | undefined,
  command: Command,
  scene: Scene,
): readonly Effect[] {
  if (folder && !folder.known) return [];
  return members
    .filter((word) => word.known && !/[*?[]/.test(word.text) && !word.text.endsWith("/"))
    .flatMap(({ text }) => written(knownWord(posix.join(folder?.text ?? ".", text)), command, scene));
}

/** Programs that put single files of an archive in the place of those that are there. */
export const UNPACKING: Readonly<Record<string, Family>> = { ...named("tar bsdtar gtar", tar), unzip };
