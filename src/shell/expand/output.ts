import { posix } from "node:path";
import type { Command, Word } from "../command.ts";
import type { Script } from "../parse/syntax.ts";
import { isGeneratedName, mktempOutput } from "./temporary-names.ts";
import { decodeEscapes, filterOutput } from "./text-filters.ts";

/**
 * The output of a command that prints only its own words or its input; undefined for any other, and when the output is
 * redirected. People and agents write texts as `$(cat <<EOF …)`, and `$(echo rm)` hides the name of a program.
 */
export function literalOutput(command: Command, stdin?: Word): Word | undefined {
  const redirected = command.redirections.some((redirection) => redirection.fd !== 2 && redirection.body === undefined);
  return redirected ? undefined : printedBy(command, stdin);
}

/** The output of a command substitution of one such command, or of a pipeline of them. */
export function scriptOutput(script: Script, commands: readonly Command[]): Word | undefined {
  const [statement, more] = script.statements;
  if (!statement || more || statement.background) return undefined;
  const { node } = statement;
  // `mktemp -d || mktemp -d -t x`: either command creates a new file.
  if (node.kind === "chain" && commands.every(({ program }) => program === "mktemp"))
    return commands[0] && printedBy(commands[0]);
  if (node.kind === "chain" && node.operators.every((one) => one === "&&")) return folderAfterChange(commands);
  const items = node.kind === "pipeline" && !node.negated ? node.items : [node];
  if (items.some((item) => item.kind !== "simple")) return undefined;
  const parts =
    commands.length > items.length && commands.length <= MOST_COMMANDS ? withoutHelpers(commands) : commands;
  if (parts.length !== items.length) return undefined;
  let output: Word | undefined;
  for (const command of parts) {
    output = literalOutput(command, output);
    if (!output) return undefined;
  }
  return output;
}

/** `cd x && pwd` */
function folderAfterChange(commands: readonly Command[]): Word | undefined {
  const [move, last, more] = commands.length > 2 ? withoutHelpers(commands) : commands;
  return move?.program === "cd" && last?.program === "pwd" && !more ? printedBy(last) : undefined;
}

/** A substitution with more commands is not written to print a name. */
const MOST_COMMANDS = 12;

/** Without `sudo` of `sudo mktemp` and `mktemp` of `realpath "$(mktemp)"`: their output is not that of the whole. */
function withoutHelpers(commands: readonly Command[]): readonly Command[] {
  return commands.filter(
    (one) =>
      !(one.wraps && /^(?:sudo|doas|command)$/.test(one.program ?? "")) &&
      !commands.some(({ inner }) => inner.includes(one)),
  );
}

/** As `literalOutput`, wherever the output goes. */
export function printedBy(command: Command, stdin?: Word): Word | undefined {
  const [program, ...words] = command.argv;
  if (!program?.known || command.program === "" || command.uncertain.some((doubt) => doubt === "alias"))
    return undefined;
  switch (command.program) {
    case "echo":
      return echo(words);
    case "printf":
      return printf(words);
    case "pwd":
      return command.cwd?.startsWith("/") ? { text: `${command.cwd}\n`, known: true } : undefined;
    case "dirname":
    case "basename":
      return partOfName(command.program, words);
    case "mktemp":
      return mktempOutput(words);
    case "realpath":
    case "readlink":
      return resolvedName(words);
    case "which":
      return programName(words);
    case "command":
    case "type":
      return /^-[vpP]$/.test(words[0]?.text ?? "") ? programName(words) : undefined;
    default:
      return filtered(command, words, hereText(command) ?? stdin);
  }
}

/** `realpath` of a file that the line creates: a new file is no link. */
function resolvedName(words: readonly Word[]): Word | undefined {
  const [name, more] = words.filter(({ text }) => !/^-[efmsq]+$/.test(text));
  return name?.known && more === undefined && isGeneratedName(name.text)
    ? { text: `${name.text}\n`, known: true }
    : undefined;
}

function partOfName(program: "dirname" | "basename", words: readonly Word[]): Word | undefined {
  const [name, suffix, more] = words[0]?.text === "--" ? words.slice(1) : words;
  if (!name?.known || name.text.startsWith("-") || more || suffix?.known === false) return undefined;
  if (program === "dirname") return suffix ? undefined : { text: `${posix.dirname(name.text)}\n`, known: true };
  return { text: `${posix.basename(name.text, suffix?.text)}\n`, known: true };
}

/** `which rm`: the name stands for the path, since the folder does not matter here. */
function programName(words: readonly Word[]): Word | undefined {
  const [name, more] = words.filter((word) => !/^-[avpP]$/.test(word.text));
  return name?.known && more === undefined && words.every((word) => word.known)
    ? { text: name.text, known: true }
    : undefined;
}

/** What a filter such as `tr` makes of its input. */
function filtered(command: Command, words: readonly Word[], read: Word | undefined): Word | undefined {
  const { program = "" } = command;
  if (!read) return undefined;
  // Of a text with unknown parts only an unchanged copy is known.
  if (!read.known) return words.length === 0 && program === "cat" ? read : undefined;
  if (words.some((word) => !word.known)) return undefined;
  const text = filterOutput(
    program,
    words.map((word) => word.text),
    read.text,
  );
  return text === undefined ? undefined : { text, known: true };
}

/** The here-document or here-string that is the input of a command. */
export function hereText(command: Command): Word | undefined {
  const only = command.redirections.findLast(({ fd, operator }) => (fd ?? 0) === 0 && operator.startsWith("<"));
  if (!only?.body) return undefined;
  if (only.operator !== "<<<") return only.body;
  const { text, shape } = only.body;
  return { ...only.body, text: `${text}\n`, ...(shape !== undefined && { shape: `${shape}\n` }) };
}

function echo(words: readonly Word[]): Word | undefined {
  const options = words[0] && /^-[neE]+$/.test(words[0].text) ? words[0].text : "";
  const newline = options.includes("n") ? "" : "\n";
  const rest = options === "" ? words : words.slice(1);
  if (/^-[neE]+$/.test(rest[0]?.text ?? "")) return undefined;
  if (options.includes("e")) return unescaped(rest, newline);
  // Without an option shells differ in what a backslash means.
  if (rest.some((word) => word.text.includes("\\"))) return undefined;
  return printed(rest, (texts) => texts.join(" ") + newline);
}

function unescaped(words: readonly Word[], newline: string): Word | undefined {
  const text = words.every((word) => word.known) ? decodeEscapes(words.map((word) => word.text).join(" ")) : undefined;
  return text === undefined ? undefined : { text: text + newline, known: true };
}

/** The output for a format of `%s`, `%b` and `%%` only. The format is repeated until all values are used. */
export function printf([format, ...values]: readonly Word[]): Word | undefined {
  const text = format?.known && !format.text.startsWith("-") ? decodeEscapes(format.text) : undefined;
  if (text === undefined) return undefined;
  const pieces = text.split(/(%[sb%])/);
  if (pieces.some((piece) => piece.length !== 2 && piece.includes("%"))) return undefined;
  const takes = pieces.filter((piece) => piece === "%s" || piece === "%b").length;
  if (takes === 0) return values.length === 0 ? { text: text.replaceAll("%%", "%"), known: true } : undefined;
  const rounds = Math.max(1, Math.ceil(values.length / takes));
  if (rounds > 100) return undefined;
  return printed(values, (texts) => {
    let next = 0;
    return Array.from({ length: rounds }, () =>
      pieces
        .map((piece) => {
          if (piece === "%%") return "%";
          if (piece !== "%s" && piece !== "%b") return piece;
          const value = texts[next++] ?? "";
          return piece === "%b" ? (decodeEscapes(value) ?? value) : value;
        })
        .join(""),
    ).join("");
  });
}

/** The text of the words, with a placeholder for each unknown part. */
function printed(words: readonly Word[], join: (texts: readonly string[]) => string): Word | undefined {
  const shapes = words.map((word) => (word.known ? word.text : word.shape)).filter((shape) => shape !== undefined);
  if (shapes.length < words.length) return undefined;
  const text = join(words.map((word) => word.text));
  return words.every((word) => word.known) ? { text, known: true } : { text, known: false, shape: join(shapes) };
}
