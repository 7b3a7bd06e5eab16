import { printable } from "../../config/shown.ts";
import { DOCTOR_SESSION } from "../doctor/session.ts";
import { fromJournal } from "../explain/explanation.ts";
import { answer, factTable, policyTable } from "../explain/show.ts";
import { indented, type Style, table } from "../style.ts";
import type { JournalObject } from "./entry.ts";
import { showMoment } from "./moment.ts";

/** For lines that come one at a time and should still stand below each other. */
const WIDTHS = [6, 19, 8, 16, 10, 4];
const LONGEST_CELL = 300;
/** How much of a session's name stands in the list; `--session` takes as much. */
export const SHOWN_OF_SESSION = 8;

export function showEntries(entries: readonly JournalObject[], style: Style): string {
  return table(entries.map((entry) => cells(entry, style)));
}

export function showLine(entry: JournalObject, style: Style): string {
  const plain = cells(entry, PLAIN);
  return cells(entry, style)
    .map((cell, index) => cell + " ".repeat(Math.max(0, (WIDTHS[index] ?? 0) - (plain[index]?.length ?? 0))))
    .join("  ")
    .trimEnd();
}

const same = (text: string): string => text;
const PLAIN: Style = { bold: same, dim: same, red: same, green: same, yellow: same };

function cells(entry: JournalObject, style: Style): string[] {
  const { ruling } = entry;
  const paint = ruling === "pass" ? style.green : ruling === "deny" ? style.red : style.yellow;
  return [
    style.dim(String(entry.id)),
    style.dim(showMoment(Date.parse(entry.at))),
    printable(entry.session.slice(0, SHOWN_OF_SESSION)),
    printable(entry.agentEvent),
    printable(entry.tool),
    paint(ruling),
    printable(reasonOf(entry), LONGEST_CELL),
  ];
}

function reasonOf({ event, session, reason }: JournalObject): string {
  if (session === DOCTOR_SESSION) return "Sent by `hookwright doctor`, to try the client.";
  const [first = ""] = reason.split("\n");
  return event === "unreadable" ? `The input could not be read: ${first}.` : first;
}

/** One entry with everything that was kept of it. */
export function showEntry(entry: JournalObject, style: Style): string {
  const then = fromJournal(entry);
  const about = [
    ["event", `${entry.agentEvent || "none"} (${entry.event})`],
    ["session", `${entry.session || "none"}${entry.agentId ? `, subagent ${entry.agentId}` : ""}`],
    ["agent", entry.agent],
    ["project", entry.project],
    ["tool", entry.tool && `${entry.tool}${entry.toolUseId ? ` (${entry.toolUseId})` : ""}`],
    ["took", `${(entry.microseconds / 1000).toFixed(2)} ms`],
  ];
  const rows = about
    .filter(([, value]) => value !== "")
    .map(([name = "", value = ""]) => [`  ${name}`, printable(value, 500)]);
  return [
    `${style.bold(`Entry ${entry.id}`)} of ${showMoment(Date.parse(entry.at))}\n${table(rows)}`,
    policyTable(then.policies, style),
    answer(then, style),
    `${style.bold("What was kept of the event:")}\n${indented(JSON.stringify(entry.body, null, 2), 2)}`,
    factTable(then, style),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}
