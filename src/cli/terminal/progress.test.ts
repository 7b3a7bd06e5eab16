import { spawnSync } from "node:child_process";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DIST, World } from "../../../test/support/world.ts";
import { progressOn } from "./progress.ts";

function streamOf(terminal: { isTTY?: boolean; columns?: number }) {
  let written = "";
  const write = (text: string): boolean => {
    written += text;
    return true;
  };
  return { ...terminal, write, written: () => written };
}

describe("the line", () => {
  test("is replaced by the next step and erased once", () => {
    const stream = streamOf({ isTTY: true, columns: 80 });
    const progress = progressOn(stream, {});
    progress.clear();
    progress.show("Checking a");
    progress.show("Checking b");
    progress.clear();
    progress.clear();
    expect(stream.written()).toBe("\r\u001b[KChecking a …\r\u001b[KChecking b …\r\u001b[K");
  });

  test("fits into the terminal and obeys nothing that stands in a name", () => {
    const stream = streamOf({ isTTY: true, columns: 20 });
    progressOn(stream, {}).show(`Reading \u001b[31m${"long ".repeat(20)}`);
    const line = stream.written().slice("\r\u001b[K".length);
    expect(line).toBe("Reading \\u{1b}[31m…");
    expect(line.length).toBeLessThan(20);
  });

  test.each([
    ["a program that reads along", {}, {}],
    ["a terminal that cannot erase", { isTTY: true }, { TERM: "dumb" }],
  ])("does not reach %s", (_name, terminal, env) => {
    const stream = streamOf(terminal);
    const progress = progressOn(stream, env);
    progress.show("Checking a");
    progress.clear();
    expect(stream.written()).toBe("");
  });
});

const ERASE = "\r\u001b[K";
/** Runs a command in a pseudo-terminal with `script`. */
const hasScript = spawnSync("script", ["--version"]).status === 0;

describe("doctor", () => {
  let world: World;
  beforeEach(() => {
    world = new World();
  });
  afterEach(() => world.dispose());
  const launcher = path.join(path.dirname(DIST), "bin", "hookwright.mjs");
  function inTerminal(command: string): string {
    const env = { ...world.environment, PATH: process.env.PATH, TERM: "xterm" };
    return spawnSync("script", ["-qec", command, "/dev/null"], { env, encoding: "utf8" }).stdout;
  }

  test.skipIf(!hasScript)("says in a terminal what it is checking, and erases that", () => {
    const output = inTerminal(`'${process.execPath}' '${launcher}' doctor`);
    const parts = output.split(ERASE);
    expect(parts).toContain("Checking whether the client answers …");
    expect(output).toMatch(/Measuring one event, run \d+ of \d+ …/);
    expect(parts.at(-1)).toContain("switched on");
    expect(parts.at(-1)).not.toContain("…");
  });

  test("does not when a program reads along", async () => {
    expect((await world.hookwright("doctor")).stderr).toBe("");
  });
});
