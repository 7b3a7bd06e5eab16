import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AnyEvent } from "../../core/event.ts";
import { policy as definePolicy, type Policy } from "../../core/policy.ts";
import { madeSecrets } from "../../core/secrets/secrets.samples.ts";
import { isQuiet } from "../../domain/notifications/notification.ts";
import { claudeEvent, prompt, shell, stop, toolAfter } from "../../testing/events.ts";
import { FAKE_NOW } from "../../testing/fake-ports.ts";
import { createSandbox, type SandboxOptions } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import approvals from "../permissions/browser.ts";
import policy from "./send.ts";

const asked = prompt("do it");
const needs = (kind = "permission_prompt", message = "Claude needs your permission to use Bash"): AnyEvent =>
  claudeEvent({ hook_event_name: "Notification", notification_type: kind, message });
const failed = claudeEvent({ hook_event_name: "StopFailure", error: "rate_limit" });
const ran = toolAfter("Bash", {}, "toolu_x");
const background = { background_tasks: [{ id: "1", type: "agent", status: "running", description: "x" }] };
const terminal = { options: { terminal: true } };
const told = { says: "notice", message: "told" } as const;
const hour = (of: number): string => `${String(of % 24).padStart(2, "0")}:00`;
const now = new Date(FAKE_NOW).getHours();
const quiet = `${hour(now)}-${hour(now + 1)}`;

testPolicy(policy, {
  hit: [
    {
      name: "a permission prompt",
      ...terminal,
      event: needs(),
      ...told,
      text: "claude-code in app: it needs an answer: Claude needs",
    },
    {
      name: "a dialog without a text",
      ...terminal,
      event: needs("elicitation_dialog", ""),
      ...told,
      text: "it needs an answer",
    },
    { name: "another one, after the first was answered", ...terminal, after: [needs(), ran], event: needs(), ...told },
    {
      name: "the end of what a person asked for",
      ...terminal,
      after: [asked],
      event: stop(),
      ...told,
      text: "it is done",
    },
    {
      name: "the end of it after work in the background",
      ...terminal,
      after: [asked, stop(background)],
      event: stop(),
      ...told,
    },
    {
      name: "a loud hour",
      options: { terminal: true, quiet: `${hour(now + 1)}-${hour(now)}` },
      event: needs(),
      ...told,
    },
  ],
  pass: [
    { name: "the same prompt once more", ...terminal, after: [needs()], event: needs() },
    { name: "a reminder that it is idle", ...terminal, event: needs("idle_prompt") },
    { name: "a turn that nobody has asked for", ...terminal, event: stop() },
    {
      name: "a turn that a machine has asked for",
      ...terminal,
      after: [prompt("<task-notification>x</task-notification>")],
      event: stop(),
    },
    { name: "a second end", ...terminal, after: [asked, stop()], event: stop() },
    { name: "work in the background goes on", ...terminal, after: [asked], event: stop(background) },
    { name: "without a sink", event: needs() },
    { name: "what is not wanted", options: { terminal: true, for: ["done"] }, event: needs() },
    { name: "a quiet hour", options: { terminal: true, quiet }, event: needs() },
    { name: "a call", ...terminal, event: shell("ls") },
  ],
});

const guard = definePolicy({
  id: "test/guard",
  summary: "Denies rm and holds every other stop.",
  why: "A test needs it.",
  stage: "destructive",
  messages: { no: "No.", on: "Go on." },
  examples: { hit: ["`rm x`"], pass: ["`ls`"] },
  on: {
    "tool.before": (event, ctx) => (String(event.tool.input.command).startsWith("rm") ? ctx.deny("no") : undefined),
    "turn.stop": (event, ctx) => (event.continued ? undefined : ctx.hold("on", {}, { exit: "Ask." })),
  },
});

/** The jobs after these events: the sink, and what it is told. */
async function jobsAfter(events: readonly AnyEvent[], options: SandboxOptions["options"], more: SandboxOptions = {}) {
  const sandbox = createSandbox([policy], { options: options ?? {}, ...more });
  for (const event of events) await sandbox.send(event);
  const rows = sandbox.db.all("SELECT name, args FROM jobs ORDER BY id");
  sandbox.close();
  return rows.map(({ name, args }) => ({
    name: String(name),
    args: JSON.parse(String(args)) as Record<string, unknown>,
  }));
}
const texts = (jobs: Awaited<ReturnType<typeof jobsAfter>>): string[] =>
  jobs.map(({ args }) => `${String(args.sink)}: ${(args.notification as { text: string } | undefined)?.text}`);

describe("sinks that a job serves", () => {
  it("get one job each, without addresses and keys", async () => {
    const webhook = { url: "https://me:pass-w0rd@hooks.example/T0K3N", secretFile: "/home/dev/key" };
    const jobs = await jobsAfter([asked, needs()], { desktop: true, tmux: "message", webhook });
    expect(jobs.map(({ name, args }) => [name, args.sink])).toEqual([
      ["notifications/deliver", "desktop"],
      ["notifications/deliver", "tmux"],
      ["notifications/deliver", "webhook"],
    ]);
    expect(new Set(jobs.map(({ args }) => (args.notification as { id: string }).id)).size).toBe(1);
    expect(JSON.stringify(jobs)).not.toMatch(/hooks\.example|pass-w0rd|T0K3N|\/home\/dev\/key/);
  });

  it("hear of a failed turn once, and again after the next prompt failed", async () => {
    const jobs = await jobsAfter([asked, failed, failed, asked, failed], { desktop: true });
    expect(texts(jobs)).toEqual(Array(2).fill("desktop: claude-code in app: its turn failed: rate_limit"));
  });

  it("hear at once of a request that a person may answer elsewhere, and not again when its dialog stays open", async () => {
    const input = { hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: { command: "make release" } };
    const request = claudeEvent(input);
    const told = async (policies: readonly Policy[]): Promise<string[]> => {
      const sandbox = createSandbox(policies, { options: { desktop: true } });
      for (const event of [asked, request, needs(), ran, request]) await sandbox.send(event);
      const rows = sandbox.db.all("SELECT args FROM jobs ORDER BY id");
      sandbox.close();
      return rows.map(({ args }) => (JSON.parse(String(args)) as { notification: { text: string } }).notification.text);
    };
    const waiting = "claude-code in app: it needs an answer: it wants to use Bash: make release";
    expect(await told([policy, approvals])).toEqual([waiting, waiting]);
    expect(await told([policy])).toEqual([
      "claude-code in app: it needs an answer: Claude needs your permission to use Bash",
    ]);
  });

  it("hear nothing in observe mode, and get no secret", async () => {
    expect(await jobsAfter([needs()], { desktop: true }, { mode: "observe" })).toEqual([]);
    const secret = madeSecrets(200).find(({ shape }) => shape === "GitLab")?.secret ?? expect.fail("no sample");
    const [job] = await jobsAfter([needs("permission_prompt", `run login ${secret}\u0007 now`)], { desktop: true });
    expect(JSON.stringify(job)).toContain("[masked]");
    expect(JSON.stringify(job)).not.toContain(secret);
  });

  it("hear of a denied call once, of a subagent's only if that is wanted, and of no stop that is held", async () => {
    const send = async (options: SandboxOptions["options"], events: readonly AnyEvent[]): Promise<string[]> => {
      const sandbox = createSandbox([policy, guard], {
        options: { desktop: true, for: ["stopped", "done"], ...options },
      });
      for (const event of events) await sandbox.send(event);
      const rows = sandbox.db.all("SELECT args FROM jobs ORDER BY id");
      sandbox.close();
      return rows.map(({ args }) => (JSON.parse(String(args)) as { notification: { text: string } }).notification.text);
    };
    const denied = "claude-code in app: a call of Bash was denied by test/guard";
    const sub = claudeEvent({
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "rm x" },
      tool_use_id: "s",
      agent_id: "a1",
    });
    expect(await send({}, [shell("rm a"), shell("rm a"), shell("ls"), shell("rm b")])).toEqual([denied, denied]);
    expect(await send({}, [sub])).toEqual([]);
    expect(await send({ subagents: true }, [sub])).toEqual([denied]);
    expect(await send({}, [asked, stop()])).toEqual([]);
    expect(await send({}, [asked, stop(), stop({ stop_hook_active: true })])).toEqual([
      "claude-code in app: it is done",
    ]);
  });

  it("are told of each end and each wait once, whatever happens in between", async () => {
    const kinds = { asked, needs: needs(), ran, call: shell("ls"), stop: stop(), failed } as const;
    const names = Object.keys(kinds) as (keyof typeof kinds)[];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...names), { maxLength: 20 }), async (steps) => {
        const sandbox = createSandbox([policy], { options: { desktop: true } });
        const count = (): number => Number(sandbox.db.get("SELECT COUNT(*) AS n FROM jobs")?.n);
        let isAsked = false;
        let last = "";
        for (const step of steps) {
          const before = count();
          await sandbox.send(kinds[step]);
          const isTold = count() > before;
          if (step === "stop") expect(isTold).toBe(isAsked);
          else if (step === "needs" || step === "failed") expect(isTold).toBe(last !== step);
          else expect(isTold).toBe(false);
          if (step === "asked") isAsked = true;
          if (step === "stop" || step === "failed") isAsked = false;
          last = step;
        }
        sandbox.close();
      }),
      { numRuns: 40, seed: 11 },
    );
  });
});

describe("traces", () => {
  const otlp = { endpoint: "http://127.0.0.1:4318" };
  const times = async (steps: readonly (readonly [second: number, event: AnyEvent])[], options: object) => {
    const world = { now: FAKE_NOW, options: options as Record<string, unknown> };
    const sandbox = createSandbox([policy], world);
    for (const [second, event] of steps) {
      Object.assign(world, { now: FAKE_NOW + second * 1_000 });
      await sandbox.send(event);
    }
    const rows = sandbox.db.all("SELECT at FROM jobs WHERE name = 'notifications/export-spans' ORDER BY id");
    sandbox.close();
    return rows.map(({ at }) => (Number(at) - FAKE_NOW) / 1_000);
  };

  it("are sent at most every five seconds, and at the end of a turn", async () => {
    const finished = (at: number): readonly [number, AnyEvent] => [at, toolAfter("Bash", {}, `toolu_${at}`)];
    expect(await times([[0, shell("ls")], finished(1), finished(2), finished(6), [7, stop()]], { otlp })).toEqual([
      1, 6, 7,
    ]);
    expect(await times([finished(1), [2, stop()]], {})).toEqual([]);
  });
});

it.each([
  ["22:00-07:00", [22, 23, 0, 6], [7, 12, 21]],
  ["12:00-13:00", [12], [11, 13, 0]],
  ["12:00-12:00", [], [12]],
  [undefined, [], [0, 12]],
])("quiet hours %s", (hours, silent, loud) => {
  const at = (of: number): number => new Date(2026, 5, 1, of, 30).getTime();
  expect(silent.filter((one) => !isQuiet(hours, at(one)))).toEqual([]);
  expect(loud.filter((one) => isQuiet(hours, at(one)))).toEqual([]);
});
