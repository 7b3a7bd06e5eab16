import { printable, printableValue } from "../../../config/printable.ts";
import { indented, type Style, table } from "../../terminal/style.ts";
import { formatTime } from "../journal/time-format.ts";
import type { ExplainedPolicy, Explanation } from "./explanation.ts";

const LONGEST_FACT = 100;

/** The explanation for a terminal: what each policy said, the answer, and the facts they read. */
export function showExplanation(explanation: Explanation, style: Style): string {
  const parts = [heading(explanation, style), policyTable(explanation.policies, style), answerText(explanation, style)];
  const facts = factTable(explanation, style);
  if (facts !== "") parts.push(facts);
  return parts.join("\n\n");
}

function heading(explanation: Explanation, style: Style): string {
  const { event, agentEvent, tool, session, recorded, examined, switchedOff, newestWhole } = explanation;
  const name = [agentEvent, tool]
    .filter(Boolean)
    .map((part) => printable(part))
    .join(" ");
  const about = [name === "" ? "" : event, session && `session ${printable(session)}`].filter(Boolean).join(", ");
  const title = name || (event === "unreadable" ? "Input that is not an event" : event);
  const lines = [`${style.bold(title)}${about === "" ? "" : ` ${style.dim(`(${about})`)}`}`];
  if (recorded) {
    const then = `Entry ${recorded.id} of ${formatTime(Date.parse(recorded.at))}, answered ${recorded.outcome}`;
    if (examined) lines.push(`${then}. It was decided again now, with today's state and configuration:`);
    else lines.push(`${then}. ${notAgain(newestWhole)} This is what was recorded of entry ${recorded.id}:`);
  }
  if (switchedOff)
    lines.push(style.yellow(`Hookwright is switched off (${switchedOff}): hooks let everything pass now.`));
  return lines.join("\n");
}

/** Why there is no new decision, and how to explain another event. */
function notAgain(newestWhole: number | undefined): string {
  const why = "It cannot be decided again, because the journal does not keep all of its input.";
  const another =
    newestWhole === undefined
      ? "`hookwright explain --id N` explains another entry"
      : `\`hookwright explain --id ${newestWhole}\` explains the newest one that was kept whole`;
  return `${why} ${another}; \`hookwright journal\` lists all.`;
}

export function policyTable(all: readonly ExplainedPolicy[], style: Style): string {
  if (all.length === 0) return style.dim("No policy checks this event.");
  const [header = "", ...lines] = table([
    ["", "stage", "policy", "mode", "said", "result", "time"].map(style.bold),
    ...all.map((policy) => [
      style.dim(String(policy.order).padStart(2)),
      policy.stage,
      policy.id,
      policy.mode,
      policy.error === undefined ? kindsOf(policy, style) : style.red("failed"),
      style.dim(policy.fate),
      style.dim(`${(policy.microseconds / 1000).toFixed(2)} ms`),
    ]),
  ]).split("\n");
  const rows = all.flatMap((policy, index) => [
    lines[index] ?? "",
    ...policy.verdicts.map((verdict) => indented(verdict.text, 4)),
    ...(policy.error === undefined ? [] : [indented(policy.error, 4)]),
  ]);
  return [header, ...rows].join("\n");
}

function kindsOf({ verdicts }: ExplainedPolicy, style: Style): string {
  if (verdicts.length === 0) return style.dim("nothing");
  return verdicts.map(({ kind }) => paint(kind, style)(kind)).join(", ");
}

function paint(kind: string, style: Style): (text: string) => string {
  if (kind === "deny") return style.red;
  return kind === "pass" ? style.green : style.yellow;
}

export function answerText({ ruling, reply, recorded, examined }: Explanation, style: Style): string {
  const by = ruling.policy === "" ? "" : `, by ${ruling.policy}`;
  const lines = [`${style.bold("Answer:")} ${paint(ruling.outcome, style)(ruling.outcome)}${by}`];
  if (ruling.reason !== "") lines.push(indented(ruling.reason, 2));
  for (const { policy, text } of ruling.notes) lines.push(`  For the model, from ${policy}:`, indented(text, 4));
  for (const { policy, text } of ruling.notices) lines.push(`  For the person, from ${policy}:`, indented(text, 4));
  if (ruling.rewrite)
    lines.push(`  Changed by ${ruling.rewrite.policy}:`, indented(printableValue(ruling.rewrite.value, 2_000), 4));
  if (recorded && examined && recorded.outcome !== ruling.outcome) {
    const why = "the state, the configuration or the files have changed since";
    lines.push(style.yellow(`  The recorded answer was ${recorded.outcome}: ${why}.`));
    if (recorded.reason !== "") lines.push(indented(recorded.reason, 4));
  }
  lines.push(
    `${style.bold("Sent to the agent:")} exit code ${reply.exit}${reply.stdout + reply.stderr === "" ? ", no output" : ""}`,
  );
  if (reply.stdout !== "") lines.push(style.dim("  stdout"), indented(reply.stdout.trimEnd(), 4));
  const isSame = reply.stderr.trimEnd() === ruling.reason;
  if (reply.stderr !== "") {
    lines.push(style.dim("  stderr"), isSame ? "    the reason above" : indented(reply.stderr.trimEnd(), 4));
  }
  return lines.join("\n");
}

export function factTable({ facts }: Explanation, style: Style): string {
  const entries = Object.entries(facts);
  if (entries.length === 0) return "";
  const rows = entries.map(
    ([name, value]) =>
      `  ${printable(name, LONGEST_FACT)} = ${style.dim(value === undefined || value === null ? "(none)" : printableValue(value, LONGEST_FACT))}`,
  );
  return [style.bold("What the policies read while they decided:"), ...rows].join("\n");
}
