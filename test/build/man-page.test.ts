/** The manual page as the programs that show it read it. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { commands } from "../../src/cli/commands/index.ts";

const PAGE = path.resolve(import.meta.dirname, "../../docs/hookwright.1");
const isHere = (program: string): boolean => spawnSync(program, ["-h"]).error === undefined;

describe.runIf(isHere("man"))("man", () => {
  it("shows every command with its options, and complains about nothing", () => {
    const env = { PATH: process.env.PATH, MANWIDTH: "100", LANG: "C.UTF-8", MANROFFOPT: "-ww", MANPAGER: "cat" };
    const { status, stdout, stderr } = spawnSync("man", ["--warnings=w", "-l", PAGE], { env, encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    for (const { name, options = {} } of commands) {
      const [, section = ""] = stdout.split(new RegExp(`^ {3}${name}$`, "m"));
      expect(section.trimStart().replace(/ +/g, " ").startsWith(`hookwright ${name}`), name).toBe(true);
      const own = section.split(/^ {3}\S/m)[0] ?? "";
      for (const option of Object.keys(options)) expect(own, name).toContain(`--${option}`);
    }
  });
});

describe.runIf(isHere("mandoc"))("mandoc", () => {
  it("has no warning but that the page has no date, which would change it with every release", () => {
    const { stdout, stderr } = spawnSync("mandoc", ["-Tlint", "-Wwarning", PAGE], { encoding: "utf8" });
    const said = `${stdout}${stderr}`.split("\n").filter((line) => line !== "" && !line.includes("missing date"));
    expect(said).toEqual([]);
  });
});

for (const program of ["man", "mandoc"]) if (!isHere(program)) console.log(`skipped: ${program}, which is not here`);
