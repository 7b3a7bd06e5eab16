import path from "node:path";
import { blocksOf, type MarkdownBlock, type PlanCell, type PlanRow } from "./blocks.ts";
import { countStatuses, type PlanTaskStatus, type StatusCounts, statusOf } from "./status.ts";

export interface PlanTask {
  readonly id: string;
  readonly text: string;
  /** Undefined when no cell of the row holds a known status. */
  readonly status: PlanTaskStatus | undefined;
  /** The status cell with its offsets, for editing it in place. */
  readonly statusCell: PlanCell | undefined;
  readonly dependsOn: readonly string[];
  readonly line: number;
}

export interface PlanWorktree {
  /** Empty when the plan has one worktree for everything. */
  readonly service: string;
  readonly path: string;
  readonly branch: string;
}

export interface Plan {
  readonly title: string;
  readonly slug: string;
  readonly tasks: readonly PlanTask[];
  readonly counts: StatusCounts;
  /** Is there a section about worktrees, whatever its content? */
  readonly hasWorktrees: boolean;
  readonly worktrees: readonly PlanWorktree[];
}

const TASKS = /\bimplementation tasks\b/i;
const WORKTREES = /^worktrees?\b/i;

/** Reads a plan. Accepts any text: parts that are not found are empty. */
export function parsePlan(text: string, file: string): Plan {
  const blocks = blocksOf(text);
  const hasSection = blocks.some((block) => block.kind === "heading" && TASKS.test(block.text));
  const tables = hasSection ? sectionsNamed(blocks, TASKS).filter(hasStatuses) : blocks.filter(looksLikeTasks);
  const tasks = tables.filter(isTable).flatMap((table) => {
    const columns = columnsOf(table.header);
    return table.rows.filter(isFilled).map((row) => new TaskRow(row, columns));
  });
  const trees = sectionsNamed(blocks, WORKTREES);
  return {
    title: titleOf(blocks) || path.basename(file, ".md"),
    slug: slugOf(text, file),
    tasks,
    counts: countStatuses(tasks.map((task) => task.status)),
    hasWorktrees: blocks.some((block) => block.kind === "heading" && WORKTREES.test(block.text)),
    worktrees: worktreesOf(trees),
  };
}

function titleOf(blocks: readonly MarkdownBlock[]): string {
  const title = blocks.find((block) => block.kind === "heading" && block.level === 1);
  return title?.kind === "heading" ? title.text : "";
}

/** The slug that the document names, else the file name without the date and without `-design`. */
function slugOf(text: string, file: string): string {
  const said = /^\**Slug:?\**:?[ \t]*`?([\w.-]+)`?[ \t]*$/im.exec(text)?.[1];
  if (said) return said;
  return path
    .basename(file, ".md")
    .replace(/^\d{4}-\d{2}-\d{2}-/, "")
    .replace(/-design$/, "");
}

/** Everything below the headings of this name, up to the next heading of the same level. */
function sectionsNamed(blocks: readonly MarkdownBlock[], name: RegExp): MarkdownBlock[] {
  const found: MarkdownBlock[] = [];
  let level = 0;
  for (const block of blocks) {
    if (block.kind === "heading") {
      if (name.test(block.text) && level === 0) level = block.level;
      else if (block.level <= level) level = name.test(block.text) ? block.level : 0;
    } else if (level > 0) found.push(block);
  }
  return found;
}

type Table = Extract<MarkdownBlock, { kind: "table" }>;

function isTable(block: MarkdownBlock): block is Table {
  return block.kind === "table";
}

/** Does the table have statuses? The section may contain other tables, such as one of responsibilities. */
function hasStatuses(block: MarkdownBlock): boolean {
  if (block.kind !== "table") return false;
  if (columnsOf(block.header).status >= 0) return true;
  return block.rows.some((row) => cellWithStatus(row) >= 0);
}

/** In a plan without a tasks section, the tasks are in the tables with a status column. */
function looksLikeTasks(block: MarkdownBlock): boolean {
  if (block.kind !== "table") return false;
  const columns = columnsOf(block.header);
  return columns.status >= 0 && (columns.id >= 0 || columns.text >= 0);
}

interface Columns {
  readonly id: number;
  readonly text: number;
  readonly status: number;
  readonly dependsOn: number;
}

function columnsOf(header: readonly string[]): Columns {
  const find = (name: RegExp): number => header.findIndex((cell) => name.test(cell.replace(/[*_`]/g, "").trim()));
  return {
    id: find(/^(?:#|id|no\.?|nr\.?)$/i),
    text: find(/^(?:tasks?|title|description|name|what)$/i),
    status: find(/^(?:status|state)$/i),
    dependsOn: find(/^(?:depends(?: on)?|dependencies|needs|after|blocked by)$/i),
  };
}

function isFilled(row: PlanRow): boolean {
  for (let at = 0; at < row.length; at++) if (row.text(at) !== "") return true;
  return false;
}

/** The index of the last cell that holds a status, or -1. */
function cellWithStatus(row: PlanRow): number {
  for (let at = row.length - 1; at >= 0; at--) if (statusOf(row.text(at)) !== undefined) return at;
  return -1;
}

/** Reads other cells than the status on demand: for a long plan mostly the statuses are needed. */
class TaskRow implements PlanTask {
  readonly status: PlanTaskStatus | undefined;
  readonly #row: PlanRow;
  readonly #columns: Columns;
  readonly #statusAt: number;

  constructor(row: PlanRow, columns: Columns) {
    this.#row = row;
    this.#columns = columns;
    const own = columns.status < 0 ? undefined : statusOf(row.text(columns.status));
    // A row may have more or fewer cells than the header: prefer the status column, else take any cell that is a status.
    const found = own ? columns.status : cellWithStatus(row);
    this.#statusAt = found < 0 ? columns.status : found;
    this.status = own ?? (found < 0 ? undefined : statusOf(row.text(found)));
  }

  get id(): string {
    return this.#row
      .text(this.#idAt)
      .replace(/[*_`#]/g, "")
      .trim();
  }

  get text(): string {
    return this.#row.text(this.#columns.text < 0 ? this.#idAt + 1 : this.#columns.text);
  }

  get statusCell(): PlanCell | undefined {
    return this.#row.cell(this.#statusAt);
  }

  get dependsOn(): readonly string[] {
    return dependenciesIn(this.#row.text(this.#columns.dependsOn));
  }

  get line(): number {
    return this.#row.line;
  }

  get #idAt(): number {
    return this.#columns.id < 0 ? 0 : this.#columns.id;
  }
}

const LONGEST_RANGE = 1_000;

/** Reads `1, 2`, `#1 and #2` and `1-4`; a dash or "none" means no dependency. */
function dependenciesIn(cell: string): string[] {
  return cell
    .split(/[\s,;&]+/)
    .map((word) => word.replace(/[*_`#.]+/g, "").trim())
    .filter((word) => /\d/.test(word))
    .flatMap((word) => {
      const [, from, to] = /^(\d+)[-\u2013](\d+)$/.exec(word) ?? [];
      const length = Number(to) - Number(from) + 1;
      if (!(length >= 1 && length <= LONGEST_RANGE)) return [word];
      return Array.from({ length }, (_, index) => String(Number(from) + index));
    });
}

/** Reads both forms: bullets for one worktree, or a table with one row for each service. */
function worktreesOf(blocks: readonly MarkdownBlock[]): PlanWorktree[] {
  const bullet = (name: RegExp): string => {
    const found = blocks.find((block) => block.kind === "bullet" && name.test(block.text));
    return found?.kind === "bullet" ? bare(found.text.replace(name, "")) : "";
  };
  const single = bullet(/^\**path\**\s*:\s*\**/i);
  if (single !== "") return [{ service: "", path: single, branch: bullet(/^\**branch\**\s*:\s*\**/i) }];
  return blocks.filter(isTable).flatMap(({ header, rows }) => {
    const column = (name: string, fallback: number): number => {
      const at = header.findIndex((cell) => bare(cell).toLowerCase() === name);
      return at < 0 ? fallback : at;
    };
    const [service, place, branch] = [column("service", 0), column("path", 1), column("branch", 2)];
    return rows.flatMap((row) => {
      const text = (at: number): string => bare(row.text(at));
      return text(place) === "" ? [] : [{ service: text(service), path: text(place), branch: text(branch) }];
    });
  });
}

function bare(text: string): string {
  return text.replace(/[*`]/g, "").trim();
}
