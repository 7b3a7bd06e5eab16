/** A wrapped line continues below its last table column, if that column starts within this part of the width. */
const DEEPEST = 0.7;
/** In our texts, a line of a paragraph that continues in the next line is at least this long. */
const FILLED = 90;

/** Wraps long lines between words. Only used for terminals, never for output that programs read. */
export function wrapped(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => (isJson(line) ? line : wrappedLine(line, columns)))
    .join("\n");
}

/** Joins the lines of each paragraph, so that they can be wrapped at another width. */
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

/** The indentation of a wrapped line: below its last column, else below its own beginning. */
function hangOf(line: string, columns: number): number {
  const plain = withoutColour(line);
  const columnsOf = [...plain.matchAll(/\S {2,}(?=\S)/g)].map((gap) => gap.index + gap[0].length);
  const last = columnsOf.filter((at) => at <= columns * DEEPEST).at(-1);
  return last ?? /^(?:Usage: hookwright | *(?:- )?)/.exec(plain)?.[0].length ?? 0;
}

/** The position of the break: before the first word that does not fit, or after a word that is too long by itself. */
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
