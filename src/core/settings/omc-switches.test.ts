import { describe, expect, it } from "vitest";
import type { EventName } from "../event.ts";
import { switchedOffByOmc } from "./omc-switches.ts";

const RALPH = "modes/ralph";
const KEYWORDS = "detection/keyword-detector";

describe("a policy is switched off", () => {
  it.each<[Record<string, string>, string, EventName | undefined, string]>([
    [{ DISABLE_OMC: "1" }, RALPH, undefined, "DISABLE_OMC"],
    [{ DISABLE_OMC: "true" }, KEYWORDS, "prompt.submit", "DISABLE_OMC"],
    [{ DISABLE_OMC: " TRUE " }, "validation/comment-checker", undefined, "DISABLE_OMC"],
    [{ OMC_SKIP_HOOKS: "ralph" }, RALPH, undefined, "OMC_SKIP_HOOKS"],
    [{ OMC_SKIP_HOOKS: "autopilot, ralph ,swarm" }, RALPH, "turn.stop", "OMC_SKIP_HOOKS"],
    [{ OMC_SKIP_HOOKS: "keyword-detector" }, KEYWORDS, "prompt.expand", "OMC_SKIP_HOOKS"],
    [{ OMC_SKIP_HOOKS: "persistent-mode" }, "modes/persistent-mode", "session.start", "OMC_SKIP_HOOKS"],
    [{ OMC_SKIP_HOOKS: "persistent-mode" }, RALPH, "turn.stop", "OMC_SKIP_HOOKS"],
    [{ DISABLE_OMC: "0", OMC_SKIP_HOOKS: "ralph" }, RALPH, undefined, "OMC_SKIP_HOOKS"],
  ])("%j: %s at %s", (env, id, event, by) => {
    expect(switchedOffByOmc(env)?.(id, event)).toBe(by);
  });
});

describe("a policy stays on", () => {
  it.each<[Record<string, string>, string, EventName | undefined]>([
    [{}, RALPH, undefined],
    [{ DISABLE_OMC: "" }, RALPH, undefined],
    [{ DISABLE_OMC: "0" }, RALPH, undefined],
    [{ DISABLE_OMC: "false" }, RALPH, undefined],
    [{ DISABLE_OMC: "1" }, "safety/destructive-command", undefined],
    [{ DISABLE_OMC: "1" }, "session/session-gate", "prompt.submit"],
    [{ DISABLE_OMC: "1" }, "core/integrity", undefined],
    [{ OMC_SKIP_HOOKS: " , " }, RALPH, undefined],
    [{ OMC_SKIP_HOOKS: "autopilot" }, RALPH, undefined],
    [{ OMC_SKIP_HOOKS: "modes" }, RALPH, undefined],
    [{ OMC_SKIP_HOOKS: "destructive-command" }, "safety/destructive-command", undefined],
    [{ OMC_SKIP_HOOKS: "persistent-mode" }, "modes/ultrapilot", "tool.before"],
    [{ OMC_SKIP_HOOKS: "persistent-mode" }, KEYWORDS, "prompt.submit"],
  ])("%j: %s at %s", (env, id, event) => {
    expect(switchedOffByOmc(env)?.(id, event)).toBe(undefined);
  });
});
