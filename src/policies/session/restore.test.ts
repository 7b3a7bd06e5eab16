import { describe, expect, it } from "vitest";
import type { AnyEvent } from "../../core/event.ts";
import { handoverText } from "../../domain/session/handover/handover.ts";
import { bash, DIR, noSession, playSessionEvents, worldInSession } from "../../domain/session/session.samples.ts";
import { mirrorOf } from "../../state/exported-files.ts";
import { claudeEvent, PROJECT, prompt, SESSION, stop } from "../../testing/events.ts";
import { createSandbox } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./restore.ts";

const HANDOVER = {
  summary: "Half the form is done.",
  lastAction: "Wrote the field.",
  nextSteps: ["write the button", "test it"],
  handoverInstructions: "Mind the encoding.",
  requiredFiles: [`${PROJECT}/docs/form.md`],
};
const FILE = `${DIR}/DEHYDRATED_CONTEXT.md`;
const FORM = { [`${PROJECT}/docs/form.md`]: "The form has one field." };
const start = (source: string, more: object = {}): AnyEvent =>
  claudeEvent({ hook_event_name: "SessionStart", source, ...more });
const waiting = (fields: object = {}, files: Record<string, string> = FORM) =>
  worldInSession({ lifecycle: "restarting", dehydratedContext: HANDOVER, restartPrompt: "go on", ...fields }, files);
const restored = { says: "note", message: "restored" } as const;

testPolicy(policy, {
  hit: [
    { name: "the start of a new run", event: start("startup"), ...waiting(), ...restored, text: HANDOVER.summary },
    { name: "after /clear", event: start("clear"), ...waiting({ killRequested: true }), ...restored },
    { name: "the last action", event: start("startup"), ...waiting(), ...restored, text: "Wrote the field." },
    {
      name: "the next steps",
      event: start("startup"),
      ...waiting(),
      ...restored,
      text: "- write the button\n- test it",
    },
    { name: "the instructions", event: start("startup"), ...waiting(), ...restored, text: "Mind the encoding." },
    { name: "the required files' content", event: start("startup"), ...waiting(), ...restored, text: "one field." },
    {
      name: "a required file that is gone",
      event: start("startup"),
      ...waiting({}, {}),
      ...restored,
      text: "cannot be read",
    },
    {
      name: "a path from the project",
      event: start("startup"),
      ...waiting({ dehydratedContext: { ...HANDOVER, requiredFiles: ["docs/form.md"] } }),
      ...restored,
      text: "one field.",
    },
    {
      name: "a bare text",
      event: start("startup"),
      ...waiting({ dehydratedContext: "only this" }),
      ...restored,
      text: "only this",
    },
    {
      name: "what a person changed in the document",
      event: start("startup"),
      ...waiting({}, { [FILE]: "# x\n\nFirst ask Ann.\n" }),
      ...restored,
      text: "First ask Ann.",
    },
    {
      name: "only the document",
      event: start("startup"),
      ...worldInSession({}, { [FILE]: handoverText(HANDOVER) }),
      ...restored,
      text: "Half the form",
    },
    {
      name: "after a compaction that restarts nothing",
      event: start("compact"),
      ...waiting({ lifecycle: "active" }),
      ...restored,
    },
    {
      name: "a run that was given it and died",
      after: [start("startup", { session_id: "died" })],
      event: start("startup"),
      ...waiting(),
      ...restored,
    },
    {
      name: "the first prompt of a run whose start found nobody",
      event: prompt("where were we?"),
      ...waiting({ lifecycle: "resuming", handoverGivenTo: "died" }),
      ...restored,
      text: HANDOVER.summary,
    },
    { name: "a prompt after a start that was never heard of", event: prompt("go on"), ...waiting(), ...restored },
  ],
  pass: [
    { name: "a prompt of the run that was told", after: [start("startup")], event: prompt("go"), ...waiting() },
    {
      name: "a prompt of the run that handed over and goes on",
      event: prompt("go"),
      ...waiting({ lifecycle: "active" }),
    },
    { name: "a prompt without a hand-over", event: prompt("go"), ...worldInSession() },
    { name: "no hand-over", event: start("startup"), ...worldInSession() },
    { name: "no session", event: start("startup"), ...noSession },
    { name: "a call without a session", event: bash("ls"), ...noSession },
    { name: "a conversation that is resumed", event: start("resume"), ...waiting() },
    {
      name: "a compaction while the restart is on its way",
      event: start("compact"),
      ...waiting({ killRequested: true }),
    },
    {
      name: "delivered: the run has worked",
      after: [start("startup"), bash("ls")],
      event: start("clear"),
      ...waiting(),
    },
    { name: "delivered: the run has answered", after: [start("startup"), stop()], event: start("clear"), ...waiting() },
  ],
});

describe("delivery", () => {
  const stateAfter = async (events: readonly AnyEvent[], world = waiting()) =>
    (await playSessionEvents([policy], events, world)).state;

  it("resumes the session at the start and keeps the hand-over until the run does something", async () => {
    expect(await stateAfter([start("startup")], waiting({ killRequested: true, overflowed: true }))).toMatchObject({
      lifecycle: "resuming",
      killRequested: false,
      overflowed: false,
      dehydratedContext: HANDOVER,
      handoverGivenTo: SESSION,
    });
    const done = await stateAfter([start("startup"), bash("ls")]);
    expect(done).toMatchObject({ lifecycle: "active" });
    expect(done).not.toHaveProperty("dehydratedContext");
    expect(done).not.toHaveProperty("handoverGivenTo");
    expect(done).not.toHaveProperty("restartPrompt");
  });

  it("resumes a session that restarts with nothing to hand over, and no other", async () => {
    expect(await stateAfter([start("startup")], worldInSession({ lifecycle: "restarting" }))).toMatchObject({
      lifecycle: "resuming",
    });
    expect(await stateAfter([start("startup")], worldInSession({ killRequested: true }))).toMatchObject({
      lifecycle: "resuming",
      killRequested: false,
    });
    expect(await stateAfter([start("startup")], worldInSession())).toMatchObject({ lifecycle: "active" });
  });

  it("is not done by a run that was never given it", async () => {
    for (const run of [bash("ls"), { ...bash("ls"), session: "" }])
      expect(await stateAfter([run])).toMatchObject({ lifecycle: "restarting", dehydratedContext: HANDOVER });
  });

  it("leaves the document behind, marked", async () => {
    const sandbox = createSandbox([policy], waiting());
    for (const event of [start("startup"), bash("ls")]) await sandbox.send(event);
    expect(mirrorOf(sandbox.db, FILE)?.content).toMatch(/^# Hand-over\n\n\*\*Delivered\*\*: 2026-01-02T03:04:05/);
    expect(mirrorOf(sandbox.db, FILE)?.content).toContain("Half the form is done.");
    sandbox.close();
  });

  it("stays open when there was no room for a word of it", async () => {
    const state = await stateAfter([start("startup")], {
      ...waiting({ lifecycle: "active" }),
      contextBudget: { start: 10, tool: 10 },
    } as never);
    expect(state).toMatchObject({ dehydratedContext: HANDOVER });
    expect(state).not.toHaveProperty("handoverGivenTo");
  });

  it("notes that the prompt which goes on has come", async () => {
    expect(await stateAfter([start("startup"), prompt("something else")])).toHaveProperty("restartPrompt");
    expect(await stateAfter([start("startup"), prompt("go on")])).not.toHaveProperty("restartPrompt");
  });

  it("gives every required file its share of the room", async () => {
    const files = Object.fromEntries(
      ["a", "b", "c"].map((name) => [`${PROJECT}/${name}.md`, `${name} `.repeat(20_000)]),
    );
    const { sent } = await playSessionEvents(
      [policy],
      [start("startup")],
      waiting({ dehydratedContext: { ...HANDOVER, requiredFiles: Object.keys(files) } }, files),
    );
    const text = sent[0]?.ruling.notes[0]?.text ?? "";
    for (const name of ["a", "b", "c"]) expect(text).toContain(`${name} ${name} ${name}`);
    expect(text).toContain(`read ${PROJECT}/c.md for the rest`);
    expect(text.length).toBeLessThanOrEqual(6_000);
  });
});
