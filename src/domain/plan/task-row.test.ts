import { describe, expect, it } from "vitest";
import { parsePlan } from "./document.ts";
import { planRowFor } from "./task-row.ts";

const { tasks } = parsePlan(
  [
    "## Implementation Tasks",
    "| # | Task | Status |",
    "|---|---|---|",
    "| 1 | Create `hooks/hooks.json` — register all hook events | pending |",
    "| 2 | Write the stop guard | pending |",
    "| 3.1 | API | pending |",
    "| T4 | Update README with a section on hooks | pending |",
    "| 5 | Docs | pending |",
    "| 6 | First go to db, then home | pending |",
    "| 7 | Measure memory of daemon | pending |",
    "| 8 | Measure memory of client | pending |",
  ].join("\n"),
  "plan.md",
);

describe("the row of a task", () => {
  it.each([
    ["by its number", "Task 2: something else entirely", "2"],
    ["by a number with a hash", "#2 stop", "2"],
    ["by a number with a dot", "2. Stop guard", "2"],
    ["by a number with parts", "Task 3.1 - the interface", "3.1"],
    ["by a number with a letter", "T4: readme", "T4"],
    ["by its whole text", "Write the stop guard", "2"],
    ["by a part of its text", "create hooks/hooks.json", "1"],
    ["by a text that contains it", "Please write the stop guard today", "2"],
    ["by most of its words", "Update the README section about hooks", "T4"],
    ["by a short text that it contains", "improve the docs somehow", "5"],
    ["by a part without long words", "go to db", "6"],
    ["by exactly two of its words", "README hooks", "T4"],
    ["by three words of five", "readme section hooks alpha omega", "T4"],
    ["by the first of two that fit alike", "memory, measure", "7"],
    ["by one short word that is all of it", "api", "3.1"],
  ])("is found %s", (_name, subject, id) => {
    expect(planRowFor(tasks, subject)?.id).toBe(id);
  });

  it.each([
    ["another thing", "Water the plants"],
    ["a number that is not there", "Task 9: water"],
    ["a word inside a word", "rapid"],
    ["one word of many", "hooks and other unrelated concerns everywhere"],
    ["nothing", ""],
  ])("is not found for %s", (_name, subject) => {
    expect(planRowFor(tasks, subject)).toBeUndefined();
  });
});
