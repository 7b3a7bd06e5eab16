/** What every policy has, whoever wrote it. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { registry } from "../../src/policies/index.gen.ts";
import { ROOT } from "./support.ts";

const LONGEST = 120;
const POLICIES = path.join(ROOT, "src/policies");
const read = (file: string): string => fs.readFileSync(path.join(ROOT, file), "utf8");
const filesIn = (folder: string, ending: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.split(path.sep).join("/"))
    .filter((name) => name.includes("/") && name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .sort();

const ids = registry.map(({ id }) => id);

describe("policies", () => {
  it("are the registry, the files, their tests and their pages, one for one", () => {
    expect(ids).not.toEqual([]);
    expect(filesIn(POLICIES, ".ts").filter((name) => !name.endsWith(".test"))).toEqual(ids);
    expect(filesIn(POLICIES, ".test.ts")).toEqual(ids);
    expect(filesIn(path.join(ROOT, "docs/policies"), ".md")).toEqual(ids);
  });

  it.each(registry.map((entry) => [entry.id, entry] as const))("%s", async (id, entry) => {
    const { default: policy } = await entry.load();
    expect(policy.id).toBe(id);
    expect(entry.pack).toBe(id.split("/")[0]);
    expect(read(`src/policies/${id}.ts`).split("\n").length - 1).toBeLessThanOrEqual(LONGEST);
    // testPolicy demands a hit for every message; a test that goes around it would not.
    expect(read(`src/policies/${id}.test.ts`)).toMatch(/^testPolicy\(policy, /m);
    const page = read(`docs/policies/${id}.md`);
    for (const part of [
      `# ${id}\n`,
      `\`${policy.stage}\``,
      ...Object.keys(policy.messages).map((name) => `| \`${name}\` |`),
    ]) {
      expect(page).toContain(part);
    }
  });
});
