/** From the last column of a table a line may go on below itself, if that leaves it this much of the width. */
const DEEPEST = 0.7;
/** A line of a text that was made for wide terminals, and that goes on in the next line, is at least this long. */
const FILLED = 90;

/** Lines that are too long for the terminal, broken between words. Programs never see this: they read no terminal. */
export function wrapped(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => (isJson(line) ? line : wrappedLine(line, columns)))
    .join("\n");
}

/** Paragraphs in one line each, so that they can be broken elsewhere. */
export function joinedParagraphs(text: string): string {
  return text.replace(new RegExp(`^(\\S.{${FILLED - 1},})\\n(?=\\S)`, "gm"), "$1 ");
}

function isJson(line: string): boolean {
  return /^ *[{[]/.test(line);
}

function wrappedLine(line: string, columns: number): string {
  const hang = hangOf(line, columns);
  const lines: string[] = [];
  for (let rest = line; ; ) {
    const end = breakOf(rest, columns, lines.length === 0 ? 0 : hang);
    if (end === undefined) return [...lines, rest].join("\n");
    lines.push(rest.slice(0, end).trimEnd());
    rest = " ".repeat(hang) + rest.slice(end).trimStart();
  }
}

/** How far to the right a line goes on: below its last column, else below its own beginning. */
function hangOf(line: string, columns: number): number {
  const plain = withoutColour(line);
  const columnsOf = [...plain.matchAll(/\S {2,}(?=\S)/g)].map((gap) => gap.index + gap[0].length);
  const last = columnsOf.filter((at) => at <= columns * DEEPEST).at(-1);
  return last ?? /^(?:Usage: hookwright | *(?:- )?)/.exec(plain)?.[0].length ?? 0;
}

/** Where to break: before the first word that does not fit, or after one that is too long by itself. */
function breakOf(line: string, columns: number, from: number): number | undefined {
  let shown = 0;
  let space: number | undefined;
  for (let at = 0; at < line.length; at++) {
    const colour = COLOUR_HERE.exec(line.slice(at, at + 8));
    if (colour) {
      at += colour[0].length - 1;
      continue;
    }
    const isBreakable = line[at] === " " && shown > from && line.slice(from, at).trim() !== "";
    if (isBreakable && (shown <= columns || space === undefined)) space = at;
    shown++;
    if (shown > columns && space !== undefined) return space;
  }
  return undefined;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is looked for
const COLOUR_HERE = /^\u001b\[\d+m/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is looked for
const COLOUR = /\u001b\[\d+m/g;

export function withoutColour(text: string): string {
  return text.replace(COLOUR, "");
}
