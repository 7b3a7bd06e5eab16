import { describe, expect, it } from "vitest";
import { CLAUDE_EVENTS, type ClaudeEvent } from "../../agents/claude-code/events.ts";
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
