/** Ralph in the real client: a long run that works in each of its rounds, and ends with PRD and reviewer, not before. */
import { expect, it } from "vitest";
import { agent, bash, continuations, history, newProject, runWithModes, stateFiles, stateOf } from "./mode-session.ts";
import { newText, wholeText } from "./model-requests.ts";
import type { Turn } from "./model-script.ts";

const ROUNDS = 40;
const APPROVAL = "<architect-approved>VERIFIED_COMPLETE</architect-approved>";

const story = (id: string, title: string, passes: boolean) => ({ id, title, passes, acceptanceCriteria: ["it works"] });
const prd = (form: boolean, session: boolean): Turn => {
  const userStories = [story("US-001", "A form", form), story("US-002", "A session", session)];
  return bash(`cat > .omc/prd.json <<'EOF'\n${JSON.stringify({ project: "shop", userStories })}\nEOF`);
};
const progress = bash("printf '## Codebase Patterns\\n- forms have tokens\\n---\\n' > .omc/progress.txt");

/** What the model calls in a round, and what it says at its end. All other rounds are work like any other. */
const SPECIAL: Readonly<Record<number, readonly [Turn, string]>> = {
  1: [prd(false, false), "The stories are written."],
  10: [prd(true, false), "The form works."],
  11: [progress, "Noted."],
  20: [bash("true"), `All is done.\n\n${APPROVAL}`],
  36: [prd(true, true), "RALPH_COMPLETE"],
  37: [bash("true"), `I have reviewed it myself.\n\n${APPROVAL}`],
  38: [agent("omc:architect", "rejects"), APPROVAL],
  39: [bash("true"), "Corrected.\n\nRALPH_COMPLETE"],
};

it("calls a tool in each of 40 rounds, and ends only when the stories pass and the reviewer agrees", async () => {
  const scratch = await newProject();
  try {
    const rounds = Array.from({ length: ROUNDS - 1 }, (_, index) => [
      ...(SPECIAL[index + 1] ?? [bash("true"), `Part ${index + 1}.`]),
    ]);
    let before: unknown;
    const lastLook = (): void => {
      before = stateOf(scratch, "ralph");
    };
    const last: Turn[] = [agent("omc:architect", "approves"), { say: "The reviewer agrees.", before: lastLook }];
    const { requests, model, result } = await runWithModes(scratch, {
      prompt: "/ralph build the login",
      timeoutMs: 110_000,
      script: {
        main: [...rounds.flat(), ...last],
        queues: {
          rejects: ["I looked at it.\n\n<architect-rejected>There is no test.</architect-rejected>"],
          approves: [`Every criterion is met.\n\n${APPROVAL}`],
        },
      },
    });
    expect(requests).toHaveLength(2 * ROUNDS);
    expect(newText(requests[0] ?? expect.fail("no request"))).toContain(
      "ralph is on for this request: build the login",
    );
    expect(model.conversation("approves")).toHaveLength(1);
    expect(wholeText(model.conversation("approves")[0] ?? expect.fail("no reviewer"))).toContain(
      "Reviewing finished work",
    );

    const texts = continuations(requests);
    expect(texts).toHaveLength(ROUNDS - 1);
    const after = (round: number): string => texts[round - 1] ?? expect.fail(`nothing after round ${round}`);
    for (const [index, text] of texts.entries()) expect(text).toContain(`ralph, round ${index + 1} of 100.`);
    expect(after(1)).toContain("0 of 2 stories of .omc/prd.json pass. Current story: US-001 A form");
    expect(after(10)).toContain("1 of 2 stories of .omc/prd.json pass. Current story: US-002 A session");
    expect(after(11)).toContain("- forms have tokens");
    // An approval that the main agent writes ends nothing, neither before the review nor in it.
    expect(after(20)).toContain("Current story: US-002 A session");
    expect(after(36)).toContain("Review 1 of at most 3 is open, because RALPH_COMPLETE was written.");
    expect(after(37)).toContain("Review 1 of at most 3 is open");
    expect(after(38)).toContain("A reviewer has rejected the work (1 of 3): There is no test.");
    expect(after(39)).toContain("Review 2 of at most 3 is open");

    expect(before).toMatchObject({ active: true, session_id: result.session_id, iteration: ROUNDS - 1 });
    expect(result.result).toBe("The reviewer agrees.");
    expect(await history(scratch)).toEqual([`ralph: done (${ROUNDS - 1})`, "ultrawork: done (0)"]);
    expect(stateFiles(scratch)).toEqual([]);
    expect((await scratch.run("git", ["status", "--porcelain"])).stdout).toBe("");
  } finally {
    await scratch.dispose();
  }
});
