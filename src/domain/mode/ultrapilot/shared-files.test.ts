import { describe, expect, it } from "vitest";
import { compileGlob } from "../../../config/patterns.ts";
import { isSharedFile, SHARED_FILES } from "./shared-files.ts";

const SHARED = [
  ...["package.json", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "tsconfig.json", "tsconfig.build.json"],
  ...["jest.config.js", "jest.config.ts", "vitest.config.ts", ".eslintrc", ".eslintrc.cjs", "eslint.config.mjs"],
  ...[
    ".prettierrc",
    ".prettierrc.json",
    "prettier.config.js",
    ".gitignore",
    "README.md",
    "Makefile",
    "go.mod",
    "go.sum",
  ],
  ...["Cargo.toml", "Cargo.lock", "pyproject.toml", "requirements.txt", "setup.py", "Dockerfile", "docker-compose.yml"],
  ...["docker-compose.prod.yaml", ".github/workflows/ci.yml", ".gitlab-ci.yml"],
];

describe("shared files", () => {
  it.each([...SHARED, "packages/api/package.json", "./package.json", "src/../package.json", ".github", ".github/"])(
    "%s is one",
    (file) => {
      expect(isSharedFile(file)).toBe(true);
    },
  );

  it.each([
    ...[
      "src/a.ts",
      "package.json.bak",
      "my-package.json",
      "tsconfigs.json",
      "README.txt",
      "readme.md",
      "src/package.ts",
    ],
    ...["src/.github/a", ".githubx", "/package.json", "../package.json", "", "."],
  ])("%j is none", (file) => {
    expect(isSharedFile(file)).toBe(false);
  });

  it("are the same for the library that compares the claims", () => {
    const globs = SHARED_FILES.map((pattern) => compileGlob(pattern));
    expect(SHARED.filter((file) => !globs.some(({ matches }) => matches(file)))).toEqual([]);
  });
});
