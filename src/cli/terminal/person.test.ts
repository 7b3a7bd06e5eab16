import { describe, expect, test } from "vitest";
import { NO_TERMINAL, typingTerminal } from "../installation/setup.samples.ts";
import type { Terminal } from "./confirm.ts";
import { confirmByTypedWord, refusalUnlessPerson } from "./person.ts";

describe("who runs a command", () => {
  test("a person in a terminal", () => {
    expect(refusalUnlessPerson("off", { TERM: "xterm", CLAUDE_CONFIG_DIR: "/x" }, typingTerminal(""))).toBeUndefined();
  });

  test.each([
    ["CLAUDECODE", "1"],
    ["CLAUDE_CODE_SESSION_ID", "11111111-2222"],
    ["AI_AGENT", "some-agent"],
    ["CLAUDECODE", ""],
  ])("an agent, for %s=%j is set", (name, value) => {
    const refusal = refusalUnlessPerson("off", { [name]: value }, typingTerminal("off\n"));
    expect(refusal).toContain("hookwright off: only a person may do this");
    expect(refusal).toContain(`${name} is set`);
    expect(refusal).toContain("Nothing was changed");
  });

  const halves: readonly (readonly [string, Terminal])[] = [
    ["neither end is", NO_TERMINAL],
    ["only the input is", { ...NO_TERMINAL, input: typingTerminal("off\n").input }],
    ["only the output is", { ...NO_TERMINAL, output: typingTerminal("off\n").output }],
  ];
  test.each(halves)("nobody, when %s a terminal", (_name, terminal) => {
    expect(refusalUnlessPerson("trust", {}, terminal)).toContain("there is no terminal");
  });
});

describe("the word", () => {
  const answers: readonly (readonly [typed: string, answer: boolean])[] = [
    ["off\n", true],
    ["  off \r\n", true],
    ["OFF\n", false],
    ["offf\n", false],
    ["y\n", false],
    ["yes\n", false],
    ["\n", false],
    ["", false],
    ["no\noff\n", false],
  ];
  test.each(answers)("%j counts: %s", async (typed, answer) => {
    expect(await confirmByTypedWord("off", "Sure?", typingTerminal(typed))).toBe(answer);
  });
});
