/**
 * Both directions of the adapter, byte for byte, for each client version: every payload and the event it becomes,
 * every legal ruling and the answer it becomes. `npx vitest run test/golden -u` writes what is now the case into the
 * golden files; the difference is then there to be read.
 */
import { describe, expect, it } from "vitest";
import { claudeCode } from "../../src/agents/claude-code/adapter.ts";
import { knowsEvent } from "../../src/agents/claude-code/client-version.ts";
import { CLAUDE_EVENTS, type ClaudeEvent } from "../../src/agents/claude-code/events.ts";
import type { AnyEvent } from "../../src/core/event.ts";
import { EVENTS } from "../../src/core/event.ts";
import type { Reply } from "../../src/core/frame.ts";
import type { Ruling } from "../../src/core/ruling.ts";
import type { VerdictKind } from "../../src/core/verdict.ts";
import { acceptedAnswer } from "../support/answers/accepted-answers.ts";
import { CLIENT_VERSIONS, type GoldenFile, goldenPath, goldenVersionFiles, readGolden } from "../support/golden.ts";
import { rulingsOf } from "../support/answers/rulings.ts";

/** Two events are answered with a text instead of an object. */
const TEXT_REWRITES: Partial<Record<ClaudeEvent, string>> = {
  WorktreeCreate: "/home/dev/app/worktree",
  MessageDisplay: "Shown instead.",
};

/** Passing, each legal verdict alone, and all of them that can come together. */
function legalRulings(agentEvent: ClaudeEvent): Readonly<Record<string, Ruling>> {
  const kinds: readonly VerdictKind[] = EVENTS[CLAUDE_EVENTS[agentEvent]].verdicts;
  return rulingsOf(kinds, TEXT_REWRITES[agentEvent]);
}

function decoded(payload: object): AnyEvent {
  const result = claudeCode.decode({ body: Buffer.from(JSON.stringify(payload)), namedEvent: "", cwd: "/" });
  if (result.kind !== "event") throw new Error(`not an event of ours: ${JSON.stringify(payload)}`);
  return result.event;
}

function asItIsNow(agentEvent: ClaudeEvent, { payloads }: GoldenFile): GoldenFile {
  const events = Object.entries(payloads).map(([name, { from: origin, payload }]) => {
    const { raw, ...event } = decoded(payload);
    expect(raw, name).toEqual(payload);
    return [name, { from: origin, payload, event }];
  });
  const sample = decoded(Object.values(payloads)[0]?.payload ?? {});
  const answers = Object.entries(legalRulings(agentEvent)).map(([name, ruling]) => [
    name,
    { exit: claudeCode.encode(sample, ruling, "exit"), json: claudeCode.encode(sample, ruling, "json") },
  ]);
  return { payloads: Object.fromEntries(events), answers: Object.fromEntries(answers) };
}

/** The events at which a hold by context is an answer. */
const HELD_BY_CONTEXT: readonly ClaudeEvent[] = ["Stop", "SubagentStop"];

interface Output {
  readonly decision?: string;
  readonly hookSpecificOutput?: {
    readonly hookEventName?: string;
    readonly permissionDecision?: string;
    readonly decision?: { readonly behavior?: string };
    readonly action?: string;
    readonly additionalContext?: string;
  };
}

function outputOf({ stdout }: Reply): Output {
  return stdout.startsWith("{") ? (JSON.parse(stdout) as Output) : {};
}

/** Each way an agent is stopped, or kept from stopping. */
function blocks(reply: Reply): boolean {
  const { decision, hookSpecificOutput: own = {} } = outputOf(reply);
  return (
    (reply.exit === 2 && reply.stderr !== "") ||
    decision === "block" ||
    own.permissionDecision === "deny" ||
    own.decision?.behavior === "deny" ||
    own.action === "decline"
  );
}

describe.each(CLIENT_VERSIONS)("Claude Code %s", (version) => {
  const known = (Object.keys(CLAUDE_EVENTS) as ClaudeEvent[]).filter((event) => knowsEvent(event, version));

  it("has a golden file for each event the client knows, and for no other", () => {
    expect(goldenVersionFiles(version)).toEqual([...known].sort());
    expect(known).toHaveLength({ "2.1.325": 33, "2.1.197": 30 }[version]);
  });

  it("has recorded payloads of nearly all of them, and says which are not", () => {
    const origins = known.map((event) => Object.values(readGolden(version, event).payloads).map((one) => one.from));
    expect(new Set(origins.flat())).toEqual(new Set(["recorded", "documented"]));
    const notReached = known.filter((_event, at) => !origins[at]?.includes("recorded"));
    // These two need a person at the keyboard there.
    expect(notReached).toEqual(version === "2.1.197" ? ["PermissionRequest", "TeammateIdle"] : []);
  });

  it.each(known)("%s is read and answered as in its golden file", async (event) => {
    const now = asItIsNow(event, readGolden(version, event));
    await expect(`${JSON.stringify(now, null, 1)}\n`).toMatchFileSnapshot(goldenPath(version, event));
  });

  it.each(known)("%s is read in full, and answered within what the agent documents", async (event) => {
    const accepted = await acceptedAnswer("claude-code");
    const { payloads, answers } = readGolden(version, event);
    for (const { event: read } of Object.values(payloads)) {
      expect(read).toMatchObject({ name: CLAUDE_EVENTS[event], agentEvent: event, malformed: [] });
    }
    for (const [name, { exit, json }] of Object.entries(answers)) {
      expect([name, accepted(event, exit), accepted(event, json)]).toEqual([name, "", ""]);
      // A soft hold goes on by context, where the agent takes any.
      const held = answers["soft hold"];
      const hasContext = held !== undefined && HELD_BY_CONTEXT.includes(event);
      if (name === "soft hold" && hasContext) {
        expect(outputOf(json).hookSpecificOutput).toEqual({ hookEventName: event, additionalContext: "Go on." });
      }
      const blocking = ["deny", "hard hold", ...(hasContext ? [] : ["soft hold"])];
      const isBlocking = blocking.some((one) => name === one || (name === "together" && one in answers));
      expect([name, blocks(exit), blocks(json)]).toEqual([name, isBlocking, isBlocking]);
    }
  });
});
