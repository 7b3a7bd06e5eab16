import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { budgetFor, DEFAULT_CONTEXT_BUDGET, fitSections, type Section } from "./context-budget.ts";

const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { maxLength: 120 }).map((list) => list.join(" "));
const longText = fc
  .array(fc.stringMatching(/^[a-z]{3,12}$/), { minLength: 130, maxLength: 200 })
  .map((list) => list.join(" "));
const sections = fc.array(fc.record({ policy: fc.constantFrom("p/a", "p/b"), text: words }), { maxLength: 6 });
const joined = (list: readonly Section[]): string => list.map(({ text }) => text).join("\n\n");

describe("context budget", () => {
  it("is never exceeded, and its account is right", () => {
    fc.assert(
      fc.property(sections, fc.integer({ min: 0, max: 3000 }), (list, room) => {
        const fitted = fitSections(list, room);
        expect(joined(fitted.kept).length).toBe(room - fitted.room);
        expect(fitted.room).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it("keeps the order, omits what is empty, and loses nothing without saying so", () => {
    fc.assert(
      fc.property(sections, fc.integer({ min: 0, max: 3000 }), (list, room) => {
        const { kept, left } = fitSections(list, room);
        const real = list.filter(({ text }) => text.trim() !== "");
        expect(kept.length + left.length).toBe(real.length);
        expect(left).toEqual(real.slice(kept.length));
        kept.forEach(({ text }, index) => {
          const whole = real[index]?.text ?? "";
          if (text !== whole) expect(text).toMatch(/ \[…\] \(cut: .+\)$/);
        });
      }),
    );
  });

  it("never cuts inside a word", () => {
    fc.assert(
      fc.property(longText, fc.integer({ min: 160, max: 400 }), (text, room) => {
        const [kept] = fitSections([{ policy: "p/a", text }], room).kept;
        const head = kept?.text.replace(/ \[…\] .*$/, "") ?? "";
        expect(head.length).toBeGreaterThan(0);
        expect(head.length).toBeLessThan(text.length);
        expect([" ", undefined]).toContain(text[head.length]);
        expect(text.startsWith(head)).toBe(true);
      }),
    );
  });

  it("takes a section that fits exactly, and one that is cut down to as little as 80 characters", () => {
    const ending = " […] (cut: x)";
    const textOf = (length: number): string => `${"a".repeat(length)} ${"b".repeat(500)}`;
    const cut = (length: number, room: number): string | undefined =>
      fitSections([{ policy: "p/a", text: textOf(length), pointer: "x" }], room + ending.length).kept[0]?.text;
    const whole = { policy: "p/a", text: "a".repeat(100) };
    expect(fitSections([whole], 100)).toEqual({ kept: [whole], left: [], room: 0 });
    expect(fitSections([whole], 99)).toEqual({ kept: [], left: [whole], room: 99 });
    expect(cut(80, 80)).toBe(`${"a".repeat(80)}${ending}`);
    // A word that ends one character later has no room.
    expect(cut(81, 80)).toBeUndefined();
    expect(cut(79, 80)).toBeUndefined();
    expect(cut(90, 95)).toBe(`${"a".repeat(90)}${ending}`);
  });

  it("cuts nothing where there is less room than the words about the cut take", () => {
    for (const room of [0, 1, 5, 13, 14, 60]) {
      const section = { policy: "p/a", text: "word ".repeat(60), pointer: "x" };
      expect(fitSections([section], room)).toEqual({ kept: [], left: [section], room });
    }
  });

  it("points to where the rest is", () => {
    const text = "word ".repeat(100).trim();
    const [kept] = fitSections([{ policy: "p/a", text, pointer: "docs/long.md" }], 200).kept;
    expect(kept?.text).toContain("(cut: docs/long.md)");
  });

  it("is larger where a session or a prompt starts", () => {
    expect(budgetFor("session.start", DEFAULT_CONTEXT_BUDGET)).toBe(6000);
    expect(budgetFor("tool.before", DEFAULT_CONTEXT_BUDGET)).toBe(2000);
  });
});
