// docs/origins/project-orchestrator.md: every acceptance criterion and its test, which must exist.
import fs from "node:fs";
import path from "node:path";
import { SUITES } from "./acceptance/agent-team-mail.mjs";
import { TASKS } from "./acceptance/project-orchestrator.mjs";
import { page, plain, section, table } from "./markdown.mjs";
import { root } from "./sources.mjs";

const texts = new Map();

function textOf(file) {
  if (!texts.has(file)) texts.set(file, fs.readFileSync(path.join(root, file), "utf8"));
  return texts.get(file);
}

function proof(part, criterion) {
  if (typeof part === "string") return plain(part);
  if (part.because !== undefined) return `Does not apply: ${plain(part.because)}.`;
  const missing = part.names.filter((name) => !textOf(part.file).includes(name));
  if (missing.length > 0) throw new Error(`"${criterion}": ${part.file} has no test "${missing.join('", "')}"`);
  const names = part.names.map((name) => `“${plain(name)}”`).join(", ");
  return `[${path.basename(part.file)}](../../${part.file}): ${names}`;
}

export function acceptancePage() {
  const all = TASKS.flatMap(({ criteria }) => criteria);
  const dropped = all.filter(([, ...parts]) => parts.some((part) => part.because !== undefined)).length;
  return page(
    "What project-orchestrator's hooks promised",
    "The hooks of the project-orchestrator plugin came with criteria for each of the ten tasks that made them. Here they are",
    "in our words, each with the test that shows it, or with the reason why it does not apply. The mistakes that its shell",
    `scripts had are at the end. ${all.length} lines, ${dropped} of them do not apply.`,
    "",
    ...TASKS.flatMap(({ title, criteria }) => section(title, proofs(criteria))),
  );
}

function proofs(criteria) {
  return table(
    ["demanded", "shown by"],
    criteria.map(([criterion, ...parts]) => [plain(criterion), parts.map((part) => proof(part, criterion)).join("; ")]),
  );
}

/** docs/origins/agent-team-mail.md: every test of its four hooks, and the corresponding test here. */
export function teamsPage() {
  const counts = SUITES.map(({ demands }) => demands.length);
  return page(
    "What agent-team-mail's hooks promised",
    "Its four hooks came with a suite of tests each. Here they are in our words, every one with its counterpart: a check in the",
    "script that asks from the command line as they did, and where there is one the policy's own case.",
    `${counts.join(" + ")} tests. What is different today is in the [guide](../guides/teams.md).`,
    "",
    ...SUITES.flatMap(({ title, demands }) => section(`${title}: ${demands.length}`, proofs(demands))),
  );
}
