import { expect, test } from "vitest";
import { projectOf } from "./installs.ts";

test.each([
  ["/home/dev/app/.claude/settings.json", "/home/dev/app"],
  ["/home/dev/app/.github/hooks/hookwright.json", "/home/dev/app"],
  ["/home/dev/.worktrees/app/.codex/hooks.json", "/home/dev/.worktrees/app"],
  ["/.claude/settings.json", "/"],
])("%s belongs to the project %s", (file, project) => {
  expect(projectOf(file)).toBe(project);
});
