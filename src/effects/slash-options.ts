import type { Word } from "../shell/command.ts";
import type { LooseReading } from "./loose-options.ts";

/** `/name`, `/name:value`. */
const OPTION = /^\/([a-z?][\w-]*|\?)(?::([\s\S]*))?$/;
/** `/s/q`: several letters in one word. */
const LETTERS = /^(?:\/[a-z])+$/;

/** Options as programs of Windows take them. */
export function readSlashOptions(words: readonly Word[], values = ""): LooseReading {
  const takes = new Set(values.split(" "));
  const given = new Map<string, (Word | undefined)[]>();
  const operands: Word[] = [];
  const put = (name: string, value: Word | undefined): void => {
    const known = given.get(name);
    if (known) known.push(value);
    else given.set(name, [value]);
  };
  // To a POSIX shell the last backslash of `C:\\ /t` joins two words.
  const parts = words.flatMap((word) => word.text.split(/\s+/).map((text) => ({ ...word, text })));
  for (let at = 0; at < parts.length; at++) {
    const word = parts[at] as Word;
    const text = word.text.toLowerCase();
    const [, name, value] = OPTION.exec(text) ?? [];
    if (name === undefined) {
      if (LETTERS.test(text)) for (const letter of text.replaceAll("/", "")) put(letter, undefined);
      else operands.push(word);
    } else if (value !== undefined) {
      put(name, { ...word, text: value });
    } else {
      const next = takes.has(name) ? parts[++at] : undefined;
      put(name, next && { ...next, text: next.text.toLowerCase() });
    }
  }
  return { given, operands, rest: [] };
}
