// The file that every cold hook loads is made of modules that run when they are first used.
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lazyModules } from "../../scripts/build/lazy-modules.mjs";

const ROOT = path.resolve(import.meta.dirname, "../..");
let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "hw-lazy-"));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** The exports of an entry, and the modules that have run so far. */
async function bundled(root: string, entry: string) {
  const outfile = path.join(folder, "out.cjs");
  await build({
    bundle: true,
    platform: "node",
    format: "cjs",
    logLevel: "silent",
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    plugins: [lazyModules],
  });
  const text = fs.readFileSync(outfile, "utf8");
  const opening = /"(?:lazy|package):([^"]+)"\((?:\w+(?:, \w+)?)?\) \{/g;
  const told = text.replace(opening, (line, name) => `${line} ran.push(${JSON.stringify(name)});`);
  fs.writeFileSync(outfile, `const ran = [];\n${told}\nmodule.exports.ran = ran;`);
  const made = createRequire(import.meta.url)(outfile);
  return { made, text, ran: () => made.ran as string[] };
}

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
}

describe("a bundle of lazy modules", () => {
  it("runs a module once, when something of it is first used", async () => {
    write({
      "main.ts": `import { two } from "./two.ts"; import { one } from "./one.ts";
        export const sum = (): number => one() + two; export const first = (): number => one();`,
      "one.ts": "let calls = 0; export function one(): number { return ++calls; }",
      "two.ts": "export const two: number = 10;",
    });
    const { made, ran } = await bundled(folder, "./main.ts");
    expect(ran()).toEqual([]);
    expect([made.first(), made.first(), [...ran()]]).toEqual([1, 2, ["one.ts"]]);
    expect([made.sum(), ran()]).toEqual([13, ["one.ts", "two.ts"]]);
  });

  it("keeps modules that need each other, classes, defaults, other names and import()", async () => {
    write({
      "main.ts": `import made, { Thing as Other } from "./thing.ts";
        export const name = "main"; export function hello(): string { return made().say(); }
        export const isThing = (): boolean => made() instanceof Other;
        export const later = async (): Promise<unknown> => (await import("./thing.ts")).default().say();`,
      "thing.ts": `import { name as called } from "./main.ts";
        export class Thing { say(): string { return "hello " + called; } }
        export default (): Thing => new Thing();`,
    });
    const { made, ran } = await bundled(folder, "./main.ts");
    const later = made.later();
    expect(ran()).toEqual(["main.ts"]);
    expect([made.hello(), made.isThing(), await later]).toEqual(["hello main", true, "hello main"]);
  });

  it.each([
    ["hands a module on", 'export { one } from "./one.ts";', /cannot be loaded lazily/],
    ["hands all of it on", 'export * from "./one.ts"; export const x = 1;', /cannot be loaded lazily/],
    ["takes it as a value", 'import * as all from "./one.ts"; export const x = (): unknown => all;', /as one value/],
    ["exports nothing", "console.log(1);", /cannot be loaded lazily/],
  ])("is not made of a module that %s", async (_what, text, reason) => {
    write({ "main.ts": text, "one.ts": "export const one = 1;" });
    await expect(bundled(folder, "./main.ts")).rejects.toThrow(reason);
  });
});

it("loads the unit of a program that occurs, and no other, without its examples", async () => {
  const { made, ran, text } = await bundled(ROOT, "./src/effects/families.ts");
  // A unit asks the registry for another one, which makes it a module like any other.
  const seen = () => ran().filter((name) => name !== "src/effects/families.ts");
  const loaded = (name: string) => ran().includes(`src/effects/programs/${name}.ts`);
  expect([made.familiesOf("ls"), seen()]).toEqual([undefined, ["src/effects/programs.gen.ts"]]);
  expect(made.familiesOf("fly")).toHaveLength(1);
  expect(ran().filter((name) => name.startsWith("src/effects/programs/"))).toEqual([
    "src/effects/programs/platforms/fly.ts",
  ]);
  expect(loaded("platforms/heroku")).toBe(false);
  expect(made.unitOf("fly").examples).toBeUndefined();
  expect(text).not.toContain("examples: {");
});
