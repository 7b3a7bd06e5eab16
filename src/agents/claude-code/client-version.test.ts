import { describe, expect, it } from "vitest";
import { knowsEvent, knowsOnFailure } from "./client-version.ts";

describe("what a client knows", () => {
  it.each([
    ["2.1.325", true],
    ["2.1.251", true],
    ["2.1.250", false],
    ["2.0.999", false],
    ["3.0.0", true],
    [undefined, false],
  ])("of model switches, at %s: %s", (version, expected) => {
    expect(knowsEvent("PreModelSwitch", version)).toBe(expected);
    expect(knowsEvent("PreToolUse", version)).toBe(true);
  });

  it.each([
    ["2.1.295", true],
    ["2.1.197", false],
    [undefined, true],
  ])("of failing closed, at %s: %s", (version, expected) => {
    expect(knowsOnFailure(version)).toBe(expected);
  });
});
