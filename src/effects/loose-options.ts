import type { Word } from "../shell/command.ts";

export interface LooseReading {
  /** Options by name without dashes, a cluster of letters also by each letter. */
  readonly given: ReadonlyMap<string, readonly (Word | undefined)[]>;
  readonly operands: readonly Word[];
  /** What follows a lone `--`. */
  readonly rest: readonly Word[];
}

/** Reads options without a full list of them. */
export function readLoosely(words: readonly Word[], values = ""): LooseReading {
  const takes = namesIn(values);
  const given = new Map<string, (Word | undefined)[]>();
  const operands: Word[] = [];
  const put = (name: string, value: Word | undefined): void => {
    const known = given.get(name);
    if (known) known.push(value);
    else given.set(name, [value]);
  };
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at];
    if (!word || word.text === "--") break;
    if (!word.text.startsWith("-")) {
      operands.push(word);
      continue;
    }
    const [, dashes = "", name = "", value] = /^(--?)([A-Za-z0-9][^=]*)(?:=([\s\S]*))?$/.exec(word.text) ?? [];
    if (dashes === "") {
      operands.push(word);
    } else if (value !== undefined) {
      put(name, { ...word, text: value });
    } else if (takes.has(name)) {
      put(name, words[++at]);
    } else if (dashes === "-" && name.length > 1 && takes.has(name[0] ?? "")) {
      // `-XDELETE`: a letter with its value.
      put(name[0] ?? "", { ...word, text: name.slice(1) });
    } else {
      put(name, undefined);
      if (dashes === "-" && /^[A-Za-z0-9]{2,5}$/.test(name)) at += cluster(word, words[at + 1], takes, put);
    }
  }
  if (at >= words.length) return { given, operands, rest: [] };
  const rest = words.slice(at + 1);
  return { given, operands: [...operands, ...rest], rest };
}

const lists = new Map<string, ReadonlySet<string>>();

/** Cached: the lists are constants. */
function namesIn(list: string): ReadonlySet<string> {
  let names = lists.get(list);
  if (!names) {
    names = new Set(list.split(" "));
    lists.set(list, names);
  }
  return names;
}

/** `-Atc text`: how many further words the letters take. */
function cluster(
  word: Word,
  next: Word | undefined,
  takes: ReadonlySet<string>,
  put: (name: string, value: Word | undefined) => void,
): number {
  for (let at = 1; at < word.text.length; at++) {
    const letter = word.text[at] ?? "";
    const rest = word.text.slice(at + 1);
    put(letter, takes.has(letter) ? (rest === "" ? next : { ...word, text: rest }) : undefined);
    if (takes.has(letter)) return rest === "" ? 1 : 0;
  }
  return 0;
}

export function has(reading: Pick<LooseReading, "given">, names: string | undefined): boolean {
  if (names === undefined || reading.given.size === 0) return false;
  for (const name of namesIn(names)) {
    const [option = "", value] = name.split("=");
    const values = reading.given.get(option);
    if (value === undefined ? isOn(values) : values?.some((one) => one && isValue(one.text, value))) return true;
  }
  return false;
}

/** `=https:*` is the beginning of a value. */
function isValue(text: string, wanted: string): boolean {
  return wanted.endsWith("*") ? text.startsWith(wanted.slice(0, -1)) : text === wanted;
}

/** The values that were given to any of these options. */
export function valuesOf(reading: Pick<LooseReading, "given">, names: string): readonly Word[] {
  if (reading.given.size === 0) return [];
  const found: Word[] = [];
  for (const name of namesIn(names)) for (const value of reading.given.get(name) ?? []) if (value) found.push(value);
  return found;
}

function isOn(values: readonly (Word | undefined)[] | undefined): boolean {
  return values?.some((value) => !value || !/^(?:false|none|no|0)$/i.test(value.text)) ?? false;
}

/** The same value under several names. */
export function named<T>(names: string, value: T): Readonly<Record<string, T>> {
  return Object.fromEntries(names.split(" ").map((name) => [name, value]));
}
