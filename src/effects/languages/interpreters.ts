import { type Command, knownWord, type Word } from "../../shell/command.ts";
import { type OptionReading, type OptionSpec, readOptions } from "../../shell/options.ts";
import { type Effect, effect, type Family, type Scene } from "../effect.ts";
import { fileText, inputText, textWithPlaceholders } from "../line/line-text.ts";
import { withoutSeparators } from "../line/perl-flags.ts";
import { named, valuesOf } from "../loose-options.ts";
import { scriptEffects } from "./scripts/effects.ts";
import { unreadScript } from "./scripts/long-scripts.ts";
import { isCut, type Language, scriptTokens } from "./scripts/tokens.ts";

/** A program that runs a text in its own language. */
interface Interpreter extends OptionSpec {
  readonly language: Language;
  /** Options that hold the script. */
  readonly text: string;
  /** Options that name a file with the script. */
  readonly file?: string;
  /** Options that give a variable of the script a value: `-v name=text`. */
  readonly variable?: string;
  /** Options after which the input is no script. */
  readonly instead?: string;
  /** A word before the script: `deno eval`. */
  readonly word?: string;
  /** The first operand is the script itself. */
  readonly operand?: true;
}

const NODE: Interpreter = {
  language: "js",
  short: "e:p:r:ic:hv",
  long: "eval: print: require: import: input-type: experimental-strip-types no-warnings check",
  text: "e eval p print",
  instead: "c check",
};
const AWK: Interpreter = {
  language: "awk",
  short: "F:v:f:",
  long: "field-separator: assign: file:",
  text: "",
  file: "f file",
  variable: "v assign",
  operand: true,
};
const INTERPRETERS: Readonly<Record<string, Interpreter>> = {
  python: {
    language: "python",
    short: "bBc:dEhiIm:OPqsSuvVW:xX:",
    text: "c",
    instead: "m",
  },
  node: NODE,
  bun: { ...NODE, instead: "" },
  deno: {
    language: "js",
    long: "ext: allow-all allow-run allow-write print",
    short: "ApT:",
    text: "",
    word: "eval",
    operand: true,
  },
  perl: {
    language: "perl",
    short: "0::acC::d::D:e:E:fF:i::I:l::m:M:nNpPsStTuUvwWxX",
    text: "e E",
    instead: "c v",
  },
  ruby: { language: "ruby", short: "0::acC:de:E:F:i::I:lnpr:sSvwW::x::y", text: "e", instead: "c v" },
  php: {
    language: "php",
    short: "ac:d:eF:f:hilmnqr:B:R:E:S:t:svwz:",
    text: "r B R E",
    file: "f F",
    instead: "S i m v l",
  },
  lua: { language: "lua", short: "e:il:vEW-", text: "e", instead: "v" },
  awk: AWK,
};

function interpreter(spec: Interpreter): Family {
  return (command, scene) => {
    const words = command.argv.slice(1);
    const [first] = words;
    if (spec.word && first?.text !== spec.word) return [];
    // `node -pe text`: letters in one word, the last of which takes the text.
    const split =
      spec.language === "perl"
        ? withoutSeparators(words)
        : words.flatMap((word) => (word.text === "-pe" && spec.language === "js" ? [knownWord("-e")] : [word]));
    const options = readOptions(spec.word ? split.slice(1) : split, spec, false);
    const files = spec.file === undefined ? [] : valuesOf(options, spec.file);
    if (files.length > 0)
      return run(
        files.map((file) => fileText(file, command, scene)),
        options.operands,
        spec,
        command,
        scene,
      );
    const given = spec.text === "" ? [] : valuesOf(options, spec.text);
    const operands = spec.operand ? options.operands.slice(1) : options.operands;
    const texts = spec.operand ? options.operands.slice(0, 1) : [...given, ...timed(options)];
    const assigned = spec.variable === undefined ? [] : valuesOf(options, spec.variable).map(assignment);
    if (texts.length > 0) return run([...assigned, ...texts.map(textWithPlaceholders)], operands, spec, command, scene);
    if (spec.instead && valuesGiven(options.given, spec.instead)) return [];
    const [file, ...args] = options.operands;
    if (file && file.text !== "-") return run([fileText(file, command, scene)], args, spec, command, scene);
    return run([inputText(command, scene)], args, spec, command, scene);
  };
}

/** `awk -v name=text` as a line of the script. */
function assignment(word: Word): string {
  const [, name = "", text = ""] = /^(\w+)=(.*)$/s.exec(textWithPlaceholders(word) ?? "") ?? [];
  return name === "" ? "" : `${name} = ${JSON.stringify(text)}`;
}

/** `python -m timeit -s text text`: statements that are run again and again. */
function timed(options: OptionReading): readonly Word[] {
  if (!valuesOf(options, "m").some(({ text }) => text === "timeit")) return [];
  const spec = { short: "n:r:s:pvhu:", long: "number: repeat: setup: process verbose unit: help" };
  const { given, operands } = readOptions(options.operands, spec, false);
  return given.has("h") || given.has("help") ? [] : [...valuesOf({ given }, "s setup"), ...operands];
}

function run(
  texts: readonly (string | undefined)[],
  args: readonly Word[],
  spec: Interpreter,
  command: Command,
  scene: Scene,
): readonly Effect[] {
  const text = texts.filter((one) => one !== undefined).join("\n");
  if (text === "") return [];
  const script = spec.language === "php" ? text.replace(/^<\?php/, "") : text;
  return scriptEffects(script, spec.language, {
    command,
    scene,
    args: args.map((word) => textWithPlaceholders(word) ?? "\uf0ff"),
  });
}

function valuesGiven(given: ReadonlyMap<string, unknown>, names: string): boolean {
  return names.split(" ").some((name) => given.has(name));
}

/** AppleScript hands text to a shell by three words. */
const osascript: Family = (command, scene) => {
  const options = readOptions(command.argv.slice(1), { short: "e:l:is:" }, false);
  const texts = valuesOf(options, "e").map(textWithPlaceholders);
  const text =
    texts.length > 0 ? texts.join("\n") : options.operands.length === 0 ? inputText(command, scene) : undefined;
  const tokens = scriptTokens(text ?? "", "applescript");
  if (/\bto\s+(?:shut\s+down|restart)\b/i.test(text ?? ""))
    return [effect("kill-everything", command, "shuts the computer down", { target: "shut down" })];
  if (/\bempty\s+(?:the\s+)?trash\b/i.test(text ?? ""))
    return [effect("delete-tree", command, "empties the trash", { target: "the trash" })];
  if (isCut(tokens)) return /\bdo\s+shell\b/i.test(text ?? "") ? [unreadScript(command)] : [];
  return tokens.flatMap((token, at) => {
    const before = tokens.slice(Math.max(0, at - 3), at).map((one) => one.text);
    return token.type === "string" && before.join(" ") === "do shell script" ? scene.nested(token.text, command) : [];
  });
};

/** Tcl is a language of commands: one line, one command. */
const tclsh: Family = (command, scene) => {
  const text = inputText(command, scene) ?? "";
  return text.split(/[\n;]/).flatMap((line) => {
    const [, shell] = /^\s*exec\s+(.*)$/.exec(line) ?? [];
    const [, removed] = /^\s*file\s+delete\s+(?:-force\s+)?(?:--\s+)?(.*)$/.exec(line) ?? [];
    return shell ? scene.nested(shell, command) : removed ? scene.nested(`rm -r ${removed}`, command) : [];
  });
};

const PYTHONS =
  "python python2 python3 python3.8 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 pypy pypy3 ipython ipython3";

export const SCRIPTS: Readonly<Record<string, Family>> = {
  ...Object.fromEntries(Object.entries(INTERPRETERS).map(([name, spec]) => [name, interpreter(spec)])),
  ...named(PYTHONS, interpreter(INTERPRETERS.python ?? NODE)),
  ...named("irb pry", interpreter(INTERPRETERS.ruby ?? NODE)),
  deno: (command, scene) => {
    const isPiped = command.args[0] === "run" && command.args.at(-1) === "-";
    const script = isPiped ? inputText(command, scene) : undefined;
    if (script !== undefined) return scriptEffects(script, "js", { command, scene, args: [] });
    return interpreter(INTERPRETERS.deno ?? NODE)(command, scene);
  },
  ...named("nodejs node tsx", interpreter(NODE)),
  ...named("awk gawk mawk nawk", interpreter(AWK)),
  ...named("lua lua5.1 lua5.3 lua5.4 luajit", interpreter(INTERPRETERS.lua ?? NODE)),
  osascript,
  ...named("tclsh wish", tclsh),
};
