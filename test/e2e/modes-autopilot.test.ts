/** Autopilot in the real client: through its five phases, with ralph and ultraqa in two of them and three reviewers at the end. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { agent, bash, continuations, history, newProject, runWithModes, stateFiles, write } from "./mode-session.ts";
import { newText } from "./model-requests.ts";
import type { Scratch } from "./scratch.ts";

const APPROVAL = "<architect-approved>VERIFIED_COMPLETE</architect-approved>";
const TYPES = ["functional", "security", "quality"] as const;
const verdict = (type: string, word: string): string =>
  `I read all of it.\n\n<validation-verdict type="${type}">${word}</validation-verdict>`;

let scratch: Scratch;
beforeEach(async () => {
  scratch = await newProject();
});
afterEach(() => scratch.dispose());

it("goes through its phases by their signals, and ends when three reviewers have approved", async () => {
  const stories = [{ id: "US-001", title: "Parse", passes: true, acceptanceCriteria: ["it works"] }];
  const prd = JSON.stringify({ project: "parser", userStories: stories });
  const inProject = (name: string): string => `${scratch.project}/${name}`;
  const { requests } = await runWithModes(scratch, {
    prompt: "Build me a parser for INI files",
    timeoutMs: 110_000,
    script: {
      main: [
        write(inProject(".omc/autopilot/spec.md"), "# A parser\n", "toolu_spec"),
        "The word EXPANSION_COMPLETE in a sentence ends nothing.",
        bash("true"),
        "EXPANSION_COMPLETE",
        bash("true"),
        // There is no plan yet.
        "PLANNING_COMPLETE",
        bash("mkdir -p .omc/plans && echo '1. Parse' > .omc/plans/autopilot-impl.md"),
        "PLANNING_COMPLETE",
        bash("true"),
        "Half of it.",
        bash(`cat > .omc/prd.json <<'EOF'\n${prd}\nEOF`),
        agent("omc:architect", "architect"),
        "EXECUTION_COMPLETE",
        bash("true"),
        "QA_COMPLETE",
        TYPES.map((type) => agent(`omc:${type}-reviewer`, `${type}-1`)),
        "VALIDATION_COMPLETE",
        agent("omc:security-reviewer", "security-2"),
        TYPES.filter((type) => type !== "security").map((type) => agent(`omc:${type}-reviewer`, `${type}-2`)),
        "AUTOPILOT_COMPLETE",
      ],
      queues: {
        architect: [`Every criterion is met.\n\n${APPROVAL}`],
        "functional-1": [verdict("functional", "APPROVED")],
        "security-1": [verdict("security", "REJECTED")],
        "quality-1": [verdict("quality", "APPROVED")],
        "functional-2": [verdict("functional", "APPROVED")],
        "security-2": [verdict("security", "APPROVED")],
        "quality-2": [verdict("quality", "APPROVED")],
      },
    },
  });
  expect(newText(requests[0] ?? expect.fail("no request"))).toContain(
    "autopilot is on for this request: Build me a parser for INI files",
  );
  const texts = continuations(requests);
  const phases = texts.map((text) => /Phase \d of 5, \w+/.exec(text)?.[0]);
  expect(phases).toEqual([
    "Phase 1 of 5, expansion",
    "Phase 2 of 5, planning",
    "Phase 2 of 5, planning",
    "Phase 3 of 5, execution",
    "Phase 3 of 5, execution",
    "Phase 4 of 5, qa",
    "Phase 5 of 5, validation",
    "Phase 5 of 5, validation",
  ]);
  expect(texts[2]).toContain("PLANNING_COMPLETE does not count yet");
  expect(texts[3]).toContain("ralph is on for this request");
  expect(texts[5]).toContain("ultraqa is on");
  expect(texts[7]).toContain("Round 1 of at most 3: functional APPROVED, security REJECTED, quality APPROVED.");
  expect(requests).toHaveLength(20);
  expect(await history(scratch)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^autopilot: done \(8\)$/), expect.stringMatching(/^ralph: /)]),
  );
  expect(stateFiles(scratch)).toEqual([]);
  expect((await scratch.run("git", ["status", "--porcelain"])).stdout).toBe("");
});
