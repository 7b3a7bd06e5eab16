import path from "node:path";
import { mayCover } from "../../claims/patterns-meet.ts";

/** Names of files that several parts of a project depend on, in any folder. */
const NAMES = [
  ...["package.json", "package-lock.json", "yarn.lock", "pnpm-lock.yaml"],
  ...["tsconfig.json", "tsconfig.*.json"],
  ...["jest.config.*", "vitest.config.*"],
  ...[".eslintrc", ".eslintrc.*", "eslint.config.*", ".prettierrc", ".prettierrc.*", "prettier.config.*"],
  ...[".gitignore", "README.md", "Makefile"],
  ...["go.mod", "go.sum", "Cargo.toml", "Cargo.lock"],
  ...["pyproject.toml", "requirements.txt", "setup.py"],
  ...["Dockerfile", "docker-compose.yml", "docker-compose.yaml", "docker-compose.*.yml", "docker-compose.*.yaml"],
  ...[".gitlab-ci.yml"],
];

/** The files that only the coordinator of an ultrapilot run may change, as patterns of claims. */
export const SHARED_FILES: readonly string[] = [...NAMES.map((name) => `**/${name}`), ".github"];

/** `relativePath` is relative to the project; a file outside it is never shared. */
export function isSharedFile(relativePath: string): boolean {
  if (path.posix.isAbsolute(relativePath)) return false;
  const name = path.posix.normalize(relativePath).replace(/\/+$/, "");
  return !name.startsWith("../") && SHARED_FILES.some((pattern) => mayCover(pattern, name));
}
