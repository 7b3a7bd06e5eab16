/** The pages about the five systems and their conflicts are refused when they would not be true. */
import { describe, expect, it } from "vitest";
import { conflictsPage, type Decision } from "../../scripts/generate/origins/conflicts-page.mjs";
import { DECISIONS } from "../../scripts/generate/origins/data/conflicts.mjs";
import { type ComparedSystem, type Shown, SYSTEMS } from "../../scripts/generate/origins/data/systems.mjs";
import { overviewPage } from "../../scripts/generate/origins/overview-page.mjs";

const TEST = "test/build/overview-page.test.ts";
const NAME = "has a row for each hook and each promise";
/** A file that has none of the names that are asked for here, but in its first comment. */
const OTHER = "src/core/stages.test.ts";
const sources = {
  policies: [{ id: "modes/ralph", on: { "turn.stop": () => undefined } }],
  commands: [{ name: "mode" }],
  CLAUDE_EVENTS: { Stop: "turn.stop" },
  PROFILES: ["omc"],
  packsOf: (profiles: readonly string[]) => new Set(profiles.length > 0 ? ["modes"] : []),
};
const shown: Shown = { file: TEST, names: [NAME] };
const hook = { hook: "stop", policies: ["modes/ralph"], tests: [TEST] };
const group = { title: "Stops", hooks: ["stop"], demands: [["It is held", shown]] as [string, ...Shown[]][] };
const suite = { hook: "stop", cases: 2, files: [TEST] };
const system: ComparedSystem = {
  name: "theirs",
  guide: "guide.md",
  theirs: "stop",
  promises: { Stops: 1 },
  suites: "stop",
  rows: { hooks: [hook], groups: [group], suites: [suite] },
};
const withRows = (rows: Partial<ComparedSystem["rows"]>): ComparedSystem => ({
  ...system,
  rows: { ...system.rows, ...rows },
});
const withHook = (more: object): ComparedSystem => withRows({ hooks: [{ ...hook, ...more }] });
const withParts = (...parts: Shown[]): ComparedSystem =>
  withRows({ groups: [{ ...group, demands: [["It is held", ...parts]] }] });

it(NAME, () => {
  const page = overviewPage(sources, [system]);
  const links = "[modes/ralph](../policies/modes/ralph.md) | on with `omc` | ";
  expect(page).toContain(
    `| \`stop\` | ${links}[ralph.test.ts](../../src/policies/modes/ralph.test.ts), [overview-page`,
  );
  expect(page).toContain(`| Stops | It is held | ${links}[overview-page.test.ts](../../${TEST}): “${NAME}” |  |`);
  expect(page).toMatch(/\| `stop` \| 2 \| \[overview-page\.test\.ts\]\(\S+\): \d+ \| \d+ \|/);
});

it("has the number of hooks that each of the five systems has", () => {
  const counts = SYSTEMS.map(({ name, theirs }) => [name, theirs.split(" ").length]);
  expect(counts).toEqual([
    ["ntm-orchestrator", 3],
    ["project-orchestrator", 8],
    ["workflow-engine", 19],
    ["agent-team-mail", 4],
    ["oh-my-claudecode", 31],
  ]);
});

describe("the page of all five is refused where", () => {
  it.each<[string, ComparedSystem, string]>([
    ["a hook has no row", withRows({ hooks: [] }), "the hook stop has no row"],
    ["a policy does not exist", withHook({ policies: ["a/b"] }), "names the policy a/b"],
    ["a command does not exist", withHook({ commands: ["skills"] }), "names the command skills"],
    ["nothing does the same, and nobody says why", withHook({ policies: [] }), "neither policy nor command"],
    ["a hook's test does not exist", withHook({ tests: ["test/gone.test.ts"] }), "names test/gone.test.ts"],
    ["a hook's difference has no reason", withHook({ differs: [["this", " "]] }), "a difference has no reason"],
    ["a group of promises has no row", withRows({ groups: [] }), "Stops has no row"],
    ["a promise is missing", { ...system, promises: { Stops: 2 } }, "Stops has 2 promises"],
    ["a promise is about no hook", withRows({ groups: [{ ...group, hooks: ["x"] }] }), "the hook x, which has no row"],
    ["a promise has no test", withParts(), "neither a test nor a reason"],
    ["a promise's test does not exist", withParts({ file: OTHER, names: ["gone"] }), 'has no test "gone"'],
    [
      "it is only named in a comment",
      withParts({ file: OTHER, names: ["What it means at each stage"] }),
      "has no test",
    ],
    ["a test is named by its file alone", withParts({ file: TEST, names: [] }), "names no test"],
    ["a promise does not apply without a reason", withParts({ because: " " }), "a difference has no reason"],
    ["a promise's difference has no reason", withParts(shown, { what: "so", why: "" }), "a difference has no reason"],
    ["a suite has no row", withRows({ suites: [] }), "the suite stop has no row"],
    ["a suite has too few cases", withRows({ suites: [{ ...suite, cases: 900 }] }), "had 900 cases"],
  ])("%s", (_name, wrong, says) => {
    expect(() => overviewPage(sources, [wrong])).toThrow(says);
  });
});

describe("the page about conflicts", () => {
  /** The decisions with another C; undefined: without one. */
  const withC = (more: Partial<Decision> | undefined): readonly Decision[] =>
    DECISIONS.flatMap((one) => (one.id === "C" ? (more === undefined ? [] : [{ ...one, ...more }]) : [one]));

  it("has a section for each decision from A to O", () => {
    const headings = [...conflictsPage().matchAll(/^## ([A-Z])\. /gm)].map(([, id]) => id);
    expect(headings.join("")).toBe("ABCDEFGHIJKLMNO");
  });

  it.each<[string, Partial<Decision> | undefined, string]>([
    ["a decision is missing", undefined, "the decision C is missing"],
    ["it does not say what is done", { done: "" }, 'does not say "done"'],
    ["it does not say how to change it", { change: " " }, 'does not say "change"'],
    ["a decision has no test", { tests: [] }, "the decision C has no test"],
    ["a test does not exist", { tests: [{ file: OTHER, names: ["gone"] }] }, 'has no test "gone"'],
  ])("is refused where %s", (_name, more, says) => {
    expect(() => conflictsPage({ decisions: withC(more) })).toThrow(says);
  });
});
