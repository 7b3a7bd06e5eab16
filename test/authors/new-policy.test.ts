/** What `npm run new-policy` makes, what it refuses, and whether stale pages are noticed. */
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { IS_LONG } from "../support/long.ts";
import { checkout, type Finished, runNode, tool, writeFile } from "./support.ts";

const folder = checkout();
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const newPolicy = (...args: string[]): Finished => runNode(folder, "scripts/new-policy.mjs", ...args);
const check = (): Finished => runNode(folder, "scripts/generate.mjs", "--check");
const policyFiles = (): string[] =>
  fs.readdirSync(path.join(folder, "src/policies"), { recursive: true, encoding: "utf8" }).sort();

/** The script's own judgement of a name, asked without starting it each time. */
const nameParts = async (id: string): Promise<unknown> => {
  const file = pathToFileURL(path.join(folder, "scripts/generate/policy-template.mjs")).href;
  const loaded = (await import(file)) as { nameParts(id: string): unknown };
  return loaded.nameParts(id);
};

describe("a name", () => {
  it.each(["safety/one", "new-pack/a1", `x/${"y".repeat(40)}`])("can be %s", async (id) => {
    expect(await nameParts(id)).toEqual(id.split("/"));
  });

  it.each([
    ...["", "safety", "safety/", "/safety/one", "safety/one/two", "../policies/one", "safety/..", "./one"],
    ...[
      "safety/..%2fone",
      "safety\\one",
      "Safety/one",
      "safety/oneTwo",
      "safety/one_two",
      "safety/-one",
      "safety/one-",
    ],
    ...["safety/one--two", "safety/one.test", "safety/one\n", "safety/1one", "safety/é", `safety/${"x".repeat(41)}`],
  ])("cannot be %j", async (id) => {
    expect(await nameParts(id)).toBeUndefined();
  });
});

describe("a new policy", { timeout: 180_000 }, () => {
  it.each([
    [[], "Usage: npm run new-policy pack/name"],
    [["safety/one", "--stages", "scope"], "Usage: npm run new-policy pack/name"],
    [["../policies/one"], '"../policies/one" cannot be a policy: its name is pack/name'],
    [["safety/protected-paths"], "src/policies/safety/protected-paths.ts exists already. Nothing was written."],
    [["safety/one", "--stage", "scopes"], 'There is no stage "scopes". Known: security, destructive'],
    [["safety/one", "--event", "PreToolUse"], 'There is no event "PreToolUse". Known: tool.before'],
    [["safety/one", "--event", "session.end"], "A policy of the scope stage can say nothing at session.end."],
  ] satisfies [string[], string][])("%j", (args, said) => {
    const before = policyFiles();
    const { exit, output } = newPolicy(...args);
    expect(output).toContain(said);
    expect(exit).toBe(1);
    expect(policyFiles()).toEqual(before);
  });

  it("keeps a test that is already there", () => {
    writeFile(folder, "src/policies/safety/half.test.ts", "// mine\n");
    expect(newPolicy("safety/half").output).toContain("src/policies/safety/half.test.ts exists already");
    expect(fs.existsSync(path.join(folder, "src/policies/safety/half.ts"))).toBe(false);
    fs.rmSync(path.join(folder, "src/policies/safety/half.test.ts"));
  });

  it("is well formed, documented and not finished", () => {
    const known = newPolicy("ntm/first-steps");
    expect(known.exit, known.output).toBe(0);
    expect(known.output).toContain("wrote docs/policies/ntm/first-steps.md");
    expect(known.output).not.toContain("profiles.ts");
    const unknown = newPolicy("fresh-pack/a1", "--stage", "advice", "--event", "worktree.create");
    expect(unknown.exit, unknown.output).toBe(0);
    expect(unknown.output).toContain('3. Add the pack "fresh-pack" to a profile in src/core/settings/profiles.ts');

    const read = (file: string): string => fs.readFileSync(path.join(folder, file), "utf8");
    expect(read("src/policies/ntm/first-steps.ts")).toMatch(/stage: "ntm",.*"tool\.before"\(.*: return ctx\.deny\(/s);
    expect(read("src/policies/fresh-pack/a1.ts")).toMatch(/stage: "advice",.*can be said here: rewrite\.\n/s);
    expect(read("src/policies/index.gen.ts")).toContain('import("./fresh-pack/a1.ts")');

    const made = ["ntm/first-steps", "fresh-pack/a1"].map((id) => `src/policies/${id}`);
    const files = made.flatMap((file) => [`${file}.ts`, `${file}.test.ts`]);
    const formatted = runNode(folder, tool.biome, "check", ...files);
    expect(formatted.exit, formatted.output).toBe(0);
    // The walk-through starts the test of a new policy as well; this way every stage and event is checked.
    if (!IS_LONG) return;
    writeFile(folder, "tsconfig.new.json", JSON.stringify({ extends: "./tsconfig.json", files, include: [] }));
    expect(runNode(folder, tool.tsc, "--project", "tsconfig.new.json")).toEqual({ exit: 0, output: "" });
    const tested = runNode(folder, tool.vitest, "run", ...files.filter((file) => file.endsWith(".test.ts")));
    expect(tested.exit).toBe(1);
    expect(tested.output).toMatch(/Tests +2 failed \(2\)/);
    expect(tested.output).toContain("No case says `explained`: add an event to `hit`");
    expect(tested.output).toContain("Nothing passes: add an event to `pass`");
  });
});

describe("generated pages", { timeout: 180_000 }, () => {
  // `.ci/run` has the long form of this file as a step of its own.
  it.runIf(IS_LONG)("fail the check when they are stale or have lost their source", () => {
    const pages = ["docs/cli.md", "docs/errors.md", "docs/order.md", "docs/policies/README.md"];
    for (const page of [...pages, "docs/policies/safety/own-commands.md"])
      fs.appendFileSync(path.join(folder, page), "x");
    writeFile(folder, "docs/policies/safety/gone.md", "");
    writeFile(folder, "docs/policies/old/.hidden", "");
    const { exit, output } = check();
    expect(exit).toBe(1);
    expect(output.trim().split("\n").sort()).toEqual(
      [
        ...[...pages, "docs/policies/safety/own-commands.md"].map((page) => `${page} is out of date`),
        ...["docs/policies/safety/gone.md", "docs/policies/old/.hidden"].map((page) => `${page} has lost its source`),
      ]
        .map((line) => `${line}: run \`npm run generate\``)
        .sort(),
    );
    expect(runNode(folder, "scripts/generate.mjs").output).toContain("removed docs/policies/safety/gone.md");
    expect(check()).toEqual({ exit: 0, output: "" });
  });
});
