import { printable } from "../../../config/printable.ts";
import { DOCTOR_SESSION } from "../../../state/journal.ts";
import { subjectOf } from "../../../state/subject.ts";
import { indented, type Style, table } from "../../terminal/style.ts";
import { shortened, shortenedPath, widthOf } from "../../terminal/width.ts";
import { fromJournal } from "../explain/explanation.ts";
import { answerText, factTable, policyTable } from "../explain/show.ts";
import type { JournalObject } from "./entry.ts";
import { formatTime } from "./time-format.ts";

/** Column widths, without the last one, for lines that are printed one at a time. 0: computed. */
const WIDTHS = [6, 0, 8, 18, 6];
const LONGEST_CELL = 300;
const GAP = 2;
/** The minimum width of the subject; in a very narrow terminal the line wraps. */
const LEAST = 16;
/** Narrower terminals get times without year and seconds, which leaves more room for the subject. */
const WIDE = 100;
/** The length of the session prefix in the list; `--session` accepts this prefix. */
export const SHOWN_OF_SESSION = 8;
const HEADER = ["id", "time", "session", "event", "answer", "what"];

export interface JournalStyle {
  readonly style: Style;
  /** The width of the terminal; undefined: nothing is shortened. */
  readonly columns: number | undefined;
}

/** A header, then for each entry a row, with its reason below where there is one. */
export function showEntries(entries: readonly JournalObject[], look: JournalStyle): string {
  const rows = [HEADER, ...entries.map((entry) => cells(entry, look))];
  const widths = HEADER.slice(0, -1).map((_, index) => Math.max(...rows.map((row) => widthOf(row[index] ?? ""))));
  const lines = [showHeader(look, widths), ...entries.map((entry) => showLine(entry, look, widths))];
  const hint = "`hookwright journal --id N` shows one entry in full.";
  if (look.columns !== undefined) lines.push("", look.style.dim(shortened(hint, look.columns)));
  return lines.join("\n");
}

export function showHeader(look: JournalStyle, widths = usualWidths(look)): string {
  return look.style.bold(line(HEADER, HEADER, widths));
}

export function showLine(entry: JournalObject, look: JournalStyle, widths = usualWidths(look)): string {
  const { style, columns = Number.POSITIVE_INFINITY } = look;
  const plain = cells(entry, look);
  const [id = "", time = "", session = "", event = "", answer = ""] = plain;
  const before = plain.reduce((sum, cell, index) => sum + Math.max(widths[index] ?? 0, widthOf(cell)) + GAP, 0);
  const what = subjectIn(entry, Math.max(LEAST, columns - before));
  const { ruling } = entry;
  const paint = ruling === "pass" ? style.green : ruling === "deny" ? style.red : style.yellow;
  const row = line([...plain, what], [style.dim(id), style.dim(time), session, event, paint(answer), what], widths);
  const indent = (widths[0] ?? 0) + GAP;
  const reason = shortened(printable(reasonOf(entry), LONGEST_CELL), columns - indent);
  return reason === "" ? row : `${row}\n${" ".repeat(indent)}${style.dim(reason)}`;
}

function usualWidths(look: JournalStyle): readonly number[] {
  return WIDTHS.map((width, index) => (index === 1 ? timeOf(0, look).length : width));
}

function line(plain: readonly string[], painted: readonly string[], widths: readonly number[]): string {
  return painted
    .map((cell, index) => cell + " ".repeat(Math.max(0, (widths[index] ?? 0) - widthOf(plain[index] ?? ""))))
    .join(" ".repeat(GAP))
    .trimEnd();
}

/** All columns except the last, which gets the remaining width. */
function cells(entry: JournalObject, look: JournalStyle): string[] {
  return [
    String(entry.id),
    timeOf(Date.parse(entry.at), look),
    printable(entry.session.slice(0, SHOWN_OF_SESSION)),
    entry.event === "command" ? "command" : printable(entry.agentEvent || entry.event),
    entry.ruling,
  ];
}

function timeOf(at: number, { columns = WIDE }: JournalStyle): string {
  const whole = formatTime(at);
  return columns < WIDE ? whole.slice("2026-".length, "2026-01-02 15:00".length) : whole;
}

function subjectIn(entry: JournalObject, width: number): string {
  if (entry.session === DOCTOR_SESSION) return shortened("sent by `hookwright doctor` to test the client", width);
  const { tool, text, isPath } = subjectOf(entry, entry.body);
  const name = tool === "" ? "" : printable(tool);
  if (text === "") return shortened(name, width);
  const head = name === "" ? "" : `${name}: `;
  const shown = printable(text, LONGEST_CELL);
  return isPath && widthOf(head) < width
    ? head + shortenedPath(shown, width - widthOf(head))
    : shortened(head + shown, width);
}

function reasonOf({ event, policy, reason }: JournalObject): string {
  const [first = ""] = reason.split("\n");
  if (event === "unreadable") return `The input could not be read: ${first}.`;
  // The agent's text ends with the policy's name; here the name comes first, because the line may be shortened.
  const end = ` [${policy}]`;
  const text = first.endsWith(end) ? first.slice(0, -end.length) : first;
  return policy === "" || text === "" ? text : `${policy}: ${text}`;
}

/** One entry with everything that was recorded. */
export function showEntry(entry: JournalObject, style: Style): string {
  const then = fromJournal(entry);
  const about = [
    ["event", `${entry.agentEvent || "none"} (${entry.event})`],
    ["session", `${entry.session || "none"}${entry.agentId ? `, subagent ${entry.agentId}` : ""}`],
    ["agent", entry.agent],
    ["project", entry.project],
    ["tool", entry.tool && `${entry.tool}${entry.toolUseId ? ` (${entry.toolUseId})` : ""}`],
    ["build", entry.build && `${entry.build}, configuration ${entry.config}`],
    ["took", `${(entry.microseconds / 1000).toFixed(2)} ms`],
  ];
  const rows = about
    .filter(([, value]) => value !== "")
    .map(([name = "", value = ""]) => [`  ${name}`, printable(value, 500)]);
  return [
    `${style.bold(`Entry ${entry.id}`)} of ${formatTime(Date.parse(entry.at))}\n${table(rows)}`,
    policyTable(then.policies, style),
    answerText(then, style),
    `${style.bold("What was kept of the event:")}\n${indented(JSON.stringify(entry.body, null, 2), 2)}`,
    factTable(then, style),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}
