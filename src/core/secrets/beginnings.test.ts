import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { searchFor } from "./beginnings.ts";

const PATTERNS = ["ghp_", "sk-ant-", "SK[a-f0-9]{4}", "[a-f0-9]-us\\d", "\\.atlas", ":AA", "key", "Q~[\\w~.-]"];

describe.each(["", "i"] as const)("with the flags %o", (flags) => {
  const search = searchFor(PATTERNS, flags);
  const joined = new RegExp(PATTERNS.join("|"), flags);

  it("finds what the patterns joined into one find", () => {
    const piece = fc.constantFrom(
      "g",
      "hp_",
      "sk",
      "-ant-",
      "SK",
      "ab12",
      "-us",
      "7",
      ".atlas",
      ":A",
      "A",
      "KeY",
      "Q~",
      "é",
      "\u212a",
      " ",
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.string({ unit: "grapheme", maxLength: 5 }),
        (pieces, other) => {
          const text = pieces.join("") + other;
          expect(search(text)).toBe(joined.test(text));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each(["", "k", "ke", "key", "xkey", "keyx"])("looks at all of %o", (text) => {
    expect(search(text)).toBe(joined.test(text));
  });
});
