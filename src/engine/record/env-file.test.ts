import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { exportVariables } from "./env-file.ts";

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-env-"));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

describe("variables for the agent's shell", () => {
  it("arrive unchanged in a real shell, whatever they contain", () => {
    const value = fc.string({ unit: "binary", maxLength: 40 }).map((text) => text.replaceAll("\0", "").toWellFormed());
    fc.assert(
      fc.property(value, (text) => {
        const file = path.join(folder, "env.sh");
        fs.rmSync(file, { force: true });
        expect(exportVariables(file, { VALUE: text })).toEqual(["VALUE"]);
        const shown = execFileSync("sh", ["-c", '. "$0"; printf %s "$VALUE"', file], { encoding: "utf8" });
        expect(shown).toBe(text);
      }),
      { numRuns: 25 },
    );
  });

  it.each(["PATH", "LD_PRELOAD", "BASH_ENV", "HOOKWRIGHT_DISABLE", "a b", "x;y", "1A", ""])("never set %j", (name) => {
    const file = path.join(folder, "env.sh");
    expect(exportVariables(file, { [name]: "x" })).toEqual([]);
    expect(fs.existsSync(file)).toBe(false);
  });

  it("go nowhere without a file, and are added to what is there", () => {
    expect(exportVariables(undefined, { A: "1" })).toEqual([]);
    expect(exportVariables("relative", { A: "1" })).toEqual([]);
    const file = path.join(folder, "env.sh");
    fs.writeFileSync(file, "export B='2'\n");
    exportVariables(file, { A: "1" });
    expect(fs.readFileSync(file, "utf8")).toBe("export B='2'\nexport A='1'\n");
  });
});
