import { describe, expect, it } from "vitest";
import { aRun, runsIn, withRuns } from "../../domain/mode/mode.samples.ts";
import { answer, given, taken, typed } from "../../domain/mode/typed-meanwhile/transcript-queue.samples.ts";
import { SESSION, stop } from "../../testing/events.ts";
import { createSandbox } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./typed-meanwhile.ts";
import ultrawork from "./ultrawork.ts";

const TRANSCRIPT = "/home/dev/.claude/projects/app/s.jsonl";
const run = aRun("ultrawork", { round: 3 });
const stopped = (more = {}) => stop({ transcript_path: TRANSCRIPT, ...more });
const world = (...lines: readonly string[]) => ({
  ...withRuns(run),
  files: { [TRANSCRIPT]: [answer("Half."), ...lines].join("\n") },
});

testPolicy(policy, {
  hit: [
    { name: "a typed skill waits", event: stopped(), ...world(typed("/cancel")), says: "release", message: "waits" },
    { name: "plain text waits", event: stopped(), ...world(typed("what now?")), says: "release", message: "waits" },
    {
      name: "another one waits than at the stop before",
      event: stopped(),
      ...world(typed("a"), taken("dequeue"), typed("/cancel", 2)),
      says: "release",
      message: "waits",
    },
    {
      name: "the model was given a cancellation",
      event: stopped(),
      ...world(given("cancelomc")),
      says: "release",
      message: "cancelled",
      also: [{ says: "notice", message: "cancelled" }],
    },
    {
      name: "of this mode alone",
      event: stopped(),
      ...world(given("please stop ultrawork")),
      says: "release",
      message: "cancelled",
      text: "ultrawork",
      also: [{ says: "notice", message: "cancelled" }],
    },
  ],
  pass: [
    { name: "nothing was typed", event: stopped(), ...world() },
    { name: "what was typed is taken out", event: stopped(), ...world(typed("/cancel"), taken("dequeue")) },
    { name: "the report of a background agent", event: stopped(), ...world(typed("<task-notification>x")) },
    { name: "the model was given other words", event: stopped(), ...world(given("also fix the form")) },
    { name: "of another mode", event: stopped(), ...world(given("cancel ralph")) },
    { name: "of a run before this one", event: stopped(), ...world(given("cancelomc", {}, -120)) },
    { name: "that the hooks heard", event: stopped(), ...world(given("cancelomc", { delivery_id: "d" })) },
    { name: "no mode", event: stopped(), files: { [TRANSCRIPT]: typed("/cancel") } },
    { name: "no transcript", event: stop(), ...withRuns(run) },
    { name: "a subagent", event: stopped({ agent_id: "a-1" }), ...world(typed("/cancel")) },
  ],
});

describe("with a mode that holds stops", () => {
  const outcomes = async (lines: readonly string[], stops: number) => {
    const sandbox = createSandbox([policy, ultrawork], world(...lines));
    const seen: string[] = [];
    for (let i = 0; i < stops; i++) seen.push((await sandbox.send(stopped())).ruling.outcome);
    const runs = runsIn(sandbox.db);
    const left = runs.of(SESSION).map(({ mode, round }) => `${mode} ${round}`);
    const ended = runs.history().map(({ mode, outcome }) => `${mode}: ${outcome}`);
    sandbox.close();
    return { seen, left, ended };
  };

  it("a prompt that waits lets one stop pass, which is no round, and the mode stays", async () => {
    // It is still there at the next stop only if the agent has lost it.
    expect(await outcomes([typed("/cancel")], 2)).toEqual({ seen: ["pass", "hold"], left: ["ultrawork 4"], ended: [] });
  });

  it("a cancellation ends the mode, once", async () => {
    expect(await outcomes([given("cancelomc")], 2)).toEqual({
      seen: ["pass", "pass"],
      left: [],
      ended: ["ultrawork: cancelled"],
    });
  });

  it("a cancellation that was heard does not end the same run when it is resumed", async () => {
    const sandbox = createSandbox([policy, ultrawork], world(given("cancel ultrawork")));
    await sandbox.send(stopped());
    expect(runsIn(sandbox.db).of(SESSION)).toEqual([]);
    runsIn(sandbox.db).save(run);
    expect((await sandbox.send(stopped())).ruling.outcome).toBe("hold");
    expect(runsIn(sandbox.db).of(SESSION)).toHaveLength(1);
    sandbox.close();
  });
});
