import { describe, expect, it } from "vitest";
import { HookwrightError } from "../../../core/errors.ts";
import type { StartRequest } from "../machine.ts";
import { plainRequest, wishedGoal } from "./parse-goal.ts";

describe("the goal in a request", () => {
  it.each([
    ["--goal tests", "tests", "", ""],
    ["--goal build", "build", "", ""],
    ["--goal lint the new code", "lint", "", "the new code"],
    ["--goal=typecheck", "typecheck", "", ""],
    ['--goal "tests"', "tests", "", ""],
    ["--goal TESTS", "tests", "", ""],
    ["--goal test", "tests", "", ""],
    ["--goal types", "typecheck", "", ""],
    ['--goal custom --command "make check"', "custom", "make check", ""],
    ['--command "make check" --goal custom fix it', "custom", "make check", "fix it"],
    ["--goal custom --command 'a && b'", "custom", "a && b", ""],
    ['--goal custom --command "say \\"hi\\""', "custom", 'say "hi"', ""],
    ["--goal tests --command npm run test:unit", "tests", "npm run test:unit", ""],
    ["--goal tests --command npm test fix the login", "tests", "npm test", "fix the login"],
    ["--goal custom --command ./check.sh fix the login", "custom", "./check.sh", "fix the login"],
    ["--command npm test --goal tests", "tests", "npm test", ""],
    ['fix the login --goal custom --command "x"', "custom", "x", "fix the login"],
    ['--command "npm test"', "tests", "npm test", ""],
    ["--command 'make check | grep ok'", "custom", "make check | grep ok", ""],
    ["fix the login", "tests", "", "fix the login"],
    ["lint", "lint", "", ""],
    ["tests", "tests", "", ""],
    ["", "tests", "", ""],
  ])("%s", (request, goal, command, rest) => {
    expect(wishedGoal({ request })).toEqual({ goal, command });
    expect(plainRequest(request)).toBe(rest);
  });

  it("comes from the options where there are some, and then not from the request", () => {
    const request = 'the flag --goal lint --command "rm x" of our tool';
    expect(wishedGoal({ request, goal: "tests" })).toEqual({ goal: "tests", command: "" });
    expect(wishedGoal({ request, command: " cargo test " })).toEqual({ goal: "tests", command: "cargo test" });
    expect(wishedGoal({ request, command: "sh x.sh" })).toEqual({ goal: "custom", command: "sh x.sh" });
  });

  it.each<[string, Pick<StartRequest, "request" | "goal" | "command">, string]>([
    ["an unknown goal", { request: "--goal speed" }, "there is no goal `speed`"],
    ["an unknown goal of an option", { request: "", goal: "speed" }, "there is no goal `speed`"],
    ["a goal of the language", { request: "", goal: "constructor" }, "there is no goal `constructor`"],
    ["a flag without a goal", { request: "--goal" }, "`--goal` names no goal"],
    ["a flag before another one", { request: '--goal --command "x"' }, "`--goal` names no goal"],
    ["custom without a command", { request: "--goal custom" }, "the goal custom needs a command"],
    ["custom with an empty command", { request: "", goal: "custom", command: " " }, "the goal custom needs a command"],
    ["an endless command", { request: "", command: "x".repeat(2_001) }, "its command has 2001 characters"],
  ])("is refused: %s", (_name, start, text) => {
    expect(() => wishedGoal(start)).toThrow(HookwrightError);
    expect(() => wishedGoal(start)).toThrow(text);
  });
});
