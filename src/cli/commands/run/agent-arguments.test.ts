import { expect, it } from "vitest";
import { freshArguments, isResuming } from "./agent-arguments.ts";

it.each([
  [["--resume", "abc"], true],
  [["-c"], true],
  [["--resume=abc", "x"], true],
  [["--model", "x", "go"], false],
])("%j resumes: %s", (args, expected) => {
  expect(isResuming(args)).toBe(expected);
});

it.each<[readonly string[], readonly string[]]>([
  [[], ["--", "go on"]],
  [["build it"], ["--", "go on"]],
  [
    ["--model", "x", "build it"],
    ["--model", "x", "--", "go on"],
  ],
  [
    ["--resume", "abc", "--model", "x"],
    ["--model", "x", "--", "go on"],
  ],
  [
    ["-r", "-c", "--verbose"],
    ["--verbose", "--", "go on"],
  ],
  [
    ["--session-id", "abc", "--fork-session", "x"],
    ["--", "go on"],
  ],
  [
    ["--allowedTools", "Bash", "Read", "--debug"],
    ["--allowedTools", "Bash", "Read", "--debug", "--", "go on"],
  ],
  [
    ["--plugin-dir", "/p", "--", "build", "it"],
    ["--plugin-dir", "/p", "--", "go on"],
  ],
  [
    ["-p", "--output-format", "json", "build it"],
    ["-p", "--output-format", "json", "--", "go on"],
  ],
])("%j starts anew as %j", (args, expected) => {
  expect(freshArguments(args, "go on")).toEqual(expected);
});

it("keeps the prompt when there is no other", () => {
  expect(freshArguments(["--continue", "--model", "x", "build it"])).toEqual(["--model", "x", "--", "build it"]);
});
