// Pages of promises: docs/origins/project-orchestrator.md, agent-team-mail.md and ntm-orchestrator.md.
import { page, plain, section, table } from "../markdown.mjs";
import { SUITES } from "./data/agent-team-mail.mjs";
import { CONSTANTS, CRITERIA, HOOKS } from "./data/ntm-orchestrator.mjs";
import { TASKS } from "./data/project-orchestrator.mjs";
import { hookRow } from "./hook-row.mjs";
import { differenceText, testLink } from "./test-names.mjs";

/** Every acceptance criterion and its test. */
export function acceptancePage() {
  const all = TASKS.flatMap(({ demands }) => demands);
  const dropped = all.filter(([, ...parts]) => parts.some((part) => part.because !== undefined)).length;
  return page(
    "What project-orchestrator's hooks promised",
    "The hooks of the project-orchestrator plugin came with criteria for each of the ten tasks that made them. Here they are",
    "in our words, each with the test that shows it, or with the reason why it does not apply. The mistakes that its shell",
    `scripts had are at the end. ${all.length} lines, ${dropped} of them do not apply. Its hooks are on the`,
    "[page of all five systems](README.md).",
    "",
    ...TASKS.flatMap(({ title, demands }) => section(title, promiseTable(title, demands))),
  );
}

/** Every test of its four hooks, and the corresponding test here. */
export function teamsPage() {
  const counts = SUITES.map(({ demands }) => demands.length);
  return page(
    "What agent-team-mail's hooks promised",
    "Its four hooks came with a suite of tests each. Here they are in our words, every one with its counterpart: a check in the",
    "script that asks from the command line as they did, and where there is one the policy's own case. At the end is whose",
    `reports count. ${counts.join(" + ")} lines. What is different today is in the [guide](../guides/teams.md), and each hook on`,
    "the [page of all five systems](README.md).",
    "",
    ...SUITES.flatMap(({ title, demands }) => section(`${title}: ${demands.length}`, promiseTable(title, demands))),
  );
}

/** Its three hooks, the numbers that a user meets, and each of its scenarios. */
export function ntmPage(sources) {
  const rows = HOOKS.map((row) => hookRow(row, sources, "docs/origins/ntm-orchestrator.md"));
  return page(
    "What ntm-orchestrator's hooks do, and where it is here",
    "ntm-orchestrator has three hooks. Here is what does the same, with the numbers that you meet, and each scenario of its tests",
    "with its counterpart. How to use it is in the [guide](../guides/ntm-fleets.md).",
    "",
    ...section(
      "Hooks",
      table(
        ["hook", "here", "events", "if nobody sets it", "tests"],
        rows.map(({ hook, here, events, standard, tests }) => [hook, here, events, standard, tests]),
      ),
    ),
    ...section(
      "What is different",
      table(
        ["hook", "here", "because"],
        rows.flatMap(({ hook, differences }) => differences.map(({ what, why }) => [hook, plain(what), plain(why)])),
      ),
    ),
    ...section(
      "Numbers and names",
      table(
        ["what", "there", "here", "to change it", "shown by"],
        CONSTANTS.map(({ what, there, here, change, by }) => [
          plain(what),
          plain(there),
          plain(here),
          plain(change),
          testLink(what, by),
        ]),
      ),
    ),
    ...CRITERIA.flatMap(({ title, demands }) => section(title, promiseTable(title, demands))),
  );
}

function promiseTable(title, demands) {
  return table(
    ["promised", "shown by", "different, because"],
    demands.map(([promise, ...parts]) => {
      const { shownBy, different } = promiseCells(`${title}, "${promise}"`, parts);
      return [plain(promise), shownBy, different];
    }),
  );
}

/** What shows a promise, and what is different; refused where neither a test nor a reason is given. */
export function promiseCells(where, parts) {
  const because = parts.filter((part) => part.because !== undefined).map((part) => part.because);
  const tests = parts.filter((part) => part.file !== undefined);
  if (because.some((text) => !text.trim())) throw new Error(`${where}: a difference has no reason`);
  if (tests.length + because.length === 0) throw new Error(`${where} has neither a test nor a reason for having none`);
  const different = parts.filter((part) => part.what !== undefined).map((part) => differenceText(where, part));
  return {
    shownBy: tests.map((part) => testLink(where, part)).join("; "),
    different: [...because.map((text) => `Does not apply: ${plain(text)}`), ...different].join("; "),
  };
}
