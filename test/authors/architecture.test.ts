/** ARCHITECTURE.md walks through two events. Its walk is compared with a trace of each. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { traceEvent } from "../../scripts/trace-event.mjs";

const ROOT = path.resolve(import.meta.dirname, "../..");
const TEXT = fs.readFileSync(path.join(ROOT, "ARCHITECTURE.md"), "utf8");

describe.each([
  ["One PreToolUse event", "pre-tool-use"],
  ["One Stop event", "stop"],
] as const)("%s", (heading, event) => {
  it("passes the functions of the table in their order", async () => {
    const { functions } = await traceEvent({ event });
    const entered = functions.map(({ file, name }) => `${file} ${name}`);
    const steps = stepsUnder(heading);
    expect(steps.length).toBeGreaterThan(10);
    expect(steps.filter((step) => !entered.includes(step))).toEqual([]);
    const inOrder = [...steps].sort((a, b) => entered.indexOf(a) - entered.indexOf(b));
    expect(steps).toEqual(inOrder);
  });
});

describe("the map", () => {
  it("names rooms and files that exist", () => {
    const named = [...TEXT.matchAll(/`((?:src|client|test|bench|scripts|plugin|schema|docs)\/[\w./-]*)(?:<\w+>\/)?`/g)];
    const missing = named.map(([, name = ""]) => name).filter((name) => !fs.existsSync(path.join(ROOT, name)));
    expect(named.length).toBeGreaterThan(40);
    expect(missing).toEqual([]);
  });

  it("names every room", () => {
    const rooms = fs.readdirSync(path.join(ROOT, "src"), { withFileTypes: true }).filter((one) => one.isDirectory());
    expect(rooms.map(({ name }) => name).filter((name) => !TEXT.includes(`\`src/${name}/`))).toEqual([]);
  });
});

/** `file function` of each row of the table below a heading. */
function stepsUnder(heading: string): string[] {
  const [section = ""] = (TEXT.split(`## ${heading}\n`)[1] ?? "").split("\n## ");
  return [...section.matchAll(/^\| `([^`]+)` \| `([^`]+)` \|/gm)].map(([, file, name]) => `${file} ${name}`);
}
