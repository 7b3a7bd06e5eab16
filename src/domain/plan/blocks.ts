/** The parts of a markdown text that matter for a plan. Code and comments are skipped. */
export type MarkdownBlock =
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | { readonly kind: "table"; readonly header: readonly string[]; readonly rows: readonly PlanRow[] }
  | { readonly kind: "bullet"; readonly text: string };

export interface PlanCell {
  readonly text: string;
  /** Offset of the trimmed text in the document. */
  readonly start: number;
  readonly end: number;
}

export interface PlanRow {
  /** The number of cells; bars at both ends of the row do not add one. */
  readonly length: number;
  /** Empty when there is no such cell. Computed on demand, because most cells of a long plan are never read. */
  text(at: number): string;
  cell(at: number): PlanCell | undefined;
  /** Counted from 1. */
  readonly line: number;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;
const BULLET = /^ {0,3}[-*+][ \t]+(.*)$/;
const DELIMITER = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

const BAR = "|".charCodeAt(0);
const BACKSLASH = "\\".charCodeAt(0);

interface Line {
  readonly text: string;
  readonly offset: number;
  readonly number: number;
}

export function blocksOf(whole: string): MarkdownBlock[] {
  // A byte order mark is replaced by a blank, so that offsets stay correct.
  const document = whole.startsWith("\uFEFF") ? ` ${whole.slice(1)}` : whole;
  const blocks: MarkdownBlock[] = [];
  let table: Line[] = [];
  const endTable = (): void => {
    if (table.length > 0) blocks.push(...tableOf(table));
    table = [];
  };
  forEachLine(document, (line) => {
    const { text } = line;
    const opensWithBar = isBarAt(text, 0);
    const heading = opensWithBar ? null : HEADING.exec(text);
    const bullet = opensWithBar || heading ? null : BULLET.exec(text);
    if (!heading && !bullet && text.includes("|") && !/^(?: {4}|\t)/.test(text)) {
      table.push(line);
      return;
    }
    endTable();
    if (heading) blocks.push({ kind: "heading", level: heading[1]?.length ?? 1, text: (heading[2] ?? "").trim() });
    if (bullet) blocks.push({ kind: "bullet", text: bullet[1] ?? "" });
  });
  endTable();
  return blocks;
}

/** Visits every line. Code and comments are visited as empty lines, because they end a table. */
function forEachLine(document: string, visit: (line: Line) => void): void {
  let fence = "";
  let isComment = false;
  for (let offset = 0, number = 1; offset <= document.length; number++) {
    const newline = document.indexOf("\n", offset);
    const end = newline < 0 ? document.length : newline;
    const text = document.slice(offset, document[end - 1] === "\r" && end > offset ? end - 1 : end);
    const line = { text, offset, number };
    offset = end + 1;
    // Fast path: most lines of a long plan are table rows, and a row cannot start code or a comment.
    if (fence === "" && !isComment && isBarAt(text, 0)) {
      visit(line);
      continue;
    }
    const mark = FENCE.exec(text)?.[1] ?? "";
    if (fence !== "") {
      if (mark.startsWith(fence) && text.trim() === mark) fence = "";
    } else if (isComment) {
      isComment = !text.includes("-->");
    } else if (mark !== "" && !(mark.startsWith("`") && text.indexOf("`", text.indexOf(mark) + mark.length) >= 0)) {
      fence = mark;
    } else if (/^ {0,3}<!--/.test(text)) {
      isComment = !text.includes("-->");
    } else {
      visit(line);
      continue;
    }
    visit({ ...line, text: "" });
  }
}

function isBarAt(text: string, at: number): boolean {
  return text.charCodeAt(at) === BAR;
}

/** Lines with bars are a table when the second one is a delimiter row, or when all of them start with a bar. */
function tableOf(lines: readonly Line[]): MarkdownBlock[] {
  const [first, second, ...rest] = lines;
  if (!first) return [];
  if (second && DELIMITER.test(second.text)) {
    const head = new TableRow(first);
    const header = Array.from({ length: head.length }, (_, at) => head.text(at));
    return [{ kind: "table", header, rows: rest.map((line) => new TableRow(line)) }];
  }
  if (!lines.every((line) => line.text.trimStart().startsWith("|"))) return [];
  const rows = lines.filter((line) => !DELIMITER.test(line.text)).map((line) => new TableRow(line));
  return [{ kind: "table", header: [], rows }];
}

class TableRow implements PlanRow {
  readonly #line: Line;
  /** The end of each cell: a bar or the end of the line. */
  readonly #ends: readonly number[];
  readonly #begin: number;

  constructor(line: Line) {
    this.#line = line;
    const { text } = line;
    const ends: number[] = [];
    let last = 0;
    for (let at = text.indexOf("|"); at >= 0; at = text.indexOf("|", at + 1)) {
      // An escaped bar belongs to the text.
      if (text.charCodeAt(at - 1) === BACKSLASH) continue;
      ends.push(at);
      last = at + 1;
    }
    if (text.slice(last).trim() !== "") ends.push(text.length);
    // A bar at the start of the row has no cell before it.
    const isOpened = text.slice(0, ends[0]).trim() === "";
    this.#begin = isOpened ? (ends.shift() ?? 0) + 1 : 0;
    this.#ends = ends;
  }

  get length(): number {
    return this.#ends.length;
  }

  get line(): number {
    return this.#line.number;
  }

  text(at: number): string {
    const end = this.#ends[at];
    if (end === undefined) return "";
    const text = this.#line.text.slice(this.#startOf(at), end).trim();
    return text.includes("\\|") ? text.replaceAll("\\|", "|") : text;
  }

  cell(at: number): PlanCell | undefined {
    const end = this.#ends[at];
    if (end === undefined) return undefined;
    const raw = this.#line.text.slice(this.#startOf(at), end);
    const start = this.#line.offset + this.#startOf(at) + raw.length - raw.trimStart().length;
    return { text: this.text(at), start, end: start + raw.trim().length };
  }

  #startOf(at: number): number {
    return at === 0 ? this.#begin : (this.#ends[at - 1] ?? 0) + 1;
  }
}
