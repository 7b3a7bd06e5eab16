import { type Command, knownWord, type Word } from "../../shell/command.ts";
import { type OptionReading, readOptions } from "../../shell/options.ts";
import type { Effect, Family, Scene } from "../effect.ts";
import { keepsNothing } from "../line/devices.ts";
import { withoutSeparators } from "../line/perl-flags.ts";
import { given, has, optionsOf } from "../line/words.ts";
import { named } from "../loose-options.ts";
import { deleted } from "./deleting.ts";
import { emptied, written } from "./replacing.ts";

/** A script that leaves no line is no edit: sed in place. */
function sed(command: Command, scene: Scene): readonly Effect[] {
  const options = optionsOf(command);
  const copies = sedWrites(options).flatMap((word) => written(word, command, scene));
  if (!has(options, "i in-place")) return copies;
  // Elsewhere the ending of the copy is a word of its own, and an empty one asks for none.
  const operands = options.operands[0]?.text === "" ? options.operands.slice(1) : options.operands;
  const script = given(options, "e expression") ?? operands[0];
  if (!script?.known || keepsCopy(options)) return copies;
  const text = script.text.trim();
  const silent = has(options, "n quiet silent") && !/[pPwic]/.test(text);
  if (!silent && !/^(?:1,\$|0~1|\/\.?\*?\/|\/\^\/)?\s*d$|^s([/|#])\.\*\1\1g?$/.test(text)) return copies;
  const files = given(options, "e expression") ? operands : operands.slice(1);
  return files.flatMap((word) => emptied(word, command, scene));
}

/** `-i.bak`: what was there before lies beside it. */
function keepsCopy(options: OptionReading): boolean {
  const ending = given(options, "i in-place");
  return ending?.known === true && ending.text !== "";
}

/** A whole script that is one `w`, or one replacement with it: the file's name goes to the end of the line. */
const SED_WRITES = [
  /^(?:[\d$]+(?:,[\d$]+)?|\/[^/]*\/)?\s*w\s+(\S+)$/,
  /^s([/|#,])(?:\\.|(?!\1).)*\1(?:\\.|(?!\1).)*\1[gpiI\d]*w\s+(\S+)$/,
];

function sedWrites(options: OptionReading): readonly Word[] {
  const told = ["e", "expression"].flatMap((name) => options.given.get(name) ?? []);
  return (told.length > 0 ? told : options.operands.slice(0, 1)).flatMap((script) => {
    const file = SED_WRITES.map((form) => form.exec(script?.known ? script.text.trim() : "")?.at(-1)).find(Boolean);
    return file === undefined || keepsNothing(file) ? [] : [knownWord(file)];
  });
}

/** `perl -pi -e '$_ = ""'`, `perl -i -ne ''`: every line becomes nothing, or none is printed. */
const inPlace =
  (short: string): Family =>
  (command, scene) => {
    const words = command.argv.slice(1);
    const options = readOptions(command.program === "perl" ? withoutSeparators(words) : words, { short }, true);
    const code = given(options, "e E");
    if (!has(options, "i") || !code?.known || keepsCopy(options)) return [];
    const cleared =
      /^\s*(?:\$_\s*=\s*(?:""|''|nil|undef)|undef\s+\$_|\$_\.(?:clear|replace\(?["']{2}\)?))\s*;?\s*$/.test(code.text);
    // `print if 0`: what never holds prints nothing.
    const text = code.text.replace(/\bprint\s+(?:if\s+(?:0|""|''|false|nil|undef)|unless\s+(?:1|true))\s*(?=;|$)/g, "");
    const silent = has(options, "n") && !/print|puts|say|\bp\b|write|\$>|<<|STDOUT|syswrite/.test(text);
    if (!cleared && !silent) return [];
    const files = options.operands;
    return files.flatMap((word) => emptied(word, command, scene));
  };

/** gawk in place: a program without an action that prints. */
function awk(command: Command, scene: Scene): readonly Effect[] {
  const options = readOptions(
    command.argv.slice(1),
    { short: "F:v:f:i:e:", long: "include: field-separator: assign: file: source:" },
    false,
  );
  if (given(options, "i include")?.text !== "inplace") return [];
  const program = given(options, "e source") ?? options.operands[0];
  const text = program?.known ? program.text.trim() : "print";
  const prints = /print|[1-9]\s*$|\}\s*1|^\/.*\/$|^[^{}]*(?:==|~|>|<)[^{}]*$|^NR|^!/.test(text);
  if (prints) return [];
  const files = given(options, "e source") ? options.operands : options.operands.slice(1);
  return files.filter(({ text: name }) => !/^\w+=/.test(name)).flatMap((word) => emptied(word, command, scene));
}

/** Every line is deleted: `%d`, `1,$d`, `,d` and what else editors take for it. */
const EMPTIES =
  /(?:^|[\n|:+])[^\S\n]*(?:%|1,\$|,|0,\$|g\/(?:\.\*?|\^)?\/)[^\S\n]*(?:d(?:elete)?|c)!?[^\S\n]*(?:$|[\n|])|norm(?:al)?!? ?gg"?_?dG/m;
const WRITES = /(?:^|[\n|:+"'])\s*(?:w|wq|wqa?|x|xa|up|update|W)!?\s*(?=$|[\n|])|\bZZ\b/;
const CALLS =
  /\b(?:delete|vim\.fn\.delete|vim\.loop\.fs_unlink|os\.remove|vim\.fs\.rm)\(\s*(["'])([^"'\n]+)\1\s*(?:,\s*(["'])(rf|d)\3|,\s*\{[^}]*recursive)?/g;

/** An editor that is told to delete every line and to write the file, or to delete files. */
function editors(command: Command, scene: Scene): readonly Effect[] {
  const read = command.redirections.find(({ body }) => body)?.body?.text ?? printed(command);
  const told = [...command.args.map((arg) => arg ?? ""), read].join("\n").slice(0, 20_000);
  const calls = [...told.matchAll(CALLS)].flatMap(([all, , path = ""]) =>
    deleted(
      /rf|recursive/.test(all.slice(all.indexOf(path) + path.length)) ? "delete-tree" : "delete-file",
      [knownWord(path)],
      command,
      scene,
    ),
  );
  if (!EMPTIES.test(told) || (command.program === "ed" ? !WRITES.test(told) : leavesUnsaved(told))) return calls;
  const files = command.argv.slice(1).filter((word, index) => {
    const before = command.argv[index]?.text ?? "";
    if (command.program === "ed") return !word.text.startsWith("-");
    return !/^[-+]/.test(word.text) && !/^-\w*c$|^--cmd$|^-[uUiTWsS]$/.test(before);
  });
  return [...calls, ...files.flatMap((word) => emptied(word, command, scene))];
}

/** Quits without saving, and no other command saves. */
function leavesUnsaved(told: string): boolean {
  return /(?:^|[\n|:+])\s*c?q(?:a|all|uit|uitall)?!/m.test(told) && !SAVES.test(told);
}

const SAVES =
  /(?:^|[^\w./-]|-c|\d)(?:w|W|wa|wall|wq|wqa|wqall|wn|wN|wp|x|xa|xall|xit|exit|up|upd|update|sav|saveas|aw|awa|autowrite\w*|set?f?\s+aw)(?![\w./-])|ZZ|write/;

/** `printf ',d\nw\n' | ed file` */
function printed({ upstream: [only, more] }: Command): string {
  if (!only || more || !/^(?:echo|printf)$/.test(only.program ?? "")) return "";
  return only.argv
    .slice(1)
    .map(({ text }) => text)
    .join("\n")
    .replaceAll("\\n", "\n");
}

/** Programs that edit a file in its place, where nothing of it is left. */
export const EMPTYING: Readonly<Record<string, Family>> = {
  sed,
  perl: inPlace("0::acC::d::D:e:E:fF:i::I:l::m:M:nNpPsStTuUvwWxX"),
  ruby: inPlace("0::acC:de:E:F:i::I:lnpr:sSvwW::x::y"),
  ...named("awk gawk", awk),
  ...named("ed ex vi vim nvim view vimdiff", editors),
};
