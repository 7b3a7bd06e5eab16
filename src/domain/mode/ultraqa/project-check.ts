import path from "node:path";
import { isObject, type Json } from "../../../core/event.ts";
import type { ModeReader } from "../machine.ts";
import type { UsualGoal } from "./goal-names.ts";
import { conventionIn } from "./project-conventions.ts";

type Read = Pick<ModeReader, "text">;

export interface ProjectCheck {
  readonly command: string;
  /** The folder whose files define it. */
  readonly folder: string;
}

/** The command with which a project checks the goal, from the files of this folder or the nearest one above it. */
export function findCheck(goal: UsualGoal, folder: string, project: string, reader: Read): ProjectCheck | undefined {
  for (const one of foldersUp(folder, project)) {
    const command = definedIn(goal, one, reader) ?? conventionIn(goal, one, reader);
    if (command !== undefined) return { command, folder: one };
  }
  return undefined;
}

/** From the folder up to the project's root. A folder outside, such as a worktree, is looked at alone. */
function foldersUp(folder: string, project: string): string[] {
  const relative = path.relative(project, folder);
  if (relative.startsWith("..") || path.isAbsolute(relative)) return [folder];
  const parts = relative.split(path.sep).filter((part) => part !== "");
  return Array.from({ length: parts.length + 1 }, (_, index) =>
    path.join(project, ...parts.slice(0, parts.length - index)),
  );
}

/** Names under which projects define a check themselves, as a script, target or recipe. */
const NAMES: Readonly<Record<UsualGoal, readonly string[]>> = {
  tests: ["test", "tests"],
  build: ["build"],
  lint: ["lint"],
  typecheck: ["typecheck", "type-check", "check-types", "types", "tsc"],
};
/** Names that mean the goal in a makefile. */
const TARGETS: Readonly<Record<UsualGoal, readonly string[]>> = {
  ...NAMES,
  tests: [...NAMES.tests, "check"],
  build: [...NAMES.build, "all"],
};

/** What the project defines itself says more than what is usual for its language. */
function definedIn(goal: UsualGoal, folder: string, reader: Read): string | undefined {
  const nodeScript = first(NAMES[goal], scriptsOf(path.join(folder, "package.json"), reader));
  if (nodeScript !== undefined) return nodeCommand(folder, nodeScript, reader);
  for (const file of ["GNUmakefile", "makefile", "Makefile"]) {
    const target = first(TARGETS[goal], reader.text(path.join(folder, file), "make targets", targetsIn));
    if (target !== undefined) return `make ${target}`;
  }
  for (const file of ["justfile", "Justfile", ".justfile"]) {
    const recipe = first(TARGETS[goal], reader.text(path.join(folder, file), "just recipes", recipesIn));
    if (recipe !== undefined) return `just ${recipe}`;
  }
  const phpScript = first(NAMES[goal], scriptsOf(path.join(folder, "composer.json"), reader));
  return phpScript === undefined ? undefined : `composer ${phpScript}`;
}

function first(names: readonly string[], defined: readonly string[] = []): string | undefined {
  return names.find((name) => defined.includes(name));
}

/** What `npm init` writes, so that nobody takes it for a test. */
const PLACEHOLDER = /no test specified/i;

function scriptsOf(file: string, reader: Read): readonly string[] | undefined {
  return reader.text(file, "scripts", (text) => {
    const value = parsed(text);
    const scripts = isObject(value) && isObject(value.scripts) ? Object.entries(value.scripts) : [];
    return scripts.filter(([, line]) => !PLACEHOLDER.test(String(line))).map(([name]) => name);
  });
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const LOCK_FILES = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
] as const;

function nodeCommand(folder: string, script: string, reader: Read): string {
  const named = reader.text(path.join(folder, "package.json"), "package manager", (text) => {
    const value = parsed(text);
    const manager = isObject(value) ? value.packageManager : undefined;
    return typeof manager === "string" ? (/^(?:npm|pnpm|yarn|bun)(?=@)/.exec(manager)?.[0] ?? "") : "";
  });
  const isThere = (file: string): boolean => reader.text(path.join(folder, file), "is there", () => true) === true;
  const manager = named || LOCK_FILES.find(([file]) => isThere(file))?.[1] || "npm";
  // `bun test` is a test runner of bun's own, and not the script.
  return script === "test" && manager !== "bun" ? `${manager} test` : `${manager} run ${script}`;
}

/** `test lint: build`; an assignment such as `test := x` is none. */
function targetsIn(text: string): string[] {
  return [...text.matchAll(/^([A-Za-z][^\n:=#]*):(?!=)/gm)].flatMap(([, names = ""]) => names.trim().split(/\s+/));
}

/** The recipes of a justfile, without those that need an argument. */
function recipesIn(text: string): string[] {
  return [...text.matchAll(/^@?([A-Za-z][^\n:#]*):(?!=)/gm)].flatMap(([, head = ""]) => {
    const [name = "", ...parameters] = head.trim().split(/\s+/);
    return parameters.every((parameter) => parameter.includes("=")) ? [name] : [];
  });
}
