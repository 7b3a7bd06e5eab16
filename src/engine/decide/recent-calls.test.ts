import { expect, it } from "vitest";
import { toolAfter, toolBefore } from "../../testing/events.ts";
import { RecentCalls } from "./recent-calls.ts";

const call = (useId: string, session = "s") => toolBefore("Bash", {}, { tool_use_id: useId, session_id: session });

it("knows a call by its session and id, and only calls that were announced", () => {
  const calls = new RecentCalls();
  calls.add(call("one"));
  calls.add(call("", "nameless"));
  calls.add(toolAfter("Bash", {}, "reported", { session_id: "s" }));
  expect([
    calls.has("s", "one"),
    calls.has("other", "one"),
    calls.has("nameless", ""),
    calls.has("s", "reported"),
  ]).toEqual([true, false, false, false]);
});

it("forgets the oldest ones only", () => {
  const calls = new RecentCalls();
  for (let i = 0; i < 300; i++) calls.add(call(String(i)));
  expect([calls.has("s", "299"), calls.has("s", "60"), calls.has("s", "10")]).toEqual([true, true, false]);
});
