import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AnyEvent } from "../../core/event.ts";
import { claudeEvent, edits, PROJECT, shell, toolAfter, toolBefore, writes } from "../../testing/events.ts";
import { FAKE_NOW } from "../../testing/fake-ports.ts";
import { createSandbox, type SandboxOptions } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./shared-file.ts";

const FILE = `${PROJECT}/src/a.ts`;
const other = { session_id: "22222222-aaaa" };

let calls = 0;
const edited = (file = FILE, more = {}): AnyEvent =>
  toolAfter("Edit", { file_path: file, old_string: "a", new_string: "b" }, `toolu_shared_${++calls}`, more);
const edit = (file = FILE, more = {}): AnyEvent =>
  toolBefore("Edit", { file_path: file, old_string: "a", new_string: "b" }, more);
const ended = (more = {}): AnyEvent => claudeEvent({ hook_event_name: "SessionEnd", reason: "other", ...more });

const told = { says: "note", message: "shared" } as const;

testPolicy(policy, {
  hit: [
    {
      name: "another session has edited it",
      after: [edited(FILE, other)],
      event: edit(),
      ...told,
      text: "src/a.ts was edited less than a minute ago by another session (claude-code 22222222)",
    },
    { name: "a file that is written as a whole", after: [edited(FILE, other)], event: writes(FILE), ...told },
    {
      name: "the same file by another way",
      after: [edited(FILE, other)],
      event: edit(`${PROJECT}/lib/../src/a.ts`),
      ...told,
    },
    {
      name: "a link to it",
      files: { [FILE]: "x", [`${PROJECT}/b.ts`]: { link: "src/a.ts" } },
      after: [edited(FILE, other)],
      event: edit(`${PROJECT}/b.ts`),
      ...told,
    },
    {
      name: "a link through which the other one went",
      files: { [FILE]: "x", [`${PROJECT}/b.ts`]: { link: "src/a.ts" } },
      after: [edited(`${PROJECT}/b.ts`, other)],
      event: edit(),
      ...told,
    },
    {
      name: "the first one, after the second has edited it",
      after: [edited(), edited(FILE, other)],
      event: edit(),
      ...told,
    },
    {
      name: "another file of the same session",
      after: [edited(FILE, other), edited(`${PROJECT}/b.ts`, other), edit()],
      event: edit(`${PROJECT}/b.ts`),
      ...told,
    },
    {
      name: "a subagent, whose session was not told",
      after: [edited(FILE, other)],
      event: edit(FILE, { agent_id: "a1", agent_type: "Explore" }),
      ...told,
    },
  ],
  pass: [
    { name: "the first edit of a file", event: edit() },
    { name: "its own edit", after: [edited()], event: edit() },
    { name: "another file", after: [edited(FILE, other)], event: edits(`${PROJECT}/src/b.ts`) },
    { name: "the second edit after the note", after: [edited(FILE, other), edit()], event: edit() },
    {
      name: "the second edit in observe mode",
      mode: "observe",
      after: [edited(FILE, other), edit()],
      event: edit(),
    },
    { name: "an edit that was only planned", after: [edit(FILE, other)], event: edit() },
    { name: "a session that has ended", after: [edited(FILE, other), ended(other)], event: edit() },
    { name: "reading it", after: [edited(FILE, other)], event: toolBefore("Read", { file_path: FILE }) },
    { name: "a command that names it", after: [edited(FILE, other)], event: shell("cat src/a.ts") },
    {
      name: "the same name in another worktree",
      after: [edited(FILE, other)],
      event: edit("/home/dev/app-2/src/a.ts"),
    },
  ],
});

describe("edits over time", () => {
  const at = async (steps: readonly (readonly [minute: number, event: AnyEvent])[], options: SandboxOptions = {}) => {
    const world = { now: FAKE_NOW, ...options };
    const sandbox = createSandbox([policy], world);
    let text = "";
    for (const [minute, event] of steps) {
      Object.assign(world, { now: FAKE_NOW + minute * 60_000 });
      text = (await sandbox.send(event)).ruling.notes.map((note) => note.text).join();
    }
    sandbox.close();
    return text;
  };

  it("are told with the time of the last one", async () => {
    expect(
      await at([
        [0, edited(FILE, other)],
        [12, edit()],
      ]),
    ).toContain("edited 12 minutes ago");
    expect(
      await at([
        [0, edited(FILE, other)],
        [9, edited(FILE, other)],
        [10, edit()],
      ]),
    ).toContain("edited a minute ago");
  });

  it("are forgotten after an hour, or when the option says so", async () => {
    expect(
      await at([
        [0, edited(FILE, other)],
        [59, edit()],
      ]),
    ).not.toBe("");
    expect(
      await at([
        [0, edited(FILE, other)],
        [61, edit()],
      ]),
    ).toBe("");
    expect(
      await at(
        [
          [0, edited(FILE, other)],
          [61, edit()],
        ],
        { options: { minutes: 120 } },
      ),
    ).not.toBe("");
    expect(
      await at(
        [
          [0, edited(FILE, other)],
          [6, edit()],
        ],
        { options: { minutes: 5 } },
      ),
    ).toBe("");
  });

  it("are told again when everybody had left the file before", async () => {
    const once = [
      [0, edited(FILE, other)],
      [1, edit()],
    ] as const;
    expect(await at([...once, [90, edited(FILE, other)], [91, edit()]])).not.toBe("");
    expect(await at([...once, [30, edited(FILE, other)], [31, edit()]])).toBe("");
  });

  it("never tell a session of itself, and tell each at most once while others are there", async () => {
    const step = fc.tuple(fc.constantFrom("s1", "s2", "s3"), fc.boolean());
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const sandbox = createSandbox([policy]);
        const editors = new Set<string>();
        const isTold = new Set<string>();
        for (const [session, isEdit] of steps) {
          const event = (isEdit ? edited : edit)(FILE, { session_id: session });
          const { notes } = (await sandbox.send(event)).ruling;
          const others = [...editors].some((one) => one !== session);
          expect(notes.length).toBe(!isEdit && others && !isTold.has(session) ? 1 : 0);
          if (notes.length > 0) isTold.add(session);
          if (isEdit) editors.add(session);
        }
        sandbox.close();
      }),
      { numRuns: 40, seed: 5 },
    );
  });

  it("of one minute are written once", async () => {
    const sandbox = createSandbox([policy]);
    await sandbox.send(edited());
    const before = sandbox.db.all("SELECT * FROM revisions");
    await sandbox.send(edited());
    expect(sandbox.db.all("SELECT * FROM revisions")).toEqual(before);
    sandbox.close();
  });
});
