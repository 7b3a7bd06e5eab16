import { describe, expect, it } from "vitest";
import { LOOK_YOURSELF } from "./folders.ts";
import { glances, glancing, lookAlways } from "./glances.ts";
import { system } from "./system.ts";

function counted(answers: readonly (string | undefined)[]) {
  let looks = 0;
  return { look: () => answers[looks++], looks: () => looks };
}

describe("glances", () => {
  it("looks again only when what was seen is no longer fresh", () => {
    let now = 0;
    const glance = glances(() => now);
    const { look } = counted(["first", "second", "third"]);
    const seen: unknown[] = [];
    for (now of [0, 1, 1.9, 2, 3.9, 4]) seen.push(glance("a", look));
    expect(seen).toEqual(["first", "first", "first", "second", "second", "third"]);
  });

  it("remembers that there was nothing", () => {
    const glance = glances(() => 0);
    const { look, looks } = counted([undefined, "late"]);
    expect([glance("a", look), glance("a", look), looks()]).toEqual([undefined, undefined, 1]);
  });

  it("keeps names apart", () => {
    const glance = glances(() => 0);
    expect([glance("a", () => 1), glance("b", () => 2), glance("a", () => 3)]).toEqual([1, 2, 1]);
  });

  it("keeps whether a file is there apart from what it lists, and nothing where it must not", () => {
    const here = import.meta.dirname;
    const ports = glancing(system, glances(), LOOK_YOURSELF);
    expect(ports.info(here)?.kind).toBe("directory");
    expect(ports.list(here)).toContain("glances.test.ts");
    const { look, looks } = counted(["a", "b"]);
    lookAlways("x", look);
    expect([lookAlways("x", look), looks()]).toEqual(["b", 2]);
  });
});
