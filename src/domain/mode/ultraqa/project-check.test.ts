import { describe, expect, it } from "vitest";
import { PROJECT } from "../../../testing/events.ts";
import type { UsualGoal } from "./goal-names.ts";
import { findCheck } from "./project-check.ts";
import { readerOf } from "./ultraqa.samples.ts";

const scripts = (...names: string[]): string =>
  JSON.stringify({ scripts: Object.fromEntries(names.map((name) => [name, `run ${name}`])) });
const find = (goal: UsualGoal, files: Record<string, string>, folder = PROJECT) =>
  findCheck(goal, folder, PROJECT, readerOf(files));

const NODE = { "package.json": scripts("test", "build", "lint", "typecheck") };
const RUST = { "Cargo.toml": "[package]" };
const GO = { "go.mod": "module x" };
const MAKE = { Makefile: ".PHONY: test\nCC := gcc\ntest lint: all\n\tgo test ./...\nall:\n\tgo build\n" };
const PY = { "pyproject.toml": '[tool.pytest.ini_options]\n[tool.ruff]\n[project]\ndependencies = ["mypy"]' };

describe("the check of a project", () => {
  it.each<[UsualGoal, string, Record<string, string>, string | undefined]>([
    ["tests", "npm", NODE, "npm test"],
    ["build", "npm", NODE, "npm run build"],
    ["lint", "npm", NODE, "npm run lint"],
    ["typecheck", "npm", NODE, "npm run typecheck"],
    ["typecheck", "npm, another name", { "package.json": scripts("check-types") }, "npm run check-types"],
    ["tests", "pnpm", { ...NODE, "pnpm-lock.yaml": "" }, "pnpm test"],
    ["tests", "yarn", { ...NODE, "yarn.lock": "" }, "yarn test"],
    ["lint", "yarn", { ...NODE, "yarn.lock": "" }, "yarn run lint"],
    ["tests", "bun", { ...NODE, "bun.lock": "" }, "bun run test"],
    [
      "tests",
      "a named manager, which counts more than a lock file",
      { "package.json": '{"packageManager": "pnpm@9.1.0", "scripts": {"test": "x"}}', "yarn.lock": "" },
      "pnpm test",
    ],
    [
      "tests",
      "the placeholder of npm init",
      { "package.json": '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}' },
      undefined,
    ],
    ["tests", "a broken package.json", { "package.json": "{" }, undefined],
    ["tests", "a package.json without scripts", { "package.json": "[]" }, undefined],
    ["tests", "a makefile", MAKE, "make test"],
    ["lint", "a makefile with two targets in one rule", MAKE, "make lint"],
    ["build", "a makefile with `all`", MAKE, "make all"],
    ["typecheck", "a makefile without that target", MAKE, undefined],
    ["tests", "an assignment in a makefile", { Makefile: "test := x\ntests = y\n" }, undefined],
    ["tests", "a makefile with `check`", { GNUmakefile: "check:\n\t./run\n" }, "make check"],
    ["tests", "a justfile", { justfile: "test:\n  cargo test\n" }, "just test"],
    ["tests", "a recipe with a default", { justfile: "test filter='':\n  cargo test\n" }, "just test"],
    ["tests", "a recipe that needs an argument", { justfile: "test filter:\n  cargo test\n" }, undefined],
    ["tests", "composer", { "composer.json": scripts("test") }, "composer test"],
    ["tests", "cargo", RUST, "cargo test"],
    ["build", "cargo", RUST, "cargo build"],
    ["lint", "cargo", RUST, "cargo clippy -- -D warnings"],
    ["typecheck", "cargo", RUST, "cargo check"],
    ["tests", "go", GO, "go test ./..."],
    ["lint", "go", GO, "go vet ./..."],
    ["tests", "a makefile counts more than the language", { ...GO, ...MAKE }, "make test"],
    ["tests", "a script counts more than a makefile", { ...NODE, ...MAKE }, "npm test"],
    ["typecheck", "the language, where no script is", { ...MAKE, "tsconfig.json": "{}" }, "npx tsc --noEmit"],
    ["lint", "biome", { "biome.json": "{}" }, "npx biome check"],
    ["lint", "eslint", { "eslint.config.mjs": "" }, "npx eslint ."],
    ["tests", "maven with its wrapper", { "pom.xml": "", mvnw: "" }, "./mvnw test"],
    ["tests", "maven", { "pom.xml": "" }, "mvn test"],
    ["tests", "gradle with its wrapper", { "build.gradle.kts": "", gradlew: "" }, "./gradlew test"],
    ["tests", "pytest", PY, "pytest"],
    ["lint", "ruff", PY, "ruff check ."],
    ["typecheck", "mypy", PY, "mypy ."],
    ["build", "python", PY, undefined],
    ["tests", "pytest with uv", { ...PY, "uv.lock": "" }, "uv run pytest"],
    ["tests", "pytest with poetry", { ...PY, "poetry.lock": "" }, "poetry run pytest"],
    ["tests", "pytest in its own environment", { ...PY, ".venv/pyvenv.cfg": "" }, ".venv/bin/pytest"],
    ["tests", "pytest by its configuration", { "pytest.ini": "" }, "pytest"],
    ["tests", "django", { "manage.py": "", "requirements.txt": "django" }, "python3 manage.py test"],
    ["tests", "unittest", { "setup.py": "" }, "python3 -m unittest"],
    ["tests", "elixir", { "mix.exs": "" }, "mix test"],
    ["tests", "deno", { "deno.json": "{}" }, "deno test"],
    ["tests", "nothing", { "README.md": "" }, undefined],
  ])("%s: %s", (goal, _name, files, command) => {
    expect(find(goal, files)?.command).toBe(command);
  });

  it.each<[string, Record<string, string>, string, unknown]>([
    [
      "the nearest folder",
      { ...NODE, "web/package.json": scripts("test"), "web/yarn.lock": "" },
      `${PROJECT}/web/src`,
      { command: "yarn test", folder: `${PROJECT}/web` },
    ],
    [
      "a folder above",
      { ...NODE, "web/package.json": scripts("start") },
      `${PROJECT}/web`,
      { command: "npm test", folder: PROJECT },
    ],
    [
      "a worktree outside",
      { "/wt/package.json": scripts("test"), ...RUST },
      "/wt",
      { command: "npm test", folder: "/wt" },
    ],
    ["nothing above a folder outside", { "/wt/package.json": scripts("test"), ...RUST }, "/wt/web", undefined],
    ["nothing above the project", { "/home/dev/package.json": scripts("test") }, `${PROJECT}/web`, undefined],
    ["a folder whose name begins like the project's", { ...NODE }, `${PROJECT}-2`, undefined],
  ])("is that of %s", (_name, files, folder, found) => {
    expect(find("tests", files, folder)).toEqual(found);
  });

  it("reads a makefile of any size in one pass", () => {
    const lines = `${"a ".repeat(200_000)}\n${" ".repeat(200_000)}x\ntest:\n`;
    expect(find("tests", { Makefile: lines })?.command).toBe("make test");
  });
});
