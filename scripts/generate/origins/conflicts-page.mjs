// docs/guides/conflicts.md: a section for each decision between the five systems, with the tests that hold it.
import { page, plain, section, table } from "../markdown.mjs";
import { INVARIANTS, SMALLER } from "./data/conflicts/smaller.mjs";
import { DECISIONS } from "./data/conflicts.mjs";
import { testLink } from "./test-names.mjs";

const PAGE = "docs/guides/conflicts.md";
const IDS = "ABCDEFGHIJKLMNO";

/** `data` is for tests. */
export function conflictsPage({ decisions = DECISIONS, smaller = SMALLER, invariants = INVARIANTS } = {}) {
  const known = [...IDS].map((id) => {
    const decision = decisions.find((one) => one.id === id);
    if (decision === undefined) throw new Error(`${PAGE}: the decision ${id} is missing`);
    return decision;
  });
  return page(
    "When five systems disagree",
    "Hookwright does what five hook systems did, at the same time. They contradict each other in fifteen places, and in some",
    "smaller ones. Here is for each of them who wants what, what happens, how you change it, and which tests fail when it is",
    "done the other way round. Where every single hook went is on the [page of all five](../origins/README.md).",
    "",
    ...table(
      ["", ""],
      known.map(({ id, title }) => [id, `[${title}](#${anchorOf(id, title)})`]),
    ),
    "",
    ...known.flatMap((decision) => section(`${decision.id}. ${decision.title}`, decisionLines(decision))),
    ...section(
      "Smaller ones",
      table(
        ["about", "there", "here", "shown by"],
        smaller.map(([about, there, here, tests]) => [plain(about), plain(there), plain(here), links(about, tests)]),
      ),
    ),
    ...section(
      "What always holds",
      table(
        ["whatever is on", "shown by"],
        invariants.map(([sentence, tests]) => [plain(sentence), links(sentence, tests)]),
      ),
    ),
  );
}

function decisionLines({ id, wanted, done, change, tests }) {
  const where = `the decision ${id}`;
  for (const [name, text] of Object.entries({ done, change })) {
    if (!text?.trim()) throw new Error(`${PAGE}: ${where} does not say "${name}"`);
  }
  return [
    "**Who wants what**",
    "",
    ...wanted.map(([who, what]) => `- ${who}: ${plain(what)}`),
    "",
    `**What Hookwright does.** ${plain(done)}`,
    "",
    `**To change it.** ${plain(change)}`,
    "",
    `**Shown by** ${links(where, tests)}.`,
  ];
}

function links(what, tests) {
  if (tests.length === 0) throw new Error(`${PAGE}: ${what} has no test`);
  return tests.map((one) => testLink(`${PAGE}: ${what}`, one)).join("; ");
}

/** As GitHub makes it of a heading. */
function anchorOf(id, title) {
  return `${id}. ${title}`
    .toLowerCase()
    .replace(/[^\w -]/g, "")
    .replaceAll(" ", "-");
}
