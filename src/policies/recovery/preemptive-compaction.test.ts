import { describe, expect, it } from "vitest";
import type { AnyEvent, JsonObject } from "../../core/event.ts";
import type { Database } from "../../state/database.ts";
import { ensureSession, saveFlags } from "../../state/sessions.ts";
import { claudeEvent, PROJECT, SESSION, stop, toolAfter } from "../../testing/events.ts";
import { FAKE_NOW } from "../../testing/fake-ports.ts";
import { createSandbox, type SandboxOptions } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./preemptive-compaction.ts";

const TRANSCRIPT = "/home/dev/.claude/projects/app/s.jsonl";
let calls = 0;
const called = (tool = "Read", more: JsonObject = {}): AnyEvent =>
  toolAfter(tool, tool === "Bash" ? { command: "ls" } : { file_path: "a" }, `toolu_${++calls}`, {
    transcript_path: TRANSCRIPT,
    ...more,
  });
const compacted = claudeEvent({ hook_event_name: "PostCompact", trigger: "auto", compact_summary: "x" });
const compactStart = claudeEvent({ hook_event_name: "SessionStart", source: "compact" });
const resumed = claudeEvent({ hook_event_name: "SessionStart", source: "resume" });

/** The status line has reported this usage. */
const reported = (contextUsage: number): SandboxOptions => ({ seed: (db) => report(db, contextUsage) });
function report(db: Database, contextUsage: number | undefined): void {
  const ref = { agent: "claude-code", session: SESSION, agentId: "", project: PROJECT };
  ensureSession(db, ref, FAKE_NOW);
  saveFlags(db, ref, contextUsage === undefined ? {} : { contextUsage });
}
const answered = (tokens: number): string =>
  `${JSON.stringify({ type: "assistant", message: { id: "m", usage: { input_tokens: tokens, output_tokens: 0 } } })}\n`;
/** The transcript says so. */
const used = (tokens: number, env: Readonly<Record<string, string>> = {}): SandboxOptions => ({
  files: { [TRANSCRIPT]: answered(tokens) },
  env,
});
const nearly = { says: "note", message: "nearly" } as const;
const full = { says: "note", message: "full" } as const;

testPolicy(policy, {
  hit: [
    { name: "85 %", event: called(), ...reported(0.85), ...nearly, text: "The context is 85 % full" },
    { name: "94 %", event: called(), ...reported(0.94), ...nearly },
    { name: "95 %", event: called(), ...reported(0.95), ...full, text: "The context is 95 % full" },
    { name: "more than it can hold", event: called(), ...reported(1.02), ...full },
    { name: "any tool", event: called("Bash"), ...reported(0.9), ...nearly },
    { name: "by the transcript", event: called(), ...used(180_000), ...nearly, text: "90 %" },
    { name: "by the transcript, full", event: called(), ...used(195_000), ...full },
    { name: "a large window", event: called(), ...used(900_000), ...nearly, text: "90 %" },
    {
      name: "a switch for a large window that is off",
      event: called(),
      ...used(190_000, { ANTHROPIC_1M_CONTEXT: "false" }),
      ...full,
    },
    { name: "anew after a compaction", after: [called(), compactStart], event: called(), ...reported(0.9), ...nearly },
  ],
  pass: [
    { name: "84 %", event: called(), ...reported(0.849) },
    { name: "nobody knows", event: called() },
    { name: "no transcript", event: called("Read", { transcript_path: "" }), ...used(195_000) },
    { name: "what the status line says comes first", event: called(), ...used(195_000), ...reported(0.1) },
    { name: "190,000 tokens of a million", event: called(), ...used(190_000, { ANTHROPIC_1M_CONTEXT: "true" }) },
    {
      name: "the same by the other switch",
      event: called(),
      ...used(190_000, { VERTEX_ANTHROPIC_1M_CONTEXT: "True" }),
    },
    { name: "a full context is handed over", event: called(), ...reported(0.96), contextPolicy: "restart" },
    { name: "a subagent", event: called("Read", { agent_id: "a1", agent_type: "x" }), ...reported(0.96) },
    { name: "less than a minute later", after: [called()], event: called(), ...reported(0.96) },
    { name: "a resumed session was told", after: [called(), resumed], event: called(), ...reported(0.96) },
    { name: "a stop between them", after: [called(), stop()], event: called(), ...reported(0.96) },
    { name: "no tool", event: stop(), ...reported(0.96) },
  ],
});

/** What is said when the usage and the time are these, one call each. */
async function saidAt(steps: readonly (readonly [seconds: number, usage: number | "compact"])[]) {
  const world = { now: FAKE_NOW };
  const sandbox = createSandbox([policy], world);
  const said: (string | undefined)[] = [];
  for (const [seconds, usage] of steps) {
    world.now = FAKE_NOW + seconds * 1_000;
    if (usage === "compact") await sandbox.send(compacted);
    else {
      report(sandbox.db, usage);
      said.push((await sandbox.send(called())).results[0]?.verdicts[0]?.message);
    }
  }
  sandbox.close();
  return said;
}

describe("in the course of a session", () => {
  it("the first note is given once, so that there is one for a context that is full", async () => {
    expect(
      await saidAt([
        [0, 0.86],
        [61, 0.87],
        [122, 0.88],
        [183, 0.94],
        [200, 0.95],
      ]),
    ).toEqual(["nearly", undefined, undefined, undefined, "full"]);
  });
  it("notes are 60 seconds apart", async () => {
    expect(
      await saidAt([
        [0, 0.86],
        [59, 0.97],
        [60, 0.97],
        [119, 0.98],
        [120, 0.98],
      ]),
    ).toEqual(["nearly", undefined, "full", undefined, "full"]);
  });
  it("there are three, and then none however long it goes on", async () => {
    const steps = Array.from({ length: 20 }, (_, at) => [at * 100, 0.97] as const);
    expect((await saidAt(steps)).filter((message) => message !== undefined)).toHaveLength(3);
  });
  it("a compaction allows them anew", async () => {
    const steps = [
      [0, 0.97],
      [61, 0.97],
      [122, 0.97],
      [183, 0.97],
      [190, "compact"],
      [191, 0.86],
      [260, 0.96],
    ] as const;
    expect(await saidAt(steps)).toEqual(["full", "full", "full", undefined, "nearly", "full"]);
  });
  it("a clock that was set back does not silence them", async () => {
    expect(
      await saidAt([
        [0, 0.86],
        [-3_600, 0.97],
      ]),
    ).toEqual(["nearly", "full"]);
  });
});

describe("the transcript", () => {
  const reads = async (
    options: SandboxOptions & { now: number },
    times: readonly number[],
    before?: (db: Database) => void,
  ) => {
    const sandbox = createSandbox([policy], options);
    before?.(sandbox.db);
    const seen: [number, boolean, number][] = [];
    for (const seconds of times) {
      Object.assign(options, { now: FAKE_NOW + seconds * 1_000 });
      const { looked } = await sandbox.send(called());
      const rows = sandbox.db.all("SELECT value FROM entries WHERE store = 'context-warnings'");
      seen.push([seconds, looked.includes("context-usage"), rows.length]);
    }
    sandbox.close();
    return seen;
  };

  it("is read at most once a minute", async () => {
    const seen = await reads({ ...used(1_000), now: FAKE_NOW }, [0, 1, 30, 59, 60, 61, 119, 120]);
    expect(seen.filter(([, isRead]) => isRead).map(([seconds]) => seconds)).toEqual([0, 60, 120]);
  });
  it("is not read, and nothing is written, while the status line reports", async () => {
    const seen = await reads({ ...used(1_000), now: FAKE_NOW }, [0, 60, 120], (db) => report(db, 0.5));
    expect(seen.map(([, isRead, rows]) => [isRead, rows])).toEqual([
      [false, 0],
      [false, 0],
      [false, 0],
    ]);
  });
  it("is not read under contextPolicy: restart", async () => {
    const seen = await reads({ ...used(195_000), now: FAKE_NOW, contextPolicy: "restart" }, [0, 60]);
    expect(seen.map(([, isRead, rows]) => [isRead, rows])).toEqual([
      [false, 0],
      [false, 0],
    ]);
  });
  it("is read again for a note that found no room", async () => {
    const options = { ...used(180_000), now: FAKE_NOW, contextBudget: { start: 6_000, tool: 20 } };
    const sandbox = createSandbox([policy], options);
    expect((await sandbox.send(called())).ruling.fates[policy.id]).toBe("dropped");
    Object.assign(options, { now: FAKE_NOW + 60_000, contextBudget: { start: 6_000, tool: 2_000 } });
    expect((await sandbox.send(called())).ruling.fates[policy.id]).toBe("sent");
    sandbox.close();
  });
});
