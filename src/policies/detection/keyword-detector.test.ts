import { describe, expect, it } from "vitest";
import type { AnyEvent, JsonObject } from "../../core/event.ts";
import { hasDeferred } from "../../domain/mode/apply-prompt.ts";
import { aRun, runsIn, withRuns } from "../../domain/mode/mode.samples.ts";
import type { ModeName } from "../../domain/mode/modes.ts";
import { claudeEvent, prompt, SESSION, stop } from "../../testing/events.ts";
import { createSandbox, type SandboxOptions } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import modeRegistry from "../modes/mode-registry.ts";
import ultrawork from "../modes/ultrawork.ts";
import promptGate from "../session/prompt-gate.ts";
import policy from "./keyword-detector.ts";

const told = { says: "notice", message: "told" } as const;
/** The person is told, and the model learns how the mode works. */
const begun = { ...told, also: [{ says: "note", message: "guide" }] } as const;
const advised = { says: "note", message: "guide" } as const;
const machine = (text: string) => prompt(text, { source: "task-notification" });
const expanded = (name: string, args: string): AnyEvent =>
  claudeEvent({
    hook_event_name: "UserPromptExpansion",
    expansion_type: "slash_command",
    command_name: name,
    command_args: args,
    command_source: "plugin",
    prompt: `/${name} ${args}`,
  });
const closedGate = { beside: [promptGate], options: { required: "always" } };

testPolicy(policy, {
  hit: [
    { name: "the name of a mode", event: prompt("ralph: fix the login"), ...begun, text: "ralph" },
    { name: "a typed skill", event: prompt("/ralph fix the login"), ...begun },
    { name: "a typed skill of the plugin", event: prompt("/omc:ultrawork fix the login"), ...begun },
    { name: "a phrase that leads", event: prompt("Build me a parser"), ...begun, text: 'Started by "Build me"' },
    {
      name: "a phrase that leads nothing",
      event: prompt("My wife thinks this could build me a following, add a share button."),
      ...told,
      text: "did not start autopilot",
    },
    {
      name: "while the session gate is closed",
      event: prompt("ultrawork: fix the login"),
      ...closedGate,
      says: "notice",
      message: "waits",
      text: "starts as soon as a session is active",
      also: [{ says: "note", message: "guide" }],
    },
    {
      name: "a phrase where phrases only suggest",
      event: prompt("Build me a parser"),
      options: { phrases: "suggest" },
      ...told,
      text: "/autopilot does",
    },
    {
      name: "only the name of a mode, after a request",
      after: [prompt("fix the login")],
      event: prompt("ultrawork"),
      ...begun,
    },
    { name: "only the name of a mode", event: prompt("ultrawork"), ...told, text: "was not started: write what" },
    {
      name: "a mode that another one excludes",
      event: prompt("ultraqa: fix the tests"),
      ...withRuns(aRun("ralph")),
      ...begun,
      text: "Type /cancel ralph first",
    },
    {
      name: "a cancellation",
      event: prompt("cancelomc"),
      ...withRuns(aRun("ultrawork", { round: 3 })),
      ...begun,
      text: "Cancelled: ultrawork (after 3 rounds)",
    },
    { name: "a typed cancellation", event: prompt("/cancel"), ...withRuns(aRun("ultrawork")), ...begun },
    {
      name: "a cancellation of one mode",
      event: prompt("ultrawork cancel"),
      ...withRuns(aRun("ultrawork")),
      ...begun,
      text: "Cancelled: ultrawork",
    },
    { name: "a cancellation without a mode", event: prompt("stopomc"), ...begun, text: "nothing to cancel" },
    { name: "a resumption of nothing", event: prompt("ralph resume"), ...told, text: "no interrupted mode" },
    {
      name: "a resumption",
      event: prompt("ultrawork resume"),
      ...withRuns(aRun("ultrawork", { status: "detached", session: "gone" })),
      ...begun,
    },
    { name: "a way to work", event: prompt("Fix it, tdd please"), ...advised, text: "failing test first" },
    { name: "another way to work", event: prompt("ralplan the new storage layer"), ...advised, text: "a critic" },
  ],
  pass: [
    { name: "a question about a mode", event: prompt("What is ralph?") },
    { name: "a report about a mode", event: prompt("ralph keeps looping, investigate it.") },
    { name: "a mode that is to be mended", event: prompt("Fix the bug in autopilot mode") },
    { name: "somebody of that name", event: prompt("Ralph said that the build is red") },
    { name: "a negation", event: prompt("Do not use ralph for this") },
    { name: "everyday words", event: prompt("Make the pipeline more efficient within the budget") },
    { name: "code", event: prompt("Rename it:\n```\nralph: fix the login\n```") },
    { name: "a path", event: prompt("Read src/ralph/autopilot.ts") },
    { name: "pasted text", event: prompt("<pasted_content>ralph: fix the login</pasted_content>\nWhat does it say?") },
    { name: "a prompt that a machine wrote", event: machine("ralph: fix the login") },
    { name: "a notification", event: prompt("<task-notification>ralph: fix it</task-notification>") },
    { name: "an empty prompt", event: prompt(" \n\t ") },
    { name: "a phrase where phrases are off", event: prompt("Build me a parser"), options: { phrases: "off" } },
    { name: "a skill of somebody else", event: prompt("/review ralph") },
    { name: "an everyday cancellation without that mode", event: prompt("Stop the pipeline") },
    { name: "the second event of a typed skill", event: expanded("omc:ralph", "fix the login") },
  ],
});

/** The modes that are on after these events, with their requests. */
async function modesAfter(events: readonly AnyEvent[], options: SandboxOptions = {}, policies = [policy]) {
  const sandbox = createSandbox(policies, options);
  try {
    for (const event of events) await sandbox.send(event);
    return Object.fromEntries(
      runsIn(sandbox.db)
        .all()
        .map(({ mode, request }) => [mode, request]),
    );
  } finally {
    sandbox.close();
  }
}

describe("what is started", () => {
  const typed = (more: JsonObject = {}) => prompt("/omc:ultrawork fix the login", { prompt_id: "p1", ...more });

  it("one prompt may name several modes", async () => {
    expect(await modesAfter([prompt("ralph ultrawork: fix the login")])).toMatchObject({ ralph: "fix the login" });
  });

  it("ralph brings ultrawork along, unless ecomode was asked for", async () => {
    expect(Object.keys(await modesAfter([prompt("ralph: fix the login")])).sort()).toEqual(["ralph", "ultrawork"]);
    expect(Object.keys(await modesAfter([prompt("ralph ecomode: fix the login")])).sort()).toEqual([
      "ecomode",
      "ralph",
    ]);
  });

  it("a typed skill is one start, whichever of its two events comes first", async () => {
    const expansion = expanded("omc:ultrawork", "fix the login");
    expect(await modesAfter([typed(), expansion])).toEqual({ ultrawork: "fix the login" });
    expect(await modesAfter([expansion, typed()])).toEqual({ ultrawork: "fix the login" });
  });

  it("a typed cancellation is not lifted by its own second event", async () => {
    const events = [prompt("ultrawork: fix the login"), expanded("omc:cancel", ""), prompt("/omc:cancel")];
    expect(await modesAfter(events)).toEqual({});
    expect(await modesAfter([events[0], events[2], events[1]] as AnyEvent[])).toEqual({});
  });

  it("a name alone takes the request before, and not one that a machine wrote", async () => {
    expect(await modesAfter([prompt("fix the login"), prompt("ultrawork")])).toEqual({ ultrawork: "fix the login" });
    expect(await modesAfter([machine("fix the login"), prompt("ultrawork")])).toEqual({});
  });

  it("a name alone takes the request that another mode was given before, also a refused or cancelled one", async () => {
    const login = prompt("ultraqa: fix the login");
    expect(await modesAfter([login, prompt("cancelomc"), prompt("ultrawork")])).toEqual({ ultrawork: "fix the login" });
    const refused = [prompt("autopilot: fix the login"), prompt("ultrapilot: port the scripts"), prompt("ultrawork")];
    expect(await modesAfter(refused)).toMatchObject({ ultrawork: "port the scripts" });
  });

  it("nobody else's session is touched", async () => {
    const sandbox = createSandbox([policy], withRuns(aRun("ultrawork", { session: "another" })));
    await sandbox.send(prompt("cancelomc"));
    expect(runsIn(sandbox.db).of("another")).toHaveLength(1);
    expect(runsIn(sandbox.db).of(SESSION)).toHaveLength(0);
    sandbox.close();
  });

  it.each([
    ["autopilot", "ultrapilot"],
    ["ultrapilot", "pipeline"],
    ["pipeline", "autopilot"],
    ["ralph", "ultraqa"],
  ] satisfies [ModeName, ModeName][])("%s keeps %s out", async (first, second) => {
    const wish: Partial<Record<ModeName, string>> = { pipeline: "/pipeline review the parser" };
    const on = await modesAfter([prompt(wish[first] ?? `/${first} fix the login`), prompt(`/${second} tests`)]);
    expect(Object.keys(on)).toContain(first);
    expect(Object.keys(on)).not.toContain(second);
  });
});

describe("a cancellation", () => {
  it("ends the holds of all modes at once", async () => {
    const sandbox = createSandbox([policy, modeRegistry, ultrawork]);
    await sandbox.send(prompt("ultrawork: fix the login"));
    expect((await sandbox.send(stop())).ruling.outcome).toBe("hold");
    await sandbox.send(prompt("cancelomc"));
    expect((await sandbox.send(stop())).ruling.outcome).toBe("pass");
    sandbox.close();
  });

  it("counts while the session gate is closed, and takes back the start that waits", async () => {
    const { beside, ...closed } = closedGate;
    const policies = [policy, ...beside];
    const on = { ...closed, ...withRuns(aRun("ultrawork")) };
    expect(await modesAfter([prompt("cancelomc")], on, policies)).toEqual({});
    const sandbox = createSandbox(policies, closed);
    await sandbox.send(prompt("ultrawork: fix the login"));
    expect(hasDeferred(runsIn(sandbox.db), SESSION)).toBe(true);
    await sandbox.send(prompt("cancelomc"));
    expect(hasDeferred(runsIn(sandbox.db), SESSION)).toBe(false);
    sandbox.close();
  });
});
