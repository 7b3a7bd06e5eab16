// docs/origins/workflow-engine.md: each suite of the origin, the file with its counterparts, and how many there are.
import { code, page, plain, section, table } from "../markdown.mjs";
import { HOOKS, SUITES } from "./data/workflow-engine.mjs";
import { SUITE_HEAD, suiteCells } from "./suite-row.mjs";

const PAGE = "docs/origins/workflow-engine.md";

export function suitesPage() {
  const rows = SUITES.map((suite) => suiteCells(suite, PAGE));
  const [before, now] = [1, 3].map((column) => rows.reduce((sum, row) => sum + Number(row[column]), 0));
  return page(
    "What the workflow engine's hooks promised",
    "The hooks of the workflow engine came with a suite of tests each. Here is where their counterparts are and how many",
    `there are; this page is not written when one of them has fewer. ${before} cases there, ${now} here. Each of its hooks is`,
    "on the [page of all five systems](README.md).",
    "",
    ...table(SUITE_HEAD, rows),
    "",
    "In the real client: [test/e2e/session.test.ts](../../test/e2e/session.test.ts). Calls at once and commands that are",
    "killed: [test/chaos/session.test.ts](../../test/chaos/session.test.ts). From the command line, with the payloads and",
    "state files of the origin: [test/origins/session.sh](../../test/origins/session.sh).",
    "",
    ...section(
      "What is different",
      table(
        ["hook", "here", "there"],
        HOOKS.flatMap(({ hook, differs = [] }) => differs.map((row) => [code(hook), ...row.map(plain)])),
      ),
    ),
  );
}
