import type { Dice } from "./dice.ts";

/** Ways to write the same text; each gives exactly this text back in bash. */
const STYLES: readonly ((text: string) => string)[] = [singleQuoted, doubleQuoted, escaped, ansi];

/** One word, cut into pieces that are quoted in different ways. */
export function quoteRandomly(text: string, dice: Dice): string {
  if (text === "") return dice.pick(["''", '""', "$''"]);
  if (/^[A-Za-z0-9_./:%+-]+$/.test(text) && dice.chance(40)) return text;
  let written = "";
  for (let at = 0; at < text.length; ) {
    const length = Math.min(text.length - at, 1 + dice.roll(6));
    written += dice.pick(STYLES)(text.slice(at, at + length));
    if (dice.chance(4)) written += "\\\n";
    at += length;
  }
  return written;
}

export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export function doubleQuoted(text: string): string {
  return `"${text.replace(/[$`"\\]/g, "\\$&")}"`;
}

function escaped(text: string): string {
  return [...text]
    .map((char) => (char === "\n" ? "$'\\n'" : /[A-Za-z0-9_./]/.test(char) ? char : `\\${char}`))
    .join("");
}

function ansi(text: string): string {
  const written = [...text].map((char) => {
    const code = char.codePointAt(0) ?? 0;
    if (char === "\n") return "\\n";
    if (char === "'" || char === "\\") return `\\${char}`;
    return code < 128 && code % 3 === 0 ? `\\x${code.toString(16).padStart(2, "0")}` : char;
  });
  // A hexadecimal escape swallows at most two digits, so the next character never joins it.
  return `$'${written.join("")}'`;
}
