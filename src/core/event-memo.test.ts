import { describe, expect, it } from "vitest";
import { kept } from "./event-memo.ts";

describe("kept", () => {
  it("keeps a value with an object, and another under another name", () => {
    const [sizes, names] = [kept<object, number>(), kept<object, string>()];
    const [one, other] = [{ a: 1 }, [2]];
    sizes.set(one, 3);
    names.set(one, "three");
    sizes.set(other, 4);
    expect([sizes.get(one), names.get(one), sizes.get(other), names.get(other)]).toEqual([3, "three", 4, undefined]);
    sizes.set(one, 5);
    expect([sizes.get(one), names.get(one)]).toEqual([5, "three"]);
  });

  it("knows a value that is undefined from none", () => {
    const seen = kept<object, undefined>();
    const [one, other] = [{}, {}];
    seen.set(one, undefined);
    expect([seen.has(one), seen.has(other)]).toEqual([true, false]);
  });

  it("leaves no trace that others could see or copy", () => {
    const secret = kept<object, string>();
    const one = Object.freeze({ a: 1 });
    secret.set(one, "x");
    expect([secret.get(one), JSON.stringify(one), Reflect.ownKeys(one)]).toEqual(["x", '{"a":1}', ["a"]]);
    expect(one).toEqual({ a: 1 });
    expect(secret.has({ ...one })).toBe(false);
  });
});
