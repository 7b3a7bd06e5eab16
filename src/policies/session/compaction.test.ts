import { describe, expect, it } from "vitest";
import type { AnyEvent, JsonObject } from "../../core/event.ts";
import { DIR, noSession, playSessionEvents, TRANSCRIPT, worldInSession } from "../../domain/session/session.samples.ts";
import { mirrorOf } from "../../state/exported-files.ts";
import { claudeEvent } from "../../testing/events.ts";
import { createSandbox, type SandboxOptions } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./compaction.ts";

const compact = (more: JsonObject = { trigger: "auto" }): AnyEvent =>
  claudeEvent({ hook_event_name: "PreCompact", custom_instructions: "", transcript_path: TRANSCRIPT, ...more });
const auto = compact();
const manual = compact({ trigger: "manual" });
const FILE = `${DIR}/DEHYDRATED_CONTEXT.md`;
const restart = { contextPolicy: "restart" } as const;
const keep = { says: "note", message: "keep" } as const;
const testMode = (world: SandboxOptions): SandboxOptions => ({ ...world, env: { ...world.env, TEST_MODE: "1" } });
const GIVEN = {
  summary: "Half the form is done.",
  lastAction: "",
  nextSteps: [],
  handoverInstructions: "",
  requiredFiles: [],
};

testPolicy(policy, {
  hit: [
    { name: "an automatic compaction", event: auto, ...worldInSession(), ...keep, text: FILE },
    { name: "with contextPolicy: restart", event: auto, ...worldInSession(), ...restart, ...keep },
    { name: "the trigger under its other name", event: compact({ event: "auto" }), ...worldInSession(), ...keep },
    {
      name: "a dry run",
      event: auto,
      ...testMode(worldInSession({ currentPhase: "2: Build" })),
      ...restart,
      says: "note",
      message: "dry",
      text: `engine session continue --session ${DIR} --skill implement --phase "2: Build"`,
    },
  ],
  pass: [
    { name: "a compaction that the person asked for", event: manual, ...worldInSession(), ...restart },
    { name: "the same, under its other name", event: compact({ event: "manual" }), ...worldInSession(), ...restart },
    { name: "a trigger that says nothing", event: compact({}), ...worldInSession(), ...restart },
    { name: "no session", event: auto, ...noSession, ...restart },
    { name: "a closed session", event: auto, ...worldInSession({ lifecycle: "completed" }), ...restart },
    { name: "a session that ends already", event: auto, ...worldInSession({ killRequested: true }), ...restart },
  ],
});

/** The state, the document and the jobs after one compaction. */
async function effectOf(event: AnyEvent, world: SandboxOptions) {
  const sandbox = createSandbox([policy], world);
  try {
    const { jobs, ruling } = await sandbox.send(event);
    const state = JSON.parse(mirrorOf(sandbox.db, `${DIR}/.state.json`)?.content ?? "{}") as JsonObject;
    const args = jobs.map((id) => JSON.parse(String(sandbox.db.get("SELECT args FROM jobs WHERE id = ?", id)?.args)));
    return { state, document: mirrorOf(sandbox.db, FILE)?.content, args, ruling };
  } finally {
    sandbox.close();
  }
}

describe("a hand-over that nobody wrote", () => {
  const files = { [`${DIR}/IMPLEMENT_LOG.md`]: "## a\n", [`${DIR}/A_PLAN.md`]: "plan\n", [`${DIR}/notes.txt`]: "x" };
  const world = { ...worldInSession({ taskSummary: "log in", currentPhase: "2: Build" }, files), ...restart };

  it("is made from the session's state, the log first among its files", async () => {
    const { state } = await effectOf(auto, world);
    expect(state.dehydratedContext).toMatchObject({
      summary: "log in",
      nextSteps: [expect.stringContaining("IMPLEMENT_LOG.md"), expect.stringContaining("2: Build")],
      requiredFiles: [`${DIR}/IMPLEMENT_LOG.md`, `${DIR}/A_PLAN.md`],
    });
    expect((state.dehydratedContext as JsonObject).handoverInstructions).toContain(TRANSCRIPT);
  });

  it.each([
    ["a phase and a skill", { currentPhase: "2: Build" }, "the phase 2: Build of the skill implement."],
    ["a skill without a phase", { currentPhase: "" }, "the skill implement."],
    ["a phase without a skill", { currentPhase: "2: Build", skill: "" }, "the phase 2: Build."],
    ["neither", { currentPhase: "", skill: "" }, "the task of this session."],
  ])("names only what there is: %s", async (_name, own, work) => {
    const { state } = await effectOf(auto, { ...worldInSession(own), ...restart });
    expect(state.dehydratedContext).toMatchObject({
      summary: `Work on ${work}`,
      nextSteps: [`Continue with ${work}`],
    });
  });

  it("names at most eight files", async () => {
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`${DIR}/D${i}.md`, "x"]));
    const { state } = await effectOf(auto, { ...worldInSession({}, many), ...restart });
    expect((state.dehydratedContext as JsonObject).requiredFiles).toHaveLength(8);
  });

  it("is also a document that people read", async () => {
    const { document } = await effectOf(auto, world);
    expect(document).toMatch(/^# Hand-over\n\n## Summary\n\nlog in\n/);
    expect(document).toContain(`## Required files\n\n- ${DIR}/IMPLEMENT_LOG.md\n- ${DIR}/A_PLAN.md\n`);
  });

  it("asks for the restart, by a job, with the prompt that goes on", async () => {
    const { state, args } = await effectOf(auto, world);
    expect(state).toMatchObject({ killRequested: true, restartMode: "hook", contextUsage: 0 });
    expect(state.restartPrompt).toContain(`session continue --session ${DIR} --skill implement --phase "2: Build"`);
    expect(args).toEqual([{ project: "/home/dev/app", dir: DIR, id: state.restartId }]);
  });

  it("is asked for once: the second compaction finds a session that ends", async () => {
    const { sent } = await playSessionEvents([policy], [auto, auto], world);
    expect(sent.map(({ jobs }) => jobs.length)).toEqual([1, 0]);
  });

  it("is written but restarts nothing where contexts are preserved", async () => {
    const { state, args, ruling } = await effectOf(auto, { ...world, contextPolicy: "preserve" });
    expect(state.dehydratedContext).toMatchObject({ summary: "log in" });
    expect(state).not.toHaveProperty("killRequested");
    expect(args).toEqual([]);
    expect(ruling.outcome).toBe("pass");
  });

  it("is written but restarts nothing in a dry run", async () => {
    const { state, args } = await effectOf(auto, testMode(world));
    expect(state.dehydratedContext).toMatchObject({ summary: "log in" });
    expect(state).not.toHaveProperty("killRequested");
    expect(args).toEqual([]);
  });

  it("never comes from a compaction that the person asked for", async () => {
    const { state, document, args } = await effectOf(manual, world);
    expect(state).not.toHaveProperty("dehydratedContext");
    expect([document, args]).toEqual([undefined, []]);
  });

  it("uses the plugin's skill where there is one, and a person's own otherwise", async () => {
    const plugin = { "/p/skills/dehydrate/SKILL.md": "x" };
    const withPlugin = { ...worldInSession({}, plugin), ...restart };
    const { state } = await effectOf(auto, { ...withPlugin, env: { ...withPlugin.env, CLAUDE_PLUGIN_ROOT: "/p" } });
    expect(state.restartPrompt).toBe(`/hookwright:session continue --session ${DIR} --skill implement`);
    const own = { "/home/dev/.claude/skills/session/SKILL.md": "x" };
    expect((await effectOf(auto, { ...worldInSession({}, own), ...restart })).state.restartPrompt).toMatch(
      /^\/session continue/,
    );
  });
});

describe("a hand-over that is there", () => {
  it("in the state stays as it is", async () => {
    const { state, document, args } = await effectOf(auto, {
      ...worldInSession({ dehydratedContext: GIVEN }),
      ...restart,
    });
    expect(state.dehydratedContext).toEqual(GIVEN);
    expect(document).toBeUndefined();
    expect(args).toHaveLength(1);
  });

  it("as a document only is taken over and not written anew", async () => {
    const text =
      "# Notes\n\nThe goal is a login.\n\n## Last action\nwrote it\n\n## Next steps\n1. test it\n\n## Required files\n- `a.md`\n";
    const { state, document } = await effectOf(auto, { ...worldInSession({}, { [FILE]: text }), ...restart });
    expect(state.dehydratedContext).toEqual({
      summary: "The goal is a login.",
      lastAction: "wrote it",
      nextSteps: ["test it"],
      handoverInstructions: "",
      requiredFiles: ["a.md"],
    });
    expect(document).toBeUndefined();
  });

  it("but was delivered to a run before, does not count", async () => {
    const old = "# Hand-over\n\n**Delivered**: 2026-01-01T00:00:00.000Z\n\n## Summary\n\nold\n";
    const { state } = await effectOf(auto, { ...worldInSession({ taskSummary: "new" }, { [FILE]: old }), ...restart });
    expect(state.dehydratedContext).toMatchObject({ summary: "new" });
  });
});
