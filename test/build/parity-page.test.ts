/** The page that compares each hook of oh-my-claudecode with what is here is refused when it would not be true. */
import { describe, expect, it } from "vitest";
import { THEIRS } from "../../scripts/generate/origins/data/systems.mjs";
import { type ParityData, type ParityRow, parityPage } from "../../scripts/generate/origins/parity-page.mjs";

const TEST = "test/build/parity-page.test.ts";
const sources = {
  policies: [{ id: "modes/ralph", on: { "turn.stop": () => undefined } }],
  commands: [{ name: "mode" }],
  CLAUDE_EVENTS: { Stop: "turn.stop", SessionEnd: "session.end" },
  PROFILES: ["omc"],
  packsOf: (profiles: readonly string[]) => new Set(profiles.length > 0 ? ["modes"] : []),
};
const same: Omit<ParityRow, "hook"> = { policies: ["modes/ralph"], tests: [TEST], differs: [["this", "That."]] };
const groups = Object.entries(THEIRS).map(([group, names]) => ({
  group,
  hooks: names.split(" ").map((hook): ParityRow => ({ hook, ...same })),
}));
const data: ParityData = { GROUPS: groups, NOT_YET: [], SUITES: [{ hook: "ralph", cases: 2, files: [TEST] }] };

/** The data with another row for this hook; undefined: with none. */
function withRow(hook: string, row: Partial<ParityRow> | undefined): ParityData {
  const changed = (one: ParityRow): ParityRow[] => {
    if (one.hook !== hook) return [one];
    return row === undefined ? [] : [{ ...one, ...row }];
  };
  return { ...data, GROUPS: groups.map(({ group, hooks }) => ({ group, hooks: hooks.flatMap(changed) })) };
}

it("has a row for each of 31 hooks, with its events and its default", () => {
  const page = parityPage(sources, data);
  expect(page.match(/^\| `[a-z-]+` \| \[modes\/ralph\]/gm)).toHaveLength(31);
  expect(page).toContain("| `Stop` | on with `omc` |");
  expect(page).toMatch(/\| `ralph` \| 2 \| \[parity-page\.test\.ts\]\(\S+\): \d+ \| \d+ \|/);
});

describe("is refused where", () => {
  it.each([
    ["a hook is missing", withRow("learner", undefined), "the hook learner of the group Enhancement is missing"],
    ["a policy does not exist", withRow("learner", { policies: ["a/b"] }), "names the policy a/b"],
    ["a command does not exist", withRow("learner", { commands: ["skills"] }), "names the command skills"],
    ["nothing does the same", withRow("learner", { policies: [] }), "neither policy nor command"],
    ["a test does not exist", withRow("setup", { tests: ["test/e2e/gone.test.ts"] }), "names test/e2e/gone.test.ts"],
    [
      "a difference has no reason",
      withRow("setup", { differs: [["this", " "]] }),
      "the hook setup: a difference has no reason",
    ],
    ["a suite has too few cases", { ...data, SUITES: [{ hook: "ralph", cases: 900, files: [TEST] }] }, "had 900 cases"],
  ])("%s", (_name, wrong, says) => {
    expect(() => parityPage(sources, wrong)).toThrow(says);
  });
});

it("says of a hook that is not here yet only that", () => {
  const page = parityPage(sources, { ...withRow("learner", { policies: ["a/b"] }), NOT_YET: ["learner"] });
  expect(page).toContain("| `learner` | not here yet |");
  expect(page).not.toContain("a/b");
});
