import { describe, expect, it } from "vitest";
import { CLAUDE_EVENTS, type ClaudeEvent } from "../../agents/claude-code/events.ts";
import { hookEntriesFor } from "../../agents/claude-code/install.ts";
import { PROFILES, type ProfileName, packsOf } from "../../core/settings/profiles.ts";
import { registry } from "../../policies/index.gen.ts";
import { registeredEvents } from "./registered-events.ts";

/** Each of them would start one more hook for every batch of calls, message, start or file of instructions. */
const RARELY_NEEDED: readonly ClaudeEvent[] = ["PostToolBatch", "MessageDisplay", "InstructionsLoaded", "Setup"];

describe.each(RARELY_NEEDED)("%s", (event) => {
  it("is registered where a profile that is on has a policy for it, and nowhere else", () => {
    for (const profile of PROFILES) {
      const packs = packsOf([profile]);
      const isNeeded = registry.some(({ pack, events }) => packs.has(pack) && events.includes(CLAUDE_EVENTS[event]));
      const names = registeredEvents({ profiles: [profile] }).map((one) => one.event);
      expect([profile, names.includes(event)]).toEqual([profile, isNeeded]);
      if (profile !== "omc") expect([profile, isNeeded]).toEqual([profile, false]);
    }
  });

  it("is registered where a project's own policy handles it", () => {
    const names = registeredEvents({ profiles: [], projectEvents: [CLAUDE_EVENTS[event]] }).map((one) => one.event);
    expect(names).toContain(event);
  });
});

/** The events of a tool call that a client can report. */
const OF_A_CALL: readonly string[] = ["PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure"];

it("a tool call starts one hook more with the profile omc, and no more with all the others", () => {
  const ofACall = (profiles: readonly ProfileName[]): string[] =>
    registeredEvents({ profiles })
      .map(({ event }) => event as string)
      .filter((event) => OF_A_CALL.includes(event) || event === "PostToolBatch");
  expect(ofACall(PROFILES.filter((name) => name !== "omc")).sort()).toEqual([...OF_A_CALL].sort());
  expect(ofACall(PROFILES).sort()).toEqual([...OF_A_CALL, "PostToolBatch"].sort());
});

describe("approvals in the browser", () => {
  const all = (hasApprovals: boolean) => registeredEvents({ profiles: ["safety"], hasApprovals });

  it("make the agent wait at a permission request, and at nothing else", () => {
    expect(all(true).filter(({ waits }) => waits)).toEqual([
      { event: "PermissionRequest", guarded: false, waits: true },
    ]);
    const [entry] = hookEntriesFor({
      events: all(true).filter(({ waits }) => waits),
      scope: "user",
      client: { command: "hook", args: [] },
      profiles: [],
    });
    expect(entry?.handler).toMatchObject({ timeout: 600 });
    expect(JSON.stringify(entry?.handler)).toContain('"--wait-ms","590000"');
  });

  it("register nothing, and let nothing wait, where they are off", () => {
    expect(all(false)).toEqual(registeredEvents({ profiles: ["safety"] }));
    expect(all(false).filter(({ waits }) => waits)).toEqual([]);
    expect(all(false).map(({ event }) => event)).not.toContain("SubagentStop");
    expect(all(true).map(({ event }) => event)).toContain("SubagentStop");
  });
});
