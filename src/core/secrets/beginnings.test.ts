import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCase, searchFor } from "./beginnings.ts";

const PATTERNS = [
  "ghp_",
  "sk-ant-",
  "SK[a-f0-9]{4}",
  "[a-f0-9]-us\\d",
  "\\.atlas",
  ":AA",
  "[kK][eE][yY]",
  "Q~[\\w~.-]",
];

const search = searchFor(PATTERNS);
const joined = new RegExp(PATTERNS.join("|"));
const PIECES = "g hp_ sk -ant- SK ab12 -us 7 .atlas :A A KeY key Q~ é \u212a".split(" ");

describe("searching for many patterns at once", () => {
  it("is the same for the first texts as for later ones", () => {
    const fresh = searchFor(PATTERNS);
    for (let i = 0; i < 200; i++)
      expect([fresh("a ghp_x"), fresh("ghx"), fresh("12-us3")]).toEqual([true, false, true]);
  });

  it("finds what the patterns joined into one find", () => {
    const piece = fc.constantFrom(...PIECES, " ");
    const other = fc.string({ unit: "grapheme", maxLength: 5 });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), other, (pieces, end) => {
        const text = pieces.join("") + end;
        expect(search(text)).toBe(joined.test(text));
      }),
      { numRuns: 4_000 },
    );
  });

  it.each(["", "k", "ke", "key", "xKEY", "keyx"])("looks at all of %o", (text) => {
    expect(search(text)).toBe(joined.test(text));
  });

  it("finds what lies across the pieces that a long text is looked at in", () => {
    for (let before = 4_080; before < 4_110; before++) {
      for (const filler of ["x", "\u0167"]) {
        expect([before, search(`${filler.repeat(before)}ghp_`)]).toEqual([before, true]);
        expect([before, search(`${filler.repeat(2 * before)}12-us3`)]).toEqual([before, true]);
        expect([before, search(filler.repeat(before))]).toEqual([before, false]);
      }
    }
  });

  it("takes capitals where it is told to", () => {
    expect(anyCase("a-b://")).toBe("[aA]-[bB]://");
  });
});
