// docs/origins/workflow-engine.md: each suite of the origin, the file with its counterparts, and how many there are.
import fs from "node:fs";
import path from "node:path";
import { DIFFERENCES, SUITES } from "./acceptance/workflow-engine.mjs";
import { code, page, plain, section, table } from "./markdown.mjs";
import { root } from "./sources.mjs";

/** The number of cases in a test file: named entries of its tables, and single tests. */
function casesIn(file) {
  const text = fs.readFileSync(path.join(root, file), "utf8");
  return (text.match(/^\s*(?:\{ )?name: ["`]/gm) ?? []).length + (text.match(/^\s*it\(/gm) ?? []).length;
}

export function suitesPage() {
  const rows = SUITES.map(({ suite, hook, cases, files }) => {
    const counts = files.map(casesIn);
    const total = counts.reduce((sum, count) => sum + count, 0);
    if (total < cases) throw new Error(`the suite "${suite}" had ${cases} cases, its counterparts are ${total}`);
    const links = files.map((file, index) => `[${path.basename(file)}](../../${file}): ${counts[index]}`);
    return [suite, code(hook), String(cases), links.join("; "), String(total)];
  });
  const [before, now] = [2, 4].map((column) => rows.reduce((sum, row) => sum + Number(row[column]), 0));
  return page(
    "What the workflow engine's hooks promised",
    "The hooks of the workflow engine came with a suite of tests each. Here is where their counterparts are and how many",
    `there are; this page is not written when one of them has fewer. ${before} cases there, ${now} here.`,
    "",
    ...table(["suite", "hook", "cases there", "counterparts", "cases here"], rows),
    "",
    "In the real client: [test/e2e/session.test.ts](../../test/e2e/session.test.ts). Calls at once and commands that are",
    "killed: [test/chaos/session.test.ts](../../test/chaos/session.test.ts). From the command line, with the payloads and",
    "state files of the origin: [test/origins/session.sh](../../test/origins/session.sh).",
    "",
    "Two hooks did nothing, on purpose, and have no policy here: between two calls the agent still works",
    "(`post-tool-complete-notify`), and a call that failed does not stop it (`post-tool-failure-notify`).",
    "",
    ...section(
      "What is different",
      table(
        ["here", "there"],
        DIFFERENCES.map((row) => row.map(plain)),
      ),
    ),
  );
}
