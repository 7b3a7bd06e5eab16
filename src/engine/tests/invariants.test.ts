/**
 * What holds whatever is on: every shipped policy in force, in a project that uses all five systems, over recorded payloads
 * of the client. `npm run check:long` takes every payload, and spoils each file by itself.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { IS_LONG } from "../../../test/support/long.ts";
import type { AnyEvent } from "../../core/event.ts";
import type { Policy } from "../../core/policy.ts";
import { packsOf } from "../../core/settings/profiles.ts";
import { aRun, withRuns } from "../../domain/mode/mode.samples.ts";
import type { ModeName } from "../../domain/mode/modes.ts";
import { TITLE } from "../../domain/plan/plan.samples.ts";
import { claudeEvent, prompt, SESSION, shell, stop, toolBefore } from "../../testing/events.ts";
import { eventOfExample } from "../../testing/examples.ts";
import type { FakeFile } from "../../testing/fake-ports.ts";
import { createSandbox, type SandboxOptions, type Sent } from "../../testing/sandbox.ts";
import { allFive, everyPolicy, FILES, goldenEvents } from "./every-pack.samples.ts";

const OTHER = "99999999-2222-3333-4444-555555555555";

let policies: Policy[];
beforeAll(async () => {
  policies = await everyPolicy();
});

async function play(events: readonly AnyEvent[], world: SandboxOptions = allFive()): Promise<Sent[]> {
  const sandbox = createSandbox(policies, world);
  try {
    const sent: Sent[] = [];
    for (const event of events) sent.push(await sandbox.send(event));
    return sent;
  } finally {
    sandbox.close();
  }
}

const eventsOf = (session: string): AnyEvent[] => goldenEvents(session).map(([, event]) => event);

/** Calls that some policy stops, counts or remembers. */
const probes = (session: string, request = "ultrawork: fix the login"): AnyEvent[] => {
  const own = { session_id: session };
  const runs = (command: string): AnyEvent => toolBefore("Bash", { command }, own);
  return [
    prompt(request, own),
    runs("rm -rf src"),
    runs("git stash"),
    runs("ntm kill fleet"),
    toolBefore("Agent", { prompt: "p", subagent_type: "scrum-master" }, own),
    stop(own),
    prompt("/cancel", own),
    stop(own),
  ];
};

it("no call and no permission is approved by anything but the person's own list", async () => {
  const sent = await play([...eventsOf(SESSION), ...probes(SESSION)]);
  for (const { reply } of sent) expect(reply.stdout).not.toMatch(/"(?:permissionDecision|behavior)": ?"allow"/);
  expect(sent.filter(({ ruling }) => ruling.outcome === "deny").length).toBeGreaterThanOrEqual(4);
});

it("every denial names its policy and says whether a retry helps", async () => {
  const examples = policies.flatMap(({ examples: { hit } }) => hit.flatMap((one) => eventOfExample(one) ?? []));
  const denied = (await play(examples)).filter(({ ruling }) => ruling.outcome === "deny");
  expect(new Set(denied.map(({ ruling }) => ruling.policy)).size).toBeGreaterThanOrEqual(6);
  for (const { ruling } of denied) {
    expect(ruling.reason).toContain(`[${ruling.policy}`);
    expect(ruling.reason).toMatch(
      /A retry will not help|One retry|Retry after|Trying the same call|The same call may be/,
    );
  }
});

describe("a turn that a fleet, a plan and a mode hold", () => {
  const held = (): SandboxOptions => ({ ...allFive(), ...withRuns(aRun("ultrawork")) });
  const again = stop({ stop_hook_active: true });

  it("goes on without a call three times at most", async () => {
    const sent = await play([prompt("go on"), shell("ls"), stop(), again, again, again, again], held());
    expect(sent.slice(2).map(({ ruling }) => ruling.outcome)).toEqual(["hold", "hold", "hold", "pass", "pass"]);
  });

  it("ends at once when the person cancels, and says what is left to the person alone", async () => {
    const sent = await play([prompt("go on"), shell("ls"), stop(), prompt("/cancel"), again], held());
    const [first, last] = [sent[2]?.ruling, sent.at(-1)?.ruling];
    expect([first?.outcome, last?.outcome]).toEqual(["hold", "pass"]);
    expect(last?.notes).toEqual([]);
    expect(last?.notices.map(({ text }) => text).join()).toContain("the work was cancelled");
  });

  it("is told the fleet first, then the plan, then the mode, in one text", async () => {
    const { ruling, reply } = (await play([prompt("go on"), shell("ls"), stop()], held())).at(-1) as Sent;
    const order = ["[ntm/active-session]", "[plan/stop-guard]", "[modes/ultrawork]"];
    const places = order.map((id) => ruling.reason.indexOf(id));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
    expect(JSON.parse(reply.stdout)).toMatchObject({ decision: "block" });
  });

  it("is continued by context, and not by a block, where nothing but the mode holds it", async () => {
    const { reply } = (await play([prompt("go on"), shell("ls"), stop()], withRuns(aRun("ultrawork")))).at(-1) as Sent;
    const { decision, hookSpecificOutput } = JSON.parse(reply.stdout);
    expect(decision).toBeUndefined();
    expect(hookSpecificOutput.additionalContext).toContain("[modes/ultrawork]");
  });
});

it.each<[ModeName, ModeName]>([
  ["ralph", "autopilot"],
  ["ralph", "swarm"],
  ["autopilot", "ultraqa"],
  ["swarm", "ultraqa"],
  ["ultraqa", "ultrawork"],
  ["ultraqa", "ecomode"],
])("of two modes that hold a stop, %s is told before %s", async (first, second) => {
  const run = (mode: ModeName) => aRun(mode, mode === "swarm" ? { details: { agent_count: 2 } } : {});
  const [sent] = await play([stop()], withRuns(run(second), run(first)));
  expect(sent?.ruling.policy).toBe(`modes/${first}`);
});

it("what one session did changes nothing for another one", async () => {
  // A work session and what was set up belong to the project, and are not in this world.
  const { session: _shared, ...rest } = FILES;
  const world = (): SandboxOptions => {
    const { env, ...all } = allFive(Object.assign({}, ...Object.values(rest)));
    return { ...all, env: { ...env, SESSION_REQUIRED: "0" } };
  };
  const about = (session: string): AnyEvent[] => [
    ...goldenEvents(session).flatMap(([name, event]) => (name.startsWith("Setup") ? [] : [event])),
    ...probes(session),
  ];
  const answers = (sent: readonly Sent[]): string[] => sent.map(({ reply }) => reply.stdout);
  const alone = answers(await play(about(OTHER), world()));
  // The first session is still at work, in a mode, when the other one begins.
  const first = [...about(SESSION), prompt("ultrawork: fix the login"), shell("rm -rf src")];
  const after = answers(await play([...first, ...about(OTHER)], world())).slice(first.length);
  expect(after).toEqual(alone);
});

it("a compaction is not blocked, and plan, mode and notes are told after it", async () => {
  const compacts = (trigger: string) =>
    claudeEvent({ hook_event_name: "PreCompact", trigger, custom_instructions: "" });
  const events = [
    compacts("auto"),
    compacts("manual"),
    claudeEvent({ hook_event_name: "SessionStart", source: "compact" }),
  ];
  const sent = await play(events, { ...allFive(), ...withRuns(aRun("ultrawork")) });
  expect(sent.map(({ ruling }) => ruling.outcome)).toEqual(["pass", "pass", "pass"]);
  for (const { reply } of sent) expect([reply.exit, reply.stdout.includes('"decision"')]).toEqual([0, false]);
  const [before, , after] = sent.map(({ reply }) => reply.stdout);
  for (const text of [before, after]) {
    for (const part of [TITLE, "1/3 tasks complete", "ultrawork", "fix the login"]) expect(text).toContain(part);
  }
  expect(after).toContain("Keep the old names.");
});

describe("a spoilt file changes no decision of another system", () => {
  const systems = Object.keys(FILES) as (keyof typeof FILES)[];
  const whole = Object.assign({}, ...Object.values(FILES)) as Record<string, FakeFile>;
  const spoilt = systems.flatMap((system): [string, typeof system, string[]][] => {
    const files = Object.keys(FILES[system]);
    return IS_LONG ? files.map((file) => [file, system, [file]]) : [[`all of ${system}`, system, files]];
  });
  /** Decisions by policy; what is only told may change with what there is to tell. */
  const decisions = (sent: readonly Sent[], packs: ReadonlySet<string>): string[] =>
    sent.flatMap(({ results }, at) =>
      results
        .filter(({ id }) => !packs.has(id.split("/")[0] ?? ""))
        .flatMap(({ id, error, verdicts }) => [
          ...(error === undefined ? [] : [`${at} ${id} failed: ${error}`]),
          ...verdicts.flatMap((one) => (DECIDES.has(one.kind) ? [`${at} ${id} ${one.kind} ${one.text}`] : [])),
        ]),
    );
  const DECIDES = new Set(["deny", "ask", "hold", "release", "approve", "end"]);
  const events = (): AnyEvent[] => [...probes(SESSION, "go on"), ...eventsOf(SESSION)];
  // The mode is on before: one that a prompt starts waits while no work session is open, as it does without any file.
  const withMode = (files: Readonly<Record<string, FakeFile>>): SandboxOptions => ({
    ...allFive(files),
    ...withRuns(aRun("ultrawork")),
  });
  let sound: readonly Sent[];
  beforeAll(async () => {
    sound = await play(events(), withMode(whole));
  }, 60_000);

  it.each(spoilt)("%s", async (_name, system, files) => {
    const packs = packsOf([system], true);
    const expected = decisions(sound, packs);
    expect(expected.length).toBeGreaterThan(5);
    for (const bad of IS_LONG ? ["{", "", undefined] : ["{"]) {
      const world = Object.fromEntries(
        Object.entries(whole).flatMap(([file, content]) => {
          if (!files.includes(file)) return [[file, content]];
          return bad === undefined ? [] : [[file, bad]];
        }),
      );
      expect(decisions(await play(events(), withMode(world)), packs)).toEqual(expected);
    }
  });
});

it("whoever only watches subagents and teammates says nothing", async () => {
  const watched = goldenEvents(SESSION).filter(([name]) => /^(?:SubagentStop|TeammateIdle) /.test(name));
  const claims = claudeEvent({ ...watched[0]?.[1].raw, hook_event_name: "SubagentStop" });
  expect(watched.length).toBeGreaterThanOrEqual(2);
  for (const { reply, results } of await play([...watched.map(([, event]) => event), claims])) {
    expect(reply.stdout).toBe("");
    expect(results.flatMap(({ error = [], verdicts }) => [error, ...verdicts].flat())).toEqual([]);
  }
});
