// docs/origins/project-orchestrator.md: every criterion and its test, which has to exist.
import fs from "node:fs";
import path from "node:path";
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
    ...TASKS.flatMap(({ title, criteria }) =>
      section(
        title,
        table(
          ["demanded", "shown by"],
          criteria.map(([criterion, ...parts]) => [
            plain(criterion),
            parts.map((part) => proof(part, criterion)).join("; "),
          ]),
        ),
      ),
    ),
  );
}
