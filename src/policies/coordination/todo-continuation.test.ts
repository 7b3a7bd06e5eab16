import { describe, expect, it } from "vitest";
import type { AnyEvent, JsonObject } from "../../core/event.ts";
import { aRun, runsIn, withRuns } from "../../domain/mode/mode.samples.ts";
import { project } from "../../domain/plan/plan.samples.ts";
import { completesTask, createsTask, updatesTask, writesTodos } from "../../domain/tasks/tasks.samples.ts";
import { prompt, stop } from "../../testing/events.ts";
import { FAKE_NOW } from "../../testing/fake-ports.ts";
import { createSandbox, type SandboxOptions } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import ultrawork from "../modes/ultrawork.ts";
import stopGuard from "../plan/stop-guard.ts";
import policy from "./todo-continuation.ts";

const always = { options: { todos: "always" } };
const A = createsTask("1", "write the test");
const held = { event: stop(), says: "hold", message: "open", ...always } as const;
const passes = { event: stop(), ...always } as const;
const person = (text: string, more: JsonObject = {}): AnyEvent => prompt(text, { source: "user", ...more });
const OTHER = { session_id: "99999999-2222-3333-4444-555555555555" };
const stale = aRun("ultrawork", { seenAt: FAKE_NOW - 80 * 3_600_000 });

testPolicy(policy, {
  hit: [
    { name: "a task is open", after: [A], ...held, text: "This session has 1 open task: write the test." },
    { name: "a task is in progress", after: [A, updatesTask("1", "in_progress")], ...held },
    { name: "a todo is open", after: [writesTodos(["fix it pending"])], ...held, text: "1 open task: fix it" },
    { name: "once more after the next prompt", after: [A, stop(), person("go on")], ...held },
    {
      name: "a prompt of the machine in between",
      after: [A, prompt("<task-notification>x</task-notification>")],
      ...held,
    },
    { name: "a mode that is paused", after: [A], ...held, ...withRuns(aRun("ultrawork", { status: "paused" })) },
    { name: "a mode that nobody has seen for days", after: [A], ...held, ...withRuns(stale) },
    {
      name: "a plan of which every task is complete",
      after: [A],
      beside: [stopGuard],
      ...held,
      ...project({ hooks: "stop_guard: true", statuses: ["complete"] }),
    },
    { name: "an open plan for which no stop is held", after: [A], ...held, ...project({ hooks: "stop_guard: true" }) },
  ],
  pass: [
    { name: "nothing was listed", ...passes },
    { name: "the second stop", after: [A, stop()], ...passes },
    {
      name: "a prompt of the machine after the held stop",
      after: [A, stop(), prompt("<task-notification>x</task-notification>")],
      ...passes,
    },
    { name: "modes alone, and none is on", after: [A], event: stop() },
    { name: "switched off", after: [A], event: stop(), options: { todos: "off" } },
    { name: "all is completed", after: [A, updatesTask("1", "completed")], ...passes },
    { name: "all is completed by its event", after: [A, completesTask("1", "write the test")], ...passes },
    { name: "all is deleted", after: [A, updatesTask("1", "deleted")], ...passes },
    { name: "a task of another session", after: [createsTask("1", "x", OTHER)], ...passes },
    { name: "todos of another session", after: [writesTodos(["x pending"], OTHER)], ...passes },
    { name: "a subagent stops", after: [A], ...passes, event: stop({ agent_id: "a1", agent_type: "x" }) },
    {
      name: "it asks the person",
      after: [A],
      ...passes,
      event: stop({ last_assistant_message: "NEEDS_INPUT: which?" }),
    },
    { name: "a mode holds, and names them itself", after: [A], ...passes, ...withRuns(aRun("ultrawork")) },
    {
      name: "a plan holds the stop",
      after: [A],
      beside: [stopGuard],
      ...passes,
      ...project({ hooks: "stop_guard: true" }),
    },
  ],
});

async function stopsOf(events: readonly AnyEvent[], options: SandboxOptions = {}) {
  const sandbox = createSandbox([policy, ultrawork], { ...withRuns(aRun("ultrawork")), ...options });
  try {
    const texts: string[] = [];
    for (const event of events) {
      const { ruling } = await sandbox.send(event);
      if (event.name === "turn.stop") texts.push(ruling.outcome === "hold" ? ruling.reason : "");
    }
    return { texts, runs: runsIn(sandbox.db).all().length };
  } finally {
    sandbox.close();
  }
}
const done = stop({ last_assistant_message: "ULTRAWORK_COMPLETE" });

describe("with a mode", () => {
  it("its text names the open tasks", async () => {
    const { texts } = await stopsOf([A, stop()]);
    expect(texts).toEqual([expect.stringContaining("This session has 1 open task: write the test.")]);
  });
  it("its completion line over open tasks is held once", async () => {
    const { texts, runs } = await stopsOf([A, done, done]);
    expect(texts).toEqual([
      expect.stringContaining("Its completion line was given, but this session has 1 open task"),
      "",
    ]);
    expect(runs).toBe(0);
  });
  it("its completion line ends it when all is complete", async () => {
    const { texts, runs } = await stopsOf([A, updatesTask("1", "completed"), done]);
    expect([texts, runs]).toEqual([[""], 0]);
  });
  it("nothing is named when it is switched off", async () => {
    const { texts } = await stopsOf([A, stop(), done], { options: { todos: "off" } });
    expect(texts[0]).not.toContain("open task");
    expect(texts[1]).toBe("");
  });
});
