import { describe, expect, it } from "vitest";
import { cachedPorts, openFileCache } from "./file-cache.ts";
import { system } from "./system.ts";

function counted(answers: readonly (string | undefined)[]) {
  let reads = 0;
  return { read: () => answers[reads++], reads: () => reads };
}

describe("the file cache", () => {
  it("reads again only when the value is no longer fresh", () => {
    let now = 0;
    const cached = openFileCache(() => now);
    const { read } = counted(["first", "second", "third"]);
    const seen: unknown[] = [];
    for (now of [0, 1, 1.9, 2, 3.9, 4]) seen.push(cached("a", read));
    expect(seen).toEqual(["first", "first", "first", "second", "second", "third"]);
  });

  it("remembers that there was nothing", () => {
    const cached = openFileCache(() => 0);
    const { read, reads } = counted([undefined, "new"]);
    expect([cached("a", read), cached("a", read), reads()]).toEqual([undefined, undefined, 1]);
  });

  it("keeps names apart", () => {
    const cached = openFileCache(() => 0);
    expect([cached("a", () => 1), cached("b", () => 2), cached("a", () => 3)]).toEqual([1, 2, 1]);
  });

  it("keeps what a path is apart from what it lists", () => {
    const here = import.meta.dirname;
    const ports = cachedPorts(system, openFileCache());
    expect(ports.info(here)?.kind).toBe("directory");
    expect(ports.list(here)).toContain("file-cache.test.ts");
  });
});
