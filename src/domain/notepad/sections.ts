/** The sections of a notepad, by the exact line that begins each. */
export const SECTIONS = {
  priority: "## Priority Context",
  working: "## Working Memory",
  manual: "## MANUAL",
} as const;

export type SectionName = keyof typeof SECTIONS;

export const NEW_NOTEPAD = [
  "# Notepad",
  "<!-- Read and written by people and by Hookwright. A section is everything below its line that begins with `## `. -->",
  "",
  SECTIONS.priority,
  "",
  SECTIONS.working,
  "",
  SECTIONS.manual,
  "",
].join("\n");

/** A line with its end, and where it begins in the text. */
interface Line {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** What stands below the heading of a section, up to the next heading of the same level. */
export interface SectionBody {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly Line[];
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** Undefined when the text has no such section. Of several the first one counts. */
export function sectionBody(text: string, name: SectionName): SectionBody | undefined {
  const lines = linesOf(text);
  const headings = headingsAt(lines);
  const at = headings.find((index) => contentOf(lines[index]) === SECTIONS[name]);
  const heading = at === undefined ? undefined : lines[at];
  if (at === undefined || heading === undefined) return undefined;
  const next = headings.find((index) => index > at) ?? lines.length;
  const inside = lines.slice(at + 1, next);
  return { from: heading.to, to: inside.at(-1)?.to ?? heading.to, lines: inside };
}

/** The line end that most of the text uses. */
export function lineEndOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? "\n";
}

function linesOf(text: string): Line[] {
  let from = 0;
  return (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => {
    const found = { text: line, from, to: from + line.length };
    from = found.to;
    return found;
  });
}

/** The line without its end. */
export function contentOf(line: Pick<Line, "text"> | undefined): string {
  return (line?.text ?? "").replace(/\r?\n$/, "").trimEnd();
}

/** A line that is nothing but a comment. */
export function isComment(content: string): boolean {
  return /^<!--.*-->$/.test(content);
}

/** The indices of the headings of level 2. In a code block a line that looks like one is none. */
function headingsAt(lines: readonly Line[]): number[] {
  const headings: number[] = [];
  for (let at = 0; at < lines.length; at++) {
    const content = contentOf(lines[at]);
    const end = fenceEnd(lines, at);
    if (end !== undefined) at = end;
    else if (content.startsWith("## ")) headings.push(at);
  }
  return headings;
}

/** If a code block begins at this line: the line that ends it. A block without an end is none. */
function fenceEnd(lines: readonly Line[], at: number): number | undefined {
  const mark = fenceMark(contentOf(lines[at]));
  if (mark === undefined) return undefined;
  const end = lines.findIndex((line, index) => index > at && isFenceEnd(contentOf(line), mark));
  return end < 0 ? undefined : end;
}

function fenceMark(content: string): string | undefined {
  const [, mark, info] = FENCE.exec(content) ?? [];
  return mark?.startsWith("`") && info?.includes("`") ? undefined : mark;
}

function isFenceEnd(content: string, mark: string): boolean {
  const [, other, rest] = FENCE.exec(content) ?? [];
  return other?.startsWith(mark) === true && rest?.trim() === "";
}
