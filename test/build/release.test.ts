/** How a release is made: versions and changelog, and in the long form the whole script without its last step. */
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ReleaseError, writeVersion } from "../../scripts/release/version.mjs";
import { ROOT, scratchFolder } from "../authors/support.ts";
import { IS_LONG } from "../support/long.ts";

const FILES = [
  "package.json",
  "package-lock.json",
  ".claude-plugin/marketplace.json",
  "plugin/.claude-plugin/plugin.json",
  "plugin/omc/.claude-plugin/plugin.json",
  "plugin/verify/.claude-plugin/plugin.json",
];

function copyOf(changelog: string): string {
  const folder = scratchFolder();
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  for (const name of FILES) fs.cpSync(path.join(ROOT, name), path.join(folder, name));
  fs.writeFileSync(path.join(folder, "CHANGELOG.md"), changelog);
  return folder;
}
const SECTION = "# Changelog\n\n## 3.4.5 (unreleased)\n\n- Something.\n\n## 3.4.4 (2026-01-01)\n\n- Older.\n";

describe("a new version", () => {
  it("is written wherever there is one, and nothing else changes", () => {
    const folder = copyOf(SECTION);
    const text = (name: string): string => fs.readFileSync(path.join(folder, name), "utf8");
    const before = Object.fromEntries(FILES.map((name) => [name, text(name)]));
    expect(writeVersion(folder, "3.4.5", "2026-02-03").sort()).toEqual(
      ["CHANGELOG.md", ...FILES.filter((name) => !name.includes("marketplace"))].sort(),
    );
    expect(text("CHANGELOG.md")).toBe(SECTION.replace("(unreleased)", "(2026-02-03)"));
    for (const name of FILES) {
      const [old, made] = [before[name] ?? "", text(name)].map((one) => one.split("\n"));
      const changed = made?.filter((line, at) => line !== old?.[at]) ?? [];
      const versions = name.includes("marketplace") ? 0 : name === "package-lock.json" ? 2 : 1;
      expect(
        changed.map((line) => line.trim()),
        name,
      ).toEqual(Array(versions).fill('"version": "3.4.5",'));
    }
  });

  it.each([
    ["no section", "3.4.6", SECTION, "has no section"],
    ["an empty section", "3.4.5", "# Changelog\n\n## 3.4.5 (unreleased)\n\n## 3.4.4\n", "is empty"],
    ["no version", "next", SECTION, "is not a version"],
  ])("is refused with %s", (_name, version, changelog, said) => {
    const folder = copyOf(changelog);
    expect(() => writeVersion(folder, version, "2026-02-03")).toThrow(ReleaseError);
    expect(() => writeVersion(folder, version, "2026-02-03")).toThrow(said);
    expect(fs.readFileSync(path.join(folder, "package.json"), "utf8")).not.toContain(version);
  });
});

describe.runIf(IS_LONG)("a dry run", () => {
  it("makes everything and changes nothing in the repository", { timeout: 600_000 }, () => {
    const out = scratchFolder();
    onTestFinished(() => fs.rmSync(out, { recursive: true, force: true }));
    const { version } = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8"));
    const state = (): string => execFileSync("git", ["-C", ROOT, "show-ref", "--head"], { encoding: "utf8" });
    const before = state();
    const script = path.join(ROOT, "scripts/release.mjs");
    const done = spawnSync(process.execPath, [script, version, "--dry-run", "--out", out], { encoding: "utf8" });
    expect(done, done.stderr).toMatchObject({ status: 0 });
    expect(state()).toBe(before);
    const sums = fs.readFileSync(path.join(out, "SHA256SUMS"), "utf8");
    for (const name of ["hookwright", "hookwright-client-linux-x64", "hookwright-client-linux-arm64"])
      expect(sums).toContain(`  ${name}-${version}.tgz\n`);
    expect(spawnSync("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: out }).status).toBe(0);
  });
});
