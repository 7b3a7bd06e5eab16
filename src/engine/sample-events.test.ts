import { expect, it } from "vitest";
import type { EngineOptions } from "./engine.ts";
import { CODE_CACHE_SAMPLES, sampleFrame } from "./sample-events.ts";

it("has a command, its report and an edit of the guard's own settings for the code cache", () => {
  const options = { home: "/h", build: "b", ports: { now: () => 0 }, policyWorker: "/h/w.cjs" } as EngineOptions;
  const bodies = CODE_CACHE_SAMPLES.map((count) => JSON.parse(sampleFrame(count, options).body.toString()));
  expect(bodies.map((body) => [body.hook_event_name, body.tool_name, body.tool_input.file_path])).toEqual([
    ["PreToolUse", "Bash", undefined],
    ["PostToolUse", "Bash", undefined],
    ["PreToolUse", "Write", "/h/config.yml"],
  ]);
});
