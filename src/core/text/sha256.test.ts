import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { plainSha256, sha256 } from "./sha256.ts";

const reference = (text: string): string => createHash("sha256").update(text).digest("hex");

const both = (text: string): string[] => [sha256(text), plainSha256(Buffer.from(text))];

it("agrees with the system's own SHA-256", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      expect(both(text)).toEqual([reference(text), reference(text)]);
    }),
  );
  for (const length of [0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 8191, 8192, 8193, 20_000]) {
    for (const text of ["é".repeat(length / 2) + "x".repeat(length % 2), "x".repeat(length)]) {
      expect(both(text)).toEqual([reference(text), reference(text)]);
    }
  }
});
