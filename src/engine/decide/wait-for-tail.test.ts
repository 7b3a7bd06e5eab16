import { describe, expect, it } from "vitest";
import { tailWith } from "./wait-for-tail.ts";

/** A file whose content is another one at each look, and stays the last one. */
function looks(...texts: readonly (string | undefined)[]) {
  let at = 0;
  return { readTail: () => texts[Math.min(at++, texts.length - 1)] };
}

const about = { file: "/transcript", bytes: 1000, awaited: "call-2" };
const shown = (text: string): string => `read: ${text}`;

describe("the end of a file that may be behind", () => {
  it("is read when what is awaited stands in it", async () => {
    expect(await tailWith(looks("call-1", "call-1 cal", "call-1 call-2"), about, shown)).toBe("read: call-1 call-2");
  });

  it("is read as it is when that never comes", async () => {
    expect(await tailWith(looks("call-1"), about, shown)).toBe("read: call-1");
  });

  it("is nothing where there is no file", async () => {
    expect(await tailWith(looks(undefined), about, shown)).toBeUndefined();
  });
});
