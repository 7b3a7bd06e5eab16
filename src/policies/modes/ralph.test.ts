import { describe, expect, it } from "vitest";
import type { AnyEvent, JsonObject } from "../../core/event.ts";
import { policy as definePolicy } from "../../core/policy.ts";
import { aRun, runsIn, withRuns } from "../../domain/mode/mode.samples.ts";
import { STALE_MS } from "../../domain/mode/modes.ts";
import {
  APPROVES,
  IN_OMC,
  PROGRESS,
  prdText,
  ROOT,
  rejects,
  startedWith,
} from "../../domain/mode/ralph/ralph.samples.ts";
import { claudeEvent, SESSION, stop, toolAfter, toolBefore } from "../../testing/events.ts";
import { FAKE_NOW, type FakeFile } from "../../testing/fake-ports.ts";
import { createSandbox } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./ralph.ts";
import ultraworkPolicy from "./ultrawork.ts";

const said = (text: string, more: JsonObject = {}) => stop({ last_assistant_message: text, ...more });
const subagent = (text: string, type = "omc:architect", more: JsonObject = {}): AnyEvent =>
  claudeEvent({
    hook_event_name: "SubagentStop",
    agent_id: "a1",
    agent_type: type,
    last_assistant_message: text,
    ...more,
  });

const open = { [ROOT]: prdText("+-") };
const complete = { [ROOT]: prdText("++") };
/** Started while a story was open; the files are those of now. */
const on = (files: Record<string, string>) => ({ ...withRuns(startedWith(open)), files });
/** Started without a PRD. */
const bare = withRuns(startedWith({ [ROOT]: prdText("") }));
const holds = { says: "hold", message: "goes_on" } as const;
const told = [{ says: "notice", message: "news" }] as const;
const ends = { says: "notice", message: "ended" } as const;
const claim = said("RALPH_COMPLETE");

testPolicy(policy, {
  hit: [
    {
      name: "a story is open",
      event: stop(),
      ...on(open),
      ...holds,
      text: "ralph, round 1 of 100. Request: fix the login",
    },
    { name: "the current story", event: stop(), ...on(open), ...holds, text: "Current story: US-002 Story 2" },
    { name: "its criteria", event: stop(), ...on(open), ...holds, text: "- part 2 works" },
    {
      name: "the status of a PRD in .omc",
      event: stop(),
      ...on({ [IN_OMC]: prdText("+-") }),
      ...holds,
      text: "1 of 2 stories of .omc/prd.json pass.",
    },
    {
      name: "patterns of progress.txt",
      event: stop(),
      ...on({ ...open, [PROGRESS]: "## Codebase Patterns\n- use sql\n" }),
      ...holds,
      text: "- use sql",
    },
    {
      name: "rounds go on beyond ten",
      event: stop(),
      ...withRuns({ ...startedWith(open), round: 10 }),
      files: open,
      ...holds,
      text: "ralph, round 11 of 100",
    },
    {
      name: "a finished story is told",
      event: stop(),
      ...on(complete),
      ...holds,
      also: told,
      text: "Review 1 of at most 3 is open",
    },
    {
      name: "the review names the reviewer",
      event: stop(),
      ...on(complete),
      ...holds,
      also: told,
      text: "`architect`",
    },
    {
      name: "a claim begins the review",
      event: claim,
      ...bare,
      ...holds,
      also: told,
      text: "because RALPH_COMPLETE was written",
    },
    { name: "a claim in bold", event: said("**RALPH_COMPLETE**"), ...bare, ...holds, also: told, text: "Review 1" },
    {
      name: "a claim in a code block begins nothing",
      event: said("```\nRALPH_COMPLETE\n```"),
      ...bare,
      ...holds,
      text: "Go on with what is open.",
    },
    {
      name: "an open review is asked for again",
      event: stop(),
      after: [claim],
      ...bare,
      ...holds,
      text: "ralph, round 2 of 100. Review 1",
    },
    {
      name: "an approval by the main agent",
      event: said(APPROVES),
      after: [claim],
      ...bare,
      ...holds,
      text: "Review 1 of at most 3",
    },
    {
      name: "an approval before the review",
      event: stop(),
      after: [subagent(APPROVES), claim],
      ...bare,
      ...holds,
      text: "Review 1",
    },
    {
      name: "an approval of a subagent without a type",
      event: stop(),
      after: [claim, subagent(APPROVES, "")],
      ...bare,
      ...holds,
      text: "Review 1",
    },
    {
      name: "an approval of a worker",
      event: stop(),
      after: [claim, subagent(APPROVES, "omc:executor")],
      ...bare,
      ...holds,
      text: "Review 1",
    },
    {
      name: "an approval in a code block",
      event: stop(),
      after: [claim, subagent(`\`\`\`\n${APPROVES}\n\`\`\``)],
      ...bare,
      ...holds,
      text: "Review 1",
    },
    {
      name: "an approval of another session's subagent",
      event: stop(),
      after: [claim, subagent(APPROVES, "architect", { session_id: "other" })],
      ...bare,
      ...holds,
      text: "Review 1",
    },
    {
      name: "an approval that names no agent",
      event: stop(),
      after: [claim, subagent(APPROVES, "architect", { agent_id: "" })],
      ...bare,
      ...holds,
      text: "Review 1",
    },
    {
      name: "the reviewer approves",
      event: stop(),
      after: [claim, subagent(APPROVES)],
      ...bare,
      ...ends,
      text: "ralph has ended after 1 round. The reviewer (omc:architect) has approved the work: I ran the tests.",
    },
    {
      name: "a general agent approves",
      event: stop(),
      after: [claim, subagent(APPROVES, "general-purpose")],
      ...bare,
      ...ends,
      text: "general-purpose",
    },
    {
      name: "the reviewer approves a complete PRD",
      event: stop(),
      after: [stop(), subagent(APPROVES)],
      ...on(complete),
      ...ends,
      text: "2 of 2 stories of prd.json pass.",
    },
    {
      name: "the reviewer approves in the turn that completed the PRD",
      event: stop(),
      after: [subagent(APPROVES)],
      ...on(complete),
      ...ends,
      text: "ralph has ended after 0 rounds. 2 of 2 stories of prd.json pass.",
    },
    {
      name: "the reviewer rejects in that turn",
      event: stop(),
      after: [subagent(rejects("no test"))],
      ...on(complete),
      ...holds,
      also: told,
      text: "A reviewer has rejected the work (1 of 3): no test",
    },
    {
      name: "the reviewer approves what was corrected in the turn after a rejection",
      event: stop(),
      after: [stop(), subagent(rejects("no test")), stop(), subagent(APPROVES)],
      ...on(complete),
      ...ends,
      text: "2 of 2 stories of prd.json pass.",
    },
    {
      name: "an approval of a PRD that was complete before the start",
      event: stop(),
      after: [subagent(APPROVES)],
      ...withRuns(startedWith(complete)),
      files: complete,
      ...holds,
    },
    {
      name: "a worker approves in the turn that completed the PRD",
      event: stop(),
      after: [subagent(APPROVES, "omc:executor")],
      ...on(complete),
      ...holds,
      also: told,
      text: "Review 1 of at most 3",
    },
    {
      name: "the approval of an incomplete PRD",
      event: stop(),
      after: [claim, subagent(APPROVES)],
      ...on(open),
      ...holds,
      also: told,
      text: "does not count",
    },
    {
      name: "the reviewer rejects",
      event: stop(),
      after: [claim, subagent(rejects("no test"))],
      ...bare,
      ...holds,
      also: told,
      text: "A reviewer has rejected the work (1 of 3): no test",
    },
    {
      name: "a rejection is told once",
      event: stop(),
      after: [claim, subagent(rejects("no test")), stop()],
      ...bare,
      ...holds,
      text: "(1 of 3): no test",
    },
    {
      name: "prose about a rejection",
      event: stop(),
      after: [claim, subagent("The architect rejected it: a bug was found.")],
      ...bare,
      ...holds,
      text: "Review 1 of at most 3 is open",
    },
    {
      name: "three rejections",
      event: stop(),
      after: [claim, subagent(rejects("a")), claim, subagent(rejects("b")), claim, subagent(rejects("c"))],
      ...bare,
      ...ends,
      text: "rejected it 3 times, the last time because: c",
    },
    {
      name: "an empty list of stories is not done",
      event: stop(),
      ...on({ [ROOT]: prdText("") }),
      ...holds,
      text: "it has no stories",
    },
    {
      name: "a PRD that was complete before",
      event: stop(),
      ...withRuns(startedWith(complete)),
      files: complete,
      ...holds,
      text: "all of its stories passed before ralph began",
    },
    {
      name: "a broken PRD is named",
      event: stop(),
      ...on({ [ROOT]: "{" }),
      ...holds,
      text: "prd.json cannot be used: it is not JSON",
    },
    {
      name: "a state without details",
      event: stop(),
      ...withRuns(aRun("ralph")),
      files: open,
      ...holds,
      text: "US-002 Story 2",
    },
    {
      name: "a question",
      event: said("NEEDS_INPUT: which database?"),
      ...on(open),
      says: "notice",
      message: "asks",
      text: "which database?",
    },
    {
      name: "the rounds are used up",
      event: stop(),
      ...withRuns({ ...startedWith(open), round: 100 }),
      files: open,
      says: "notice",
      message: "used_up",
      text: "US-002",
    },
  ],
  pass: [
    { name: "no mode", event: stop(), files: open },
    { name: "a subagent's stop", event: subagent("Done."), ...on(open) },
    { name: "a reviewer's stop", event: subagent(APPROVES), after: [claim], ...bare },
    { name: "another session in the same project", event: stop({ session_id: "another" }), ...on(open) },
    { name: "another session with a claim", event: said("RALPH_COMPLETE", { session_id: "another" }), ...on(complete) },
    { name: "a second session whose id begins alike", event: stop({ session_id: SESSION.slice(0, -1) }), ...on(open) },
    { name: "after its end", event: stop(), after: [claim, subagent(APPROVES), stop()], ...bare },
    { name: "paused", event: stop(), ...withRuns({ ...startedWith(open), status: "paused" }), files: open },
    {
      name: "stale",
      event: stop(),
      ...withRuns({ ...startedWith(open), seenAt: FAKE_NOW - STALE_MS - 1 }),
      files: open,
    },
    {
      name: "a stale run hears no reviewer",
      event: subagent(APPROVES),
      ...withRuns({ ...startedWith(open), seenAt: 0 }),
    },
    {
      name: "started by autopilot, which decides",
      event: stop(),
      ...withRuns(aRun("autopilot"), { ...startedWith(open), parent: "autopilot" }),
      files: open,
    },
  ],
});

describe("ralph in a session", () => {
  /** One call that ran. */
  const call = (round: number): AnyEvent[] => {
    const input = { file_path: `/home/dev/app/src/part-${round}.ts` };
    const before = toolBefore("Read", input);
    const useId = before.name === "tool.before" ? before.tool.useId : "";
    return [before, toolAfter("Read", input, useId)];
  };

  it("goes on for 40 rounds with a call in each, and ends only with PRD and reviewer", async () => {
    const files: Record<string, FakeFile> = { [ROOT]: prdText("-----") };
    const seed = withRuns(startedWith({ [ROOT]: prdText("-----") }), aRun("ultrawork", { parent: "ralph" }));
    const sandbox = createSandbox([policy, ultraworkPolicy], { ...seed, files });
    const news: string[] = [];
    const stopped = async (round: number, text: string) => {
      for (const event of call(round)) await sandbox.send(event);
      const { ruling } = await sandbox.send(said(text));
      for (const notice of ruling.notices) news.push(notice.text);
      return ruling;
    };
    try {
      for (let round = 1; round <= 40; round++) {
        const done = Math.min(5, Math.floor(round / 8));
        files[ROOT] = prdText("+".repeat(done) + "-".repeat(5 - done));
        // The main agent's own words do not end it, whatever they are.
        const ruling = await stopped(round, round % 2 === 0 ? APPROVES : "ULTRAWORK_COMPLETE\nI am done.");
        expect([round, ruling.outcome]).toEqual([round, "hold"]);
        expect(ruling.reason).toContain(`ralph, round ${round} of 100.`);
        expect(ruling.reason).toContain(round < 40 ? `${done} of 5 stories` : "Review 1 of at most 3 is open");
        expect(ruling.reason.length).toBeLessThan(1_500);
      }
      expect(news.filter((text) => text.includes("passes"))).toHaveLength(5);
      expect(
        runsIn(sandbox.db)
          .of(SESSION)
          .map(({ mode, round }) => [mode, round]),
      ).toEqual([
        ["ralph", 40],
        ["ultrawork", 0],
      ]);
      await sandbox.send(subagent(APPROVES));
      const end = await stopped(41, "Done.");
      expect(end.outcome).toBe("pass");
      expect(news.at(-1)).toContain("ralph has ended after 40 rounds. 5 of 5 stories of prd.json pass.");
      expect(runsIn(sandbox.db).of(SESSION)).toEqual([]);
      expect(
        runsIn(sandbox.db)
          .history()
          .map(({ mode, outcome }) => [mode, outcome]),
      ).toContainEqual(["ralph", "done"]);
      expect((await stopped(42, "Done.")).outcome).toBe("pass");
    } finally {
      sandbox.close();
    }
  });

  it("lets the turn end after three continuations without a call, and keeps the run", async () => {
    const sandbox = createSandbox([policy], { ...on(open) });
    try {
      const outcomes: string[] = [];
      for (let round = 1; round <= 5; round++) outcomes.push((await sandbox.send(stop())).ruling.outcome);
      expect(outcomes).toEqual(["hold", "hold", "hold", "pass", "pass"]);
      expect(runsIn(sandbox.db).get(SESSION, "ralph")).toMatchObject({ status: "active", round: 3 });
    } finally {
      sandbox.close();
    }
  });

  it("does not hear a subagent that another policy holds", async () => {
    const holder = definePolicy({
      id: "test/holder",
      summary: "Holds every subagent.",
      why: "For this test.",
      stage: "delegation",
      messages: { wait: "Go on." },
      examples: { hit: ["a"], pass: ["b"] },
      on: { "subagent.stop": (_event, ctx) => ctx.hold("wait", {}, { exit: "" }) },
    });
    const sandbox = createSandbox([holder, policy], { ...bare });
    try {
      await sandbox.send(claim);
      expect((await sandbox.send(subagent(APPROVES))).ruling.outcome).toBe("hold");
      expect((await sandbox.send(stop())).ruling.outcome).toBe("hold");
    } finally {
      sandbox.close();
    }
  });

  it("hears the reviewer while it waits for an answer of the person", async () => {
    const sandbox = createSandbox([policy], { ...bare });
    try {
      for (const event of [claim, said("NEEDS_INPUT: a or b?"), subagent(APPROVES)]) await sandbox.send(event);
      const run = runsIn(sandbox.db).get(SESSION, "ralph");
      expect(run).toMatchObject({ status: "waiting", details: { verification: { architect_approved: true } } });
    } finally {
      sandbox.close();
    }
  });

  it("exports the review under the names of oh-my-claudecode", async () => {
    const sandbox = createSandbox([policy], { ...bare });
    try {
      for (const event of [claim, subagent(rejects("no test"))]) await sandbox.send(event);
      const rows = sandbox.db.all("SELECT content FROM mirrors WHERE path LIKE '%/.omc/state/ralph-state.json'");
      expect(rows).toHaveLength(1);
      const { verification, iteration } = JSON.parse(String(rows[0]?.content));
      expect(iteration).toBe(1);
      expect(verification).toMatchObject({
        pending: false,
        verification_attempts: 1,
        architect_feedback: "no test",
        requested_at: new Date(FAKE_NOW).toISOString(),
      });
    } finally {
      sandbox.close();
    }
  });

  it("reads the same files while it settles as while it decides", async () => {
    const sandbox = createSandbox([policy], { ...on({ ...complete, [PROGRESS]: "## Codebase Patterns\n- a\n" }) });
    try {
      const { looked } = await sandbox.send(stop());
      expect(looked.filter((fact) => /^(?:prd|progress):/.test(fact))).toEqual([`prd:${ROOT}`, `progress:${PROGRESS}`]);
      expect(runsIn(sandbox.db).get(SESSION, "ralph")?.details).toMatchObject({ verification: { pending: true } });
    } finally {
      sandbox.close();
    }
  });
});
