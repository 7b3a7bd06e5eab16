/** What `npm run new-program` makes, and what it refuses. */
import fs from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { IS_LONG } from "../support/long.ts";
import { checkout, type Finished, runNode, tool } from "./support.ts";

const folder = checkout();
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const FOLDER = "src/effects/programs";
const newProgram = (...args: string[]): Finished => runNode(folder, "scripts/new-program.mjs", ...args);
const read = (file: string): string => fs.readFileSync(path.join(folder, file), "utf8");
const files = (): string[] => fs.readdirSync(path.join(folder, FOLDER), { recursive: true, encoding: "utf8" }).sort();

describe("a new program", { timeout: 600_000 }, () => {
  it.each([
    [[], "Usage: npm run new-program NAME"],
    [["one", "two"], "Usage: npm run new-program NAME"],
    [["one", "--families", "clouds"], "Usage: npm run new-program NAME"],
    [["../one"], '"../one" cannot be a program: letters, digits'],
    [["a b"], '"a b" cannot be a program'],
    [["x".repeat(41)], "cannot be a program"],
    [["one", "--family", "skies"], 'There is no family "skies". Known: accounts, app-releases'],
    [["one", "--kind", "loss"], 'There is no kind "loss". Known: delete-tree'],
    [["flyctl"], "flyctl is known already: add its rules to src/effects/programs/platforms/fly.ts."],
    [["rm"], 'rm is known already: the code of the table "deleting" reads it.'],
    [
      ["aws-texts", "--family", "clouds"],
      "src/effects/programs/clouds/aws-texts.ts exists already. Nothing was written.",
    ],
  ] satisfies [string[], string][])("%j", (args, said) => {
    const before = files();
    const { exit, output } = newProgram(...args);
    expect(output).toContain(said);
    expect(exit).toBe(1);
    expect(files()).toEqual(before);
  });

  it.runIf(IS_LONG)("is well formed, registered and not finished", () => {
    const made = newProgram("Skiff_ctl.sh", "--family", "platforms", "--kind", "destroy-database");
    expect(made.exit, made.output).toBe(0);
    const file = `${FOLDER}/platforms/skiff-ctl-sh.ts`;
    expect(made.output).toContain(`1. Write the rules and examples in ${file}`);
    expect(made.output).not.toContain("Move it to a family");
    expect(newProgram("plain").output).toContain("2. Move it to a family: accounts, ");
    expect(read(file)).toMatch(/names: \["Skiff_ctl\.sh"\],\n {2}kind: "destroy-database",/);
    expect(read("src/effects/programs.gen.ts")).toContain("Skiff_ctl.sh platforms/skiff-ctl-sh");
    expect(read("docs/programs.md")).toContain("| `Skiff_ctl.sh` | removes data from a database |");

    const formatted = runNode(folder, tool.biome, "check", file, `${FOLDER}/other/plain.ts`);
    expect(formatted.exit, formatted.output).toBe(0);
    const tested = runNode(folder, tool.vitest, "run", `${FOLDER}/units.test.ts`, "-t", "platforms/skiff-ctl-sh");
    expect(tested.exit).toBe(1);
    expect(tested.output).toContain("Add to `hit` a line that must be asked about.");
  });
});
