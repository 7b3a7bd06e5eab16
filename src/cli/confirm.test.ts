import { describe, expect, test } from "vitest";
import { confirm } from "./confirm.ts";
import { failing, NO_TERMINAL, typing } from "./setup.samples.ts";

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
    expect(await confirm("Go ahead?", typing(typed))).toBe(answer);
  });

  test("without a terminal nobody is asked", async () => {
    await failing("HW_NO_TERMINAL", () => confirm("Go ahead?", NO_TERMINAL));
  });
});
