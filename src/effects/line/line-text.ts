import { posix } from "node:path";
import type { Command, Word } from "../../shell/command.ts";
import { hereText, literalOutput } from "../../shell/expand/output.ts";
import type { Scene } from "../effect.ts";
import { lineIndex } from "./line-index.ts";

const MAX_STEPS = 8;
const WRITES = /^>[>|]?$/;
const INPUTS = new WeakMap<Command, string | undefined>();

/** The text of a word, with one placeholder character for each unknown piece. */
export function textWithPlaceholders(word: Word | undefined): string | undefined {
  return word?.known ? word.text : word?.shape;
}

/** The standard input of a command, as far as the line itself contains it. */
export function inputText(command: Command, scene: Scene, steps = 0): string | undefined {
  if (steps > MAX_STEPS) return undefined;
  // Cached: each part of a pipe may ask for all parts before it.
  if (!INPUTS.has(command)) INPUTS.set(command, readInput(command, scene, steps));
  return INPUTS.get(command);
}

function readInput(command: Command, scene: Scene, steps: number): string | undefined {
  const body = hereText(command);
  if (body) return textWithPlaceholders(body);
  const file = inputFile(command);
  if (file) return fileText(file, command, scene, steps + 1);
  if (command.upstream.length > 0) {
    const texts = command.upstream.map((one) => outputText(one, scene, steps + 1));
    return texts.every((text) => text !== undefined) ? texts.join("") : undefined;
  }
  // The input of a launcher is the input of the command that it starts.
  return command.via ? inputText(command.via, scene, steps + 1) : undefined;
}

/** The content that the line itself wrote into a file before this command reads it. */
export function fileText(word: Word, command: Command, scene: Scene, steps = 0): string | undefined {
  if (steps > MAX_STEPS) return undefined;
  if (!word.known) return word.text.startsWith("<(") ? substituted(command, scene, steps) : undefined;
  if (word.text === "-" || word.text === "/dev/stdin") return inputText(command, scene, steps + 1);
  const path = placed(word.text, command, scene);
  if (path === undefined) return undefined;
  let text: string | undefined;
  const { positions } = lineIndex(scene.shell);
  const end = positions.get(command) ?? Number.POSITIVE_INFINITY;
  for (const writer of writersOf(scene).get(path) ?? []) {
    if ((positions.get(writer) ?? 0) >= end) break;
    const added = writtenTo(path, writer, scene, steps);
    if (added) text = (added.append ? (text ?? "") : "") + added.text;
  }
  return text;
}

/** The path of a file on this machine that the line only reads; undefined when the line writes it. */
export function fileOnDisk(word: Word, command: Command, scene: Scene): string | undefined {
  if (command.remote || !word.known || word.text === "-" || word.text.startsWith("/dev/")) return undefined;
  const path = placed(word.text, command, scene);
  return path === undefined || writersOf(scene).has(path) ? undefined : path;
}

/** The same for the file that a command reads as its input: `< file`, `cat file |`, or what its launcher is given. */
export function inputOnDisk(command: Command, scene: Scene, steps = 0): string | undefined {
  if (steps > MAX_STEPS || hereText(command)) return undefined;
  const file = inputFile(command);
  if (file) return fileOnDisk(file, command, scene);
  const [source, more] = command.upstream;
  if (!source) return command.via ? inputOnDisk(command.via, scene, steps + 1) : undefined;
  const [, word, ...others] = source.argv;
  if (more || source.program !== "cat" || others.length > 0) return undefined;
  return word ? fileOnDisk(word, source, scene) : inputOnDisk(source, scene, steps + 1);
}

/** Of the files a client is given, or of what it reads without any, those that the line did not write. */
export function onDisk(
  files: readonly Word[] | undefined,
  command: Command,
  scene: Scene,
): readonly (string | undefined)[] {
  if (!files) return inputText(command, scene) === undefined ? [inputOnDisk(command, scene)] : [];
  return files.map((file) => fileOnDisk(file, command, scene));
}

function inputFile({ redirections }: Command): Word | undefined {
  return redirections.find(({ operator, fd }) => operator === "<" && (fd ?? 0) === 0)?.target;
}

/** `psql -f <(echo …)`: what the only command in the words prints. */
function substituted(command: Command, scene: Scene, steps: number): string | undefined {
  const [only, more] = command.inner;
  return only && !more ? outputText(only, scene, steps + 1) : undefined;
}

const writers = new WeakMap<readonly Command[], ReadonlyMap<string, readonly Command[]>>();

/** The commands that may put something into a file, by its path. */
function writersOf(scene: Scene): ReadonlyMap<string, readonly Command[]> {
  const { commands } = scene.shell;
  const known = writers.get(commands);
  if (known) return known;
  const found = new Map<string, Command[]>();
  for (const command of commands) {
    const words = command.redirections.flatMap(({ operator, target }) =>
      target?.known && WRITES.test(operator) ? [target] : [],
    );
    for (const { text } of command.program === "tee" ? [...words, ...command.argv] : words) {
      const path = placed(text, command, scene);
      const list = path === undefined ? undefined : found.get(path);
      if (list) list.push(command);
      else if (path !== undefined) found.set(path, [command]);
    }
  }
  writers.set(commands, found);
  return found;
}

function writtenTo(
  path: string,
  writer: Command,
  scene: Scene,
  steps: number,
): { readonly text: string; readonly append: boolean } | undefined {
  const out = writer.redirections.find(
    ({ operator, target }) => WRITES.test(operator) && target?.known && placed(target.text, writer, scene) === path,
  );
  if (out) {
    const redirections = writer.redirections.filter((one) => one !== out);
    const text = outputText({ ...writer, redirections }, scene, steps + 1);
    return text === undefined ? undefined : { text, append: out.operator === ">>" };
  }
  const tee = writer.program === "tee" && writer.argv.some((word) => placed(word.text, writer, scene) === path);
  const text = tee ? inputText(writer, scene, steps + 1) : undefined;
  return text === undefined ? undefined : { text, append: writer.args.includes("-a") };
}

/** The output of a command that only passes on text from the line, such as echo or cat. */
function outputText(command: Command, scene: Scene, steps: number): string | undefined {
  const literal = literalOutput(command) ?? escaped(command);
  if (literal) return textWithPlaceholders(literal);
  const words = command.argv.slice(1);
  if (command.program === "cat" || command.program === "tee") {
    const [only, more] = words;
    if (!only || command.program === "tee") return inputText(command, scene, steps + 1);
    return more ? undefined : fileText(only, command, scene, steps + 1);
  }
  if (command.program === "base64" && words.some(({ text }) => /^(?:-d|-D|-di|--decode)$/.test(text))) {
    const text = inputText(command, scene, steps + 1);
    return text === undefined ? undefined : Buffer.from(text, "base64").toString("utf8");
  }
  return undefined;
}

/** `echo -e "a\nb"`, `printf 'a\r\n'`: escapes that all shells expand alike. */
function escaped(command: Command): Word | undefined {
  const [first, ...rest] = command.argv.slice(1);
  const echo = command.program === "echo" && /^-(?:e|ne|en)$/.test(first?.text ?? "");
  const printf = command.program === "printf" && rest.length === 0 && !first?.text.includes("%");
  const words = echo ? rest : printf && first ? [first] : [];
  if (words.length === 0 || !words.every((word) => word.known)) return undefined;
  const text = words.map((word) => word.text).join(" ");
  return { text: text.replaceAll("\\n", "\n").replaceAll("\\r", "\r").replaceAll("\\t", "\t"), known: true };
}

function placed(text: string, command: Command, scene: Scene): string | undefined {
  if (text.startsWith("/")) return posix.resolve(text);
  return command.cwd === undefined ? undefined : posix.resolve(scene.cwd, command.cwd, text);
}

/** Words quoted, so that a shell reads them back unchanged. */
export function quotedWords(words: readonly Word[]): string {
  return words.map((word) => `'${(textWithPlaceholders(word) ?? "\uf0ff").replaceAll("'", "'\\''")}'`).join(" ");
}
