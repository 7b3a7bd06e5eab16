import type { Command, Word } from "../../shell/command.ts";
import { PLACEHOLDER } from "../../shell/placeholders.ts";
import { readShell } from "../../shell/shell.ts";
import type { Scene } from "../effect.ts";
import { type FileSelection, readFd, readFind } from "./file-selection.ts";
import { lineIndex } from "./line-index.ts";

const MAX_FILTERS = 8;
/** Filters that pass some lines on unchanged. */
const FILTERS = /^(?:e?grep|fgrep|rg|head|tail|sort|uniq|shuf|tee)$/;

/** What a word stands for that another command lists: `find … -exec rm {}`, `ls *.o | xargs rm`, `rm $(find …)`. */
export function selectionFor(word: Word, command: Command, scene: Scene): FileSelection | undefined {
  if (word.known) return undefined;
  const { via } = command;
  if (via && (word.many || word.shape?.includes(PLACEHOLDER)) && !word.glob) {
    const found = startedBy(via);
    if (found) return found;
  }
  if (/^(?:\$\(|`)/.test(word.text)) return printedBy(command.inner, word);
  const [, name, rest = ""] = /^\$(?:\{(\w+)\}|(?=\w))(.*)$/s.exec(word.text) ?? [];
  const plain = name ?? /^\w+/.exec(rest)?.[0];
  if (plain === undefined) return undefined;
  return valuesOf(plain, name === undefined ? rest.slice(plain.length) : rest, command, scene);
}

function startedBy(via: Command): FileSelection | undefined {
  if (via.program === "find") return readFind(via);
  if (via.program === "fd" || via.program === "fdfind") return readFd(via);
  if (via.program === "xargs" || via.program === "parallel") return listedBy(via.upstream);
  return via.via && startedBy(via.via);
}

/** A word that is one `$(…)`: the output of the last command in it. */
function printedBy(inner: readonly Command[], word: Word): FileSelection | undefined {
  const last = inner.at(-1);
  if (!last || !/^(?:\$\([\s\S]*\)|`[^`]*`)$/.test(word.text) || word.text.slice(2).includes("$(")) return undefined;
  const chain = new Set([last]);
  for (const one of chain) for (const before of one.upstream) chain.add(before);
  return inner.every((one) => chain.has(one)) ? listedBy([last]) : undefined;
}

/** A variable that a loop fills with names of files, and nothing else does. */
function valuesOf(name: string, rest: string, command: Command, scene: Scene): FileSelection | undefined {
  const { assigned, reads } = lineIndex(scene.shell);
  if (assigned.has(name)) return undefined;
  const words = scene.shell.loops.get(name);
  const reader = reads.get(name);
  if (words && !reader) return among(words, rest, command);
  return reader && !words && rest === "" ? listedBy(reader.upstream) : undefined;
}

function among(words: readonly Word[], rest: string, command: Command): FileSelection | undefined {
  const [only, more] = words;
  if (only && !more && !only.glob && rest === "" && /^\$\([\s\S]*\)$/.test(only.text)) {
    const { commands } = readShell(only.text.slice(2, -1), { cwd: command.cwd ?? "" });
    return printedBy(commands, only);
  }
  if (!words.every((word) => word.known || (word.glob && word.shape === word.text))) return undefined;
  const roots = words.map((word): Word => {
    // `packages/*/` with `dist` after it is `packages/*/dist`, with nothing or another slash it is the folder.
    const isDoubled = word.text.endsWith("/") && (rest === "" || rest.startsWith("/"));
    const text = (isDoubled ? word.text.slice(0, -1) : word.text) + rest;
    return word.known ? { text, known: true } : { text, known: false, glob: true, shape: text };
  });
  return { command, roots, names: [], empty: false, exact: true };
}

/** The files that the single command at the start of a pipe lists, after the filters behind it. */
function listedBy(part: readonly Command[], steps = 0): FileSelection | undefined {
  const [only, more] = part;
  if (!only || more || steps > MAX_FILTERS) return undefined;
  const { program = "" } = only;
  if (program === "find") return readFind(only);
  if (program === "fd" || program === "fdfind") return readFd(only);
  if (program === "ls") return ofLs(only);
  if (program === "git" && only.args[0] === "ls-files") return ofGit(only);
  if (program === "echo" || program === "printf") return ofWords(only, only.argv.slice(program === "echo" ? 1 : 2));
  if (!FILTERS.test(program) || only.upstream.length === 0) return undefined;
  const found = listedBy(only.upstream, steps + 1);
  return found && program.includes("grep") ? narrowed(found, only) : found;
}

function ofLs(command: Command): FileSelection | undefined {
  const options = command.argv.slice(1).filter(({ text }) => text.startsWith("-"));
  const words = command.argv.slice(1).filter(({ text }) => !text.startsWith("-"));
  if (options.some(({ text }) => /^-\w*R|^--recursive/.test(text))) return undefined;
  if (words.length === 0) return ofWords(command, [{ text: "*", known: false, glob: true, shape: "*" }]);
  const itself = options.some(({ text }) => /^-\w*d|^--directory/.test(text)) || words.every(({ glob }) => glob);
  return itself ? ofWords(command, words) : undefined;
}

/** `git ls-files -o -i dist`: files below the given folders. */
function ofGit(command: Command): FileSelection | undefined {
  const words = command.argv.slice(2);
  const roots = words.filter(
    ({ text }, at) => !text.startsWith("-") && !/^(?:-[xX]|--exclude(?:-from)?)$/.test(words[at - 1]?.text ?? ""),
  );
  if (roots.length === 0 || roots.some(({ known, text }) => !known || /[*?[:]/.test(text))) return undefined;
  return { command, roots, names: [], empty: false };
}

function ofWords(command: Command, words: readonly Word[]): FileSelection | undefined {
  const sure = words.length > 0 && words.every((word) => word.known || (word.glob && word.shape === word.text));
  return sure ? { command, roots: words, names: [], empty: false, exact: true } : undefined;
}

/** `ls | grep '\.log$'`: an ending that all listed names share. */
function narrowed(found: FileSelection, grep: Command): FileSelection {
  const [pattern, more] = grep.args.filter((arg) => !arg?.startsWith("-"));
  const [, ending] = /^\\\.(\w+)\$$/.exec(pattern ?? "") ?? [];
  if (ending === undefined || more !== undefined || grep.args.some((arg) => /^-\w*v|^--invert/.test(arg ?? "")))
    return found;
  const text = `*.${ending}`;
  if (!found.exact) return found.names.length === 0 ? { ...found, names: [text] } : found;
  if (found.roots.length !== 1 || found.roots[0]?.text !== "*") return found;
  return { ...found, roots: [{ text, known: false, glob: true, shape: text }] };
}
