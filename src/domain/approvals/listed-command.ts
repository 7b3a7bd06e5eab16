import { type Form, GROUPS, type GroupName, LEADING } from "./groups.ts";

/** Is what this word would name as a path part of the project? */
export type IsInside = (word: string) => boolean;

/** The first of these groups that has the command; undefined when a single word of it is not described there. */
export function groupWith(
  words: readonly string[],
  groups: readonly GroupName[],
  isInside: IsInside,
): GroupName | undefined {
  return groups.find((name) => GROUPS[name].forms.some((form) => matches(words, form, isInside)));
}

function matches(words: readonly string[], form: Form, isInside: IsInside): boolean {
  const rest = afterStart(words, form.start);
  const read = rest && readRest(rest, tableOf(form.options ?? ""));
  if (!read?.values.every(isInside)) return false;
  const needed = form.needs?.split(" ");
  if (needed && !read.given.some((option) => needed.includes(option))) return false;
  return read.operands.every((word) => form.operands !== undefined && isOperand(word, form.operands) && isInside(word));
}

/** Programs read a file's text for `@file`, and options may follow a `+`: an operand begins like a name or a path. */
const OPERANDS = {
  files: /^[\p{L}\p{N}_./:]/u,
  names: /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u,
};

function isOperand(word: string, kind: "files" | "names"): boolean {
  return OPERANDS[kind].test(word);
}

function afterStart([program = "", ...rest]: readonly string[], start: string): readonly string[] | undefined {
  const leading = LEADING[program] ?? [];
  const from = rest.findIndex((word) => !leading.includes(word));
  const words = [program, ...(from < 0 ? [] : rest.slice(from))];
  const expected = start.split(" ");
  const isThis = expected.every((choice, at) => choice.split("|").includes(words[at] ?? ""));
  return isThis ? words.slice(expected.length) : undefined;
}

interface OptionTable {
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
  readonly attached: ReadonlySet<string>;
  readonly letters: string;
  readonly hasNumber: boolean;
}

const tables = new Map<string, OptionTable>();

function tableOf(notation: string): OptionTable {
  const known = tables.get(notation);
  if (known) return known;
  const words = notation.split(" ");
  const ending = (end: string) => words.filter((word) => word.endsWith(end)).map((word) => word.slice(0, -end.length));
  const table: OptionTable = {
    flags: new Set(words.filter((word) => /^-[\w-]+$/.test(word))),
    values: new Set(ending("=")),
    attached: new Set(ending("=?")),
    letters: words.map((word) => /^-\[(.+)\]$/.exec(word)?.[1] ?? "").join(""),
    hasNumber: words.includes("-#"),
  };
  tables.set(notation, table);
  return table;
}

interface Rest {
  /** Options by name; letters that share a word are given one by one. */
  readonly given: readonly string[];
  readonly values: readonly string[];
  readonly operands: readonly string[];
}

function readRest(words: readonly string[], table: OptionTable): Rest | undefined {
  const given: string[] = [];
  const values: string[] = [];
  const operands: string[] = [];
  let onlyOperands = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (word === "--" && !onlyOperands) onlyOperands = true;
    else if (!word.startsWith("-")) operands.push(word);
    // A script may read what follows `--` as options of its own.
    else if (onlyOperands) return undefined;
    else {
      const option = readOption(word, words[at + 1], table);
      if (!option) return undefined;
      given.push(...option.names);
      if (option.value !== undefined) values.push(option.value);
      if (option.takesNext) at++;
    }
  }
  return { given, values, operands };
}

interface OptionWord {
  readonly names: readonly string[];
  readonly value?: string;
  readonly takesNext?: true;
}

function readOption(word: string, next: string | undefined, table: OptionTable): OptionWord | undefined {
  if (table.flags.has(word) || table.attached.has(word)) return { names: [word] };
  if (table.hasNumber && /^-\d+$/.test(word)) return { names: [word] };
  const letters = [...word.slice(1)];
  if (letters.length > 0 && letters.every((letter) => table.letters.includes(letter)))
    return { names: letters.map((letter) => `-${letter}`) };
  // A value that looks like an option would hide one, should the program read the line in another way.
  if (table.values.has(word)) {
    return next === undefined || next.startsWith("-") ? undefined : { names: [word], value: next, takesNext: true };
  }
  const [, name = "", value = ""] = /^(--?[\w-]+)=(.*)$/u.exec(word) ?? /^(-\w)(.+)$/u.exec(word) ?? [];
  return table.values.has(name) || table.attached.has(name) ? { names: [name], value } : undefined;
}
