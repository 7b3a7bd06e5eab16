import { describe, expect, it } from "vitest";
import type { AnyEvent } from "../../core/event.ts";
import { policy as definePolicy } from "../../core/policy.ts";
import { lifecycle } from "../../domain/lifecycle/store.ts";
import { bash, bySubagent } from "../../domain/session/session.samples.ts";
import { openTable } from "../../state/stores.ts";
import { claudeEvent, prompt, SESSION, stop } from "../../testing/events.ts";
import { createSandbox, type SandboxOptions } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./fleet.ts";

const notify = (kind: string, message = "Claude needs your permission"): AnyEvent =>
  claudeEvent({ hook_event_name: "Notification", notification_type: kind, message });
const end = claudeEvent({ hook_event_name: "SessionEnd", reason: "other" });
const failed = claudeEvent({ hook_event_name: "StopFailure", error: "rate_limit" });
const FLEET = { env: { TMUX: "/tmp/tmux-1000/fleet,1,0", TMUX_PANE: "%3" } };
const terminal = { options: { sinks: ["terminal"] } };

testPolicy(policy, {
  hit: [
    {
      name: "a permission prompt",
      event: notify("permission_prompt"),
      ...terminal,
      says: "notice",
      message: "needed",
      text: "needs your permission",
    },
    {
      name: "a dialog",
      event: notify("elicitation_dialog", ""),
      ...terminal,
      says: "notice",
      message: "needed",
      text: "needs an answer",
    },
  ],
  pass: [
    { name: "a permission prompt that only tmux shows", event: notify("permission_prompt") },
    { name: "an idle prompt", event: notify("idle_prompt"), ...terminal },
    { name: "a notification of another kind", event: notify("auth_success"), ...terminal },
    { name: "a call", event: bash("ls"), ...FLEET },
  ],
});

/** The activity after these events, and the display jobs. */
async function shownAfter(
  events: readonly AnyEvent[],
  world: SandboxOptions,
  others: Parameters<typeof createSandbox>[0] = [],
) {
  const sandbox = createSandbox([policy, ...others], world);
  try {
    for (const event of events) await sandbox.send(event);
    const jobs = sandbox.db.all("SELECT args FROM jobs WHERE name = 'session/show-activity' ORDER BY id");
    const store = lifecycle.open(openTable(sandbox.db, `session:claude-code:${SESSION}`, lifecycle.name));
    return {
      activity: store.activity(),
      shown: jobs.map((row) => JSON.parse(String(row.args)) as Record<string, string>),
    };
  } finally {
    sandbox.close();
  }
}

describe("what is shown", () => {
  it.each([
    ["working", prompt("go")],
    ["working", bash("ls")],
    ["attention", notify("permission_prompt")],
    ["attention", notify("elicitation_dialog")],
    ["idle", notify("idle_prompt")],
    ["done", stop()],
    ["done", end],
    ["error", failed],
  ])("%s", async (activity, event) => {
    const { shown, ...rest } = await shownAfter([event], FLEET);
    expect(rest.activity).toBe(activity);
    expect(shown).toEqual([{ agent: "claude-code", session: SESSION, activity, desktop: "" }]);
  });

  it("is asked for once as long as nothing changes", async () => {
    const events = [prompt("go"), bash("a"), bash("b"), notify("permission_prompt"), bash("c"), stop()];
    const { shown } = await shownAfter(events, FLEET);
    expect(shown.map(({ activity }) => activity)).toEqual(["working", "attention", "working", "done"]);
  });

  it("is nothing outside a fleet, though it is known", async () => {
    const ordinary = { env: { TMUX: "/tmp/tmux-1000/default,1,0", TMUX_PANE: "%3" } };
    for (const world of [ordinary, {}, { ...FLEET, options: { sinks: [] } }]) {
      expect(await shownAfter([notify("permission_prompt")], world)).toEqual({ activity: "attention", shown: [] });
    }
  });

  it("goes to the desktop for what somebody should know, if so configured", async () => {
    const world = { options: { sinks: ["desktop"] } };
    const { shown } = await shownAfter([prompt("go"), notify("permission_prompt"), stop()], world);
    expect(shown.map(({ desktop }) => desktop)).toEqual([
      "The agent in /home/dev/app needs an answer.",
      "The agent in /home/dev/app is done.",
    ]);
  });

  it("does not change with what a subagent does, nor with a kind of notification that says nothing", async () => {
    expect(
      await shownAfter([stop(), bySubagent("Bash", { command: "ls" }), notify("auth_success")], FLEET),
    ).toMatchObject({ activity: "done" });
  });

  it("is still working when the stop is held", async () => {
    const holding = definePolicy({
      id: "session/holding",
      summary: "",
      why: "",
      stage: "session",
      messages: { wait: "wait" },
      examples: { hit: ["a stop"], pass: ["`ls`"] },
      on: { "turn.stop": (_event, ctx) => ctx.hold("wait", {}, { exit: "none" }) },
    });
    expect((await shownAfter([prompt("go"), stop()], FLEET, [holding])).activity).toBe("working");
    expect((await shownAfter([prompt("go"), stop()], FLEET)).activity).toBe("done");
  });

  it("is an error when the context overflowed, and nothing else that is denied is one", async () => {
    const denying = (id: string) =>
      definePolicy({
        id,
        summary: "",
        why: "",
        stage: "overflow",
        messages: { no: "no" },
        examples: { hit: ["a call"], pass: ["`ls`"] },
        on: { "tool.before": (_event, ctx) => ctx.deny("no") },
      });
    expect((await shownAfter([bash("ls")], FLEET, [denying("session/overflow")])).activity).toBe("error");
    expect((await shownAfter([bash("ls")], FLEET, [denying("session/other")])).activity).toBe("working");
  });
});
