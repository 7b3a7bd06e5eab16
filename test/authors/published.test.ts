/** A project of its own, outside the repository, that writes a policy with the published package. */
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT, runNode, scratchFolder, tool, writeFile } from "./support.ts";

const POLICY = `import { type EventOf, type PolicyContext, policy } from "hookwright";

export default policy({
  id: "team/no-vendored-edits",
  summary: "Keeps edits out of vendored code.",
  why: "The next update overwrites them.",
  stage: "scope",
  options: (z) => z.object({ folder: z.string().default("vendor").describe("Where it lies.") }),
  messages: { vendored: "{path} is vendored. Patch it upstream, or copy it out first." },
  examples: { hit: ["Edit \`vendor/lib.js\`"], pass: ["Edit \`src/lib.js\`"] },
  on: {
    "tool.before"(event, ctx) {
      return look(event, ctx);
    },
  },
});

function look(event: EventOf<"tool.before">, ctx: PolicyContext<"vendored", { folder: string }>) {
  const path = event.writes.find((file) => file.includes(\`/\${ctx.options.folder}/\`));
  return path === undefined ? undefined : ctx.deny("vendored", { path });
}
`;

const TEST = `import { createSandbox, edits, shell, testPolicy } from "hookwright/testing";
import { expect, it } from "vitest";
import policy from "./no-vendored-edits.ts";

testPolicy(policy, {
  hit: [
    { name: "vendored", event: edits("vendor/lib.js"), says: "deny", message: "vendored" },
    {
      name: "elsewhere",
      event: edits("third/lib.js"),
      options: { folder: "third" },
      says: "deny",
      message: "vendored",
    },
  ],
  pass: [{ name: "our own", event: edits("src/lib.js") }],
});

it("has a whole engine to itself", async () => {
  const sandbox = createSandbox([policy]);
  const outcomes = [await sandbox.send(edits("vendor/lib.js")), await sandbox.send(shell("true"))];
  sandbox.close();
  expect(outcomes.map(({ ruling }) => ruling.outcome)).toEqual(["deny", "pass"]);
});
`;

/** What strict authors set; their compiler looks into our declarations too. */
const COMPILER = {
  target: "es2023",
  lib: ["es2023"],
  module: "nodenext",
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  allowImportingTsExtensions: true,
  noEmit: true,
};

const folder = scratchFolder();
const packages = path.join(folder, "node_modules");
beforeAll(() => {
  fs.mkdirSync(path.join(packages, "@types"), { recursive: true });
  fs.symlinkSync(ROOT, path.join(packages, "hookwright"));
  for (const name of ["vitest", "@types/node"]) {
    fs.symlinkSync(path.join(ROOT, "node_modules", name), path.join(packages, name));
  }
  writeFile(folder, "package.json", JSON.stringify({ type: "module" }));
  writeFile(folder, "no-vendored-edits.ts", POLICY);
  writeFile(folder, "no-vendored-edits.test.ts", TEST);
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const types = (files: readonly string[], more: object = {}) => {
  writeFile(folder, "tsconfig.json", JSON.stringify({ compilerOptions: { ...COMPILER, ...more }, files }));
  return runNode(folder, tool.tsc);
};

describe("the published package", { timeout: 180_000 }, () => {
  it("has few public names", () => {
    const source = fs.readFileSync(path.join(ROOT, "src/index.ts"), "utf8");
    const names = [...source.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = ""]) => list.split(","));
    expect(names.length).toBeLessThanOrEqual(12);
    expect(names.map((name) => name.trim())).toContain("policy");
  });

  it("type-checks with strict settings, declarations included", () => {
    expect(types(["no-vendored-edits.ts"])).toEqual({ exit: 0, output: "" });
    // vitest's own declarations are its own matter.
    expect(types(["no-vendored-edits.test.ts"], { skipLibCheck: true })).toEqual({ exit: 0, output: "" });
  });

  it("notices a wrong message, a wrong stage and a wrong option", () => {
    const wrong = POLICY.replace('deny("vendored"', 'deny("vendor"')
      .replace('"scope"', '"scopes"')
      .replace("ctx.options.folder", "ctx.options.folders");
    writeFile(folder, "wrong.ts", wrong);
    const { exit, output } = types(["wrong.ts"]);
    expect(exit).not.toBe(0);
    expect(output).toMatch(/'"vendor"' is not assignable/);
    expect(output).toMatch(/'"scopes"' is not assignable/);
    expect(output).toMatch(/'folders' does not exist/);
  });

  it("runs the test, which fails when the policy is broken", () => {
    const whole = runNode(folder, tool.vitest, "run");
    expect(whole.exit, whole.output).toBe(0);
    expect(whole.output).toMatch(/Tests +7 passed/);
    writeFile(folder, "no-vendored-edits.ts", POLICY.replace("path === undefined", "path !== undefined"));
    const broken = runNode(folder, tool.vitest, "run");
    expect(broken.exit, broken.output).toBe(1);
    for (const name of ["hit: '?vendored", "hit: '?elsewhere", "example of a hit: '?Edit `vendor/lib.js`"]) {
      expect(broken.output).toMatch(new RegExp(`FAIL .*team/no-vendored-edits > ${name}`));
    }
  });
});
