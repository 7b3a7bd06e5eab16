import { describe, expect, test } from "vitest";
import { failing, NO_TERMINAL, typingTerminal } from "../installation/setup.samples.ts";
import { confirm, type Terminal } from "./confirm.ts";

describe("asking", () => {
  const answers: readonly (readonly [typed: string, answer: boolean])[] = [
    ["y\n", true],
    ["Yes\r\n", true],
    ["n\n", false],
    ["\n", false],
    ["yesterday\n", false],
    ["", false],
  ];
  test.each(answers)("%j means %s", async (typed, answer) => {
    expect(await confirm("Go ahead?", typingTerminal(typed))).toBe(answer);
  });

  const halves: readonly (readonly [string, Terminal])[] = [
    ["neither end", NO_TERMINAL],
    ["only the input", { ...NO_TERMINAL, input: typingTerminal("y\n").input }],
    ["only the output", { ...NO_TERMINAL, output: typingTerminal("y\n").output }],
  ];
  test.each(halves)("nobody is asked when %s is a terminal", async (_name, terminal) => {
    await failing("HW_NO_TERMINAL", () => confirm("Go ahead?", terminal));
  });
});
