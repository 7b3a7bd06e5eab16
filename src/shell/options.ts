import type { Doubt, Word } from "./command.ts";

/**
 * The options of a program in the notation of getopt: `ab:c::` is -a, -b with a value, and -c with an optional attached
 * value. Long names are separated by blanks and marked in the same way.
 */
export interface OptionSpec {
  readonly short?: string;
  readonly long?: string;
}

export interface OptionReading {
  /** Values by name without dashes; undefined for a flag. */
  readonly given: ReadonlyMap<string, readonly (Word | undefined)[]>;
  readonly operands: readonly Word[];
  /** There is an option that the table does not have, or an unknown word that may be an option. */
  readonly doubtful: boolean;
}

interface Shape {
  readonly name: string;
  readonly value: "none" | "needed" | "optional";
}

/** @param mixed whether options may follow operands, as GNU programs that start nothing allow */
export function readOptions(words: readonly Word[], spec: OptionSpec, mixed: boolean): OptionReading {
  const given = new Map<string, (Word | undefined)[]>();
  const operands: Word[] = [];
  let doubtful = false;
  const put = (name: string, value: Word | undefined): void => {
    const values = given.get(name);
    if (values) values.push(value);
    else given.set(name, [value]);
  };
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (!word) break;
    if (word.known && word.text === "--") {
      for (let next = at + 1; next < words.length; next++) operands.push(words[next] as Word);
      break;
    }
    const option = word.text.startsWith("-") && word.text.length > 1;
    if (!option && !mixed) {
      for (let next = at; next < words.length; next++) operands.push(words[next] as Word);
      break;
    }
    if (!option) {
      operands.push(word);
      continue;
    }
    if (!word.known) doubtful = true;
    const found = word.text.startsWith("--") ? longOption(word, spec.long) : shortOptions(word, spec.short ?? "");
    doubtful ||= found.doubtful;
    for (const { name, value } of found.options) put(name, value);
    if (found.pending !== undefined) put(found.pending, words[++at]);
  }
  return { given, operands, doubtful };
}

/** Of one word of options; of the letters after these only new ones are read. */
const MOST_LETTERS = 100;

interface Found {
  readonly options: readonly { readonly name: string; readonly value: Word | undefined }[];
  /** An option whose value is the next word. */
  readonly pending?: string;
  readonly doubtful: boolean;
}

function longOption(word: Word, names = ""): Found {
  const equals = word.text.indexOf("=");
  const name = word.text.slice(2, equals < 0 ? undefined : equals);
  const shape = longShape(name, names);
  const value = equals < 0 ? undefined : { ...word, text: word.text.slice(equals + 1) };
  if (!shape) return { options: [{ name, value }], doubtful: true };
  if (shape.value === "needed" && !value) return { options: [], pending: shape.name, doubtful: false };
  return { options: [{ name: shape.name, value }], doubtful: false };
}

function shortOptions(word: Word, letters: string): Found {
  const options: { name: string; value: Word | undefined }[] = [];
  let doubtful = false;
  const flags = new Set<string>();
  for (let at = 1; at < word.text.length; at++) {
    const name = word.text[at] ?? "";
    if (at > MOST_LETTERS && flags.has(name)) {
      at = nextOther(word.text, at, flags) - 1;
      continue;
    }
    const index = name === ":" ? -1 : letters.indexOf(name);
    if (index < 0) doubtful = true;
    if (index >= 0 && letters[index + 1] === ":") {
      const rest = word.text.slice(at + 1);
      if (rest === "" && letters[index + 2] !== ":") return { options, pending: name, doubtful };
      options.push({ name, value: rest === "" ? undefined : { ...word, text: rest } });
      break;
    }
    options.push({ name, value: undefined });
    flags.add(name);
  }
  return { options, doubtful };
}

/** The position of the first letter that is none of these. */
function nextOther(text: string, from: number, letters: ReadonlySet<string>): number {
  const codes = [...letters].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const other = new RegExp(`[^${codes.join("")}]`, "g");
  other.lastIndex = from;
  return other.test(text) ? other.lastIndex - 1 : text.length;
}

/** Parsed tables of long options, by their notation. */
const tables = new Map<string, ReadonlyMap<string, Shape>>();

/** The option of that name, or the only one with that prefix. */
function longShape(name: string, names: string): Shape | undefined {
  let table = tables.get(names);
  if (!table) {
    table = new Map(names.split(" ").map((text) => [text.replace(/:+$/, ""), shapeOf(text)]));
    tables.set(names, table);
  }
  const exact = table.get(name);
  if (exact) return exact;
  let found: Shape | undefined;
  for (const shape of table.values()) {
    if (!shape.name.startsWith(name)) continue;
    if (found) return undefined;
    found = shape;
  }
  return found;
}

function shapeOf(text: string): Shape {
  const name = text.replace(/:+$/, "");
  const marks = text.length - name.length;
  return { name, value: marks === 0 ? "none" : marks === 1 ? "needed" : "optional" };
}

export function hasOption(options: OptionReading, names: string | undefined): boolean {
  return names?.split(" ").some((name) => options.given.has(name)) ?? false;
}

export function optionValue(options: OptionReading, names: string | undefined): Word | undefined {
  for (const name of names?.split(" ") ?? []) {
    const found = options.given.get(name)?.at(-1);
    if (found) return found;
  }
  return undefined;
}

export function optionDoubts(options: OptionReading, head: readonly Word[]): readonly Doubt[] {
  return options.doubtful || head.some((word) => word.many) ? ["options"] : [];
}
