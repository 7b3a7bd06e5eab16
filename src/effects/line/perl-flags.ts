import type { Word } from "../../shell/command.ts";

/** Letters before the script's own, of which only `l` and `0` take something: digits. */
const LETTERS = /^-((?:[acfnpsStTuUvwWX]|l[0-7]*|0(?:[xX][\da-fA-F]+|[0-7]*))+)(?=[eEFiIMm])/;

/** `perl -lne`, `perl -0777ne`: without the record separators, so that the letters behind them are read as options. */
export function withoutSeparators(words: readonly Word[]): readonly Word[] {
  return words.map((word) => {
    const text = word.text.replace(
      LETTERS,
      (_, letters: string) => `-${letters.replace(/l[0-7]*|0[xX\da-fA-F]*/g, "")}`,
    );
    return text === word.text ? word : { ...word, text };
  });
}
