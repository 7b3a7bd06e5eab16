import { describe, expect, it } from "vitest";
import type { AnyEvent } from "../../core/event.ts";
import {
  bash,
  bySubagent,
  call,
  edit,
  noSession,
  playSessionEvents,
  read,
  TRANSCRIPT,
  worldInSession,
} from "../../domain/session/session.samples.ts";
import { PROJECT, prompt } from "../../testing/events.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./overflow.ts";

const full = { says: "deny", message: "full" } as const;
const restart = { contextPolicy: "restart" } as const;
const answer = (tokens: number): string =>
  `${JSON.stringify({ type: "assistant", message: { usage: { input_tokens: tokens } } })}\n`;
/** A session whose transcript reports this number of used tokens, of 200,000. */
const at = (tokens: number, fields: object = {}) => ({
  ...worldInSession(fields, { [TRANSCRIPT]: answer(tokens) }),
  ...restart,
});
const late = (tokens: number) => {
  const world = at(tokens);
  return { ...world, env: { ...world.env, DISABLE_AUTO_COMPACT: "1" } };
};
const work = (): AnyEvent => edit(`${PROJECT}/a.ts`);
const skill = (name: string): AnyEvent => call("Skill", { skill: name, args: "restart" });

testPolicy(policy, {
  hit: [
    {
      name: "at 76 %",
      event: work(),
      ...at(152_000),
      ...full,
      text: "Edit was not run, because the context is 76 % full",
    },
    {
      name: "the text names the skill by its full name",
      event: work(),
      ...at(160_000),
      ...full,
      text: "hookwright:dehydrate",
    },
    { name: "the text names the command", event: work(), ...at(160_000), ...full, text: "engine session dehydrate" },
    { name: "a shell command", event: bash("make"), ...at(160_000), ...full, text: "Bash was not run, because" },
    { name: "reading", event: read(`${PROJECT}/a.ts`), ...at(160_000), ...full },
    {
      name: "a hand-over with something else in the line",
      event: bash("engine session dehydrate; make"),
      ...at(160_000),
      ...full,
    },
    { name: "another skill", event: skill("implement"), ...at(160_000), ...full },
    { name: "a skill whose name only ends alike", event: skill("other:dehydrate"), ...at(160_000), ...full },
    { name: "95 % where nothing compacts by itself", event: work(), ...late(190_000), ...full, text: "95 %" },
    { name: "sticky: another program says less by now", event: work(), ...at(10, { overflowed: true }), ...full },
    {
      name: "what another program wrote, where the agent says nothing",
      event: work(),
      ...worldInSession({ contextUsage: 0.8 }),
      ...restart,
      ...full,
      text: "80 %",
    },
    { name: "a session that resumes", event: work(), ...at(160_000, { lifecycle: "resuming" }), ...full },
    { name: "while it is loading", event: work(), ...at(160_000, { loading: true }), ...full },
  ],
  pass: [
    { name: "75 %", event: work(), ...at(151_000) },
    { name: "90 % where nothing compacts by itself", event: work(), ...late(180_000) },
    { name: "preserve, however full it is", event: work(), ...at(199_000), contextPolicy: "preserve" },
    {
      name: "preserve, although it overflowed before",
      event: work(),
      ...at(10, { overflowed: true }),
      contextPolicy: "preserve",
    },
    { name: "no session", event: work(), ...noSession, files: { [TRANSCRIPT]: answer(199_000) }, ...restart },
    { name: "a closed session", event: work(), ...at(199_000, { lifecycle: "completed" }) },
    { name: "a prompt without a session", event: prompt("go on"), ...noSession, ...restart },
    { name: "the skill", event: skill("hookwright:dehydrate"), ...at(160_000) },
    { name: "the skill by its bare name", event: skill("dehydrate"), ...at(160_000) },
    { name: "the skill that goes on", event: skill("hookwright:session"), ...at(160_000) },
    { name: "the command itself", event: bash("engine session dehydrate <<'E'\n{}\nE"), ...at(160_000) },
    { name: "a log", event: bash("engine log sessions/X/L.md <<'E'\n## a\nE"), ...at(160_000) },
    { name: "the long form", event: bash("hookwright session restart"), ...at(160_000) },
    { name: "while it is handed over", event: work(), ...at(160_000, { lifecycle: "dehydrating" }) },
    { name: "while it waits for its end", event: work(), ...at(160_000, { killRequested: true }) },
    { name: "after the skill was used", after: [skill("dehydrate")], event: work(), ...at(160_000) },
    {
      name: "a subagent, which has a context of its own",
      event: bySubagent("Edit", { file_path: "/a" }),
      ...at(160_000),
    },
    { name: "nothing says how full it is", event: work(), ...worldInSession(), ...restart },
    {
      name: "a transcript that cannot be understood",
      event: work(),
      ...worldInSession({}, { [TRANSCRIPT]: "{\n" }),
      ...restart,
    },
  ],
});

describe("an overflow", () => {
  it("stays in the session's state, with how full it was", async () => {
    const { state } = await playSessionEvents([policy], [work()], at(160_000));
    expect(state).toMatchObject({ overflowed: true, contextUsage: 0.8, lifecycle: "active" });
  });

  it("ends with the hand-over: the session counts as being handed over", async () => {
    const { state, sent } = await playSessionEvents(
      [policy],
      [work(), skill("hookwright:dehydrate"), work()],
      at(160_000),
    );
    expect(state).toMatchObject({ overflowed: true, lifecycle: "dehydrating" });
    expect(sent.map(({ ruling }) => ruling.outcome)).toEqual(["deny", "pass", "pass"]);
  });

  it("is not forgotten when the person goes on instead", async () => {
    const events = [work(), skill("dehydrate"), prompt("never mind, go on"), work()];
    const { state, sent } = await playSessionEvents([policy], events, at(160_000));
    expect(state).toMatchObject({ overflowed: true, lifecycle: "active" });
    expect(sent.at(-1)?.ruling.outcome).toBe("deny");
  });

  it("goes on when only a machine spoke", async () => {
    const notice = prompt("<task-notification>done</task-notification>");
    const { state } = await playSessionEvents([policy], [work(), skill("dehydrate"), notice], at(160_000));
    expect(state).toMatchObject({ lifecycle: "dehydrating" });
  });

  it("writes nothing while there is room", async () => {
    const { state } = await playSessionEvents([policy], [work(), work()], at(1_000));
    expect(state).toMatchObject({ pid: 4242, lifecycle: "active" });
    expect(state).not.toHaveProperty("overflowed");
  });
});
