import { printable } from "../../../config/printable.ts";
import { CHANGES, type ChangeKind } from "../../../replay/compare.ts";
import { NOT_REPLAYABLE, type NotReplayable } from "../../../replay/decide-again.ts";
import { AFTERWARDS, type Afterwards } from "../../../replay/recorded-event.ts";
import type { Difference, PolicyTally, Summary } from "../../../replay/tally.ts";
import { type Style, table } from "../../terminal/style.ts";
import { shortened } from "../../terminal/width.ts";
import { formatRecordedTime } from "../journal/time-format.ts";
import type { ReplayRequest } from "./options.ts";

const CHANGE_TEXTS: Readonly<Record<ChangeKind, string>> = {
  denied: "newly denied",
  asked: "newly asked",
  allowed: "newly allowed",
  held: "newly held",
  context: "other context",
};
/** What became of the call then. */
const AFTERWARDS_TEXTS: Readonly<Record<Afterwards, string>> = {
  kept: "it ran, and its work was kept",
  failed: "it ran and failed",
  undone: "it ran and was undone",
  refused: "the person refused it",
  stopped: "it was stopped",
  unknown: "what became of it is not recorded",
};
const MISSING_TEXTS: Readonly<Record<string, string>> = {
  state: "state that something else has changed",
  failure: "a policy that failed then",
};
const USUAL_COLUMNS = 100;
const LONGEST_TEXT = 300;

interface Look {
  readonly style: Style;
  readonly columns: number | undefined;
}

export function showSummary(summary: Summary, from: ReplayRequest["from"]["kind"], look: Look): string {
  const parts = [coverage(summary), ...(from === "transcripts" ? [ASSUMED] : [])];
  if (summary.replayed === 0) return parts.join("\n");
  if (summary.policies.length === 0) return [...parts, "", "Every answer would be the same."].join("\n");
  const rows = summary.policies.map(rowOf);
  const header = ["policy", ...CHANGES.map((kind) => CHANGE_TEXTS[kind]), "what became of these events"];
  const samples = summary.policies.flatMap((policy) => ["", ...samplesOf(policy, look)]);
  return [...parts, "", table([header.map((name) => look.style.bold(name)), ...rows]), ...samples].join("\n");
}

const ASSUMED =
  "Transcripts hold no environment and no files. It is assumed that no variable is set and no path leads elsewhere, and that undecidable events change nothing.";

/** How much could be replayed, and why the rest not. */
function coverage({ replayed, undecidable, notReplayable, reasons, missing }: Summary): string {
  const all = replayed + undecidable + notReplayable;
  if (all === 0) return "There are no events to replay.";
  const first = `Replayed ${replayed} of ${all} events (${Math.floor((replayed / all) * 100)} %).`;
  const lacking = list(missing, (kind) => MISSING_TEXTS[kind] ?? `\`${kind}\``);
  const why = list(reasons, (reason) => NOT_REPLAYABLE[reason as NotReplayable]);
  return [
    first,
    undecidable === 0 ? "" : `${undecidable} undecidable, because this was not recorded: ${lacking}.`,
    notReplayable === 0 ? "" : `${notReplayable} not replayable, because ${why}.`,
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

function list(counts: Readonly<Record<string, number>>, textOf: (name: string) => string): string {
  const entries = Object.entries(counts).sort(([, a], [, b]) => b - a);
  return entries.map(([name, count]) => `${textOf(name)} (${count})`).join(", ");
}

function rowOf({ policy, counts, afterwards }: PolicyTally): string[] {
  const became = AFTERWARDS.filter((name) => afterwards[name] > 0).map((name) => `${afterwards[name]} ${name}`);
  return [policyName(policy), ...CHANGES.map((kind) => String(counts[kind] || "")), became.join(", ")];
}

function policyName(policy: string): string {
  return policy === "" ? "notes of earlier events" : printable(policy);
}

function samplesOf({ policy, samples }: PolicyTally, look: Look): string[] {
  return [look.style.bold(policyName(policy)), ...samples.flatMap((one) => sample(one, look))];
}

function sample(one: Difference, { style, columns = USUAL_COLUMNS }: Look): string[] {
  const { change, at, id, agentEvent, subject, was, now, afterwards } = one;
  const cut = (text: string, indent: number): string =>
    " ".repeat(indent) + shortened(printable(text, LONGEST_TEXT), Math.max(40, columns - indent));
  const reason = (now.reason || was.reason).split("\n")[0] ?? "";
  return [
    cut(`${CHANGE_TEXTS[change]}: ${subject || agentEvent}`, 2),
    style.dim(cut(`entry ${id} of ${formatRecordedTime(at)}; ${AFTERWARDS_TEXTS[afterwards]}`, 4)),
    ...(change === "context" || reason === "" ? [] : [style.dim(cut(reason, 4))]),
  ];
}
