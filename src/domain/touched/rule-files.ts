import path from "node:path";
import type { PolicyContext } from "../../core/policy.ts";
import { below } from "../claims/file-names.ts";
import { foldersUpTo } from "./visited-folders.ts";

/** What finding rule files reads of the outside. */
export type RuleReader = Pick<PolicyContext, "list" | "realPath">;

export interface RuleFile {
  /** Without links. */
  readonly real: string;
  /** As messages show it: relative to the root. */
  readonly shown: string;
  /** The folder that its own folder of rules stands in. */
  readonly base: string;
  /** It has no patterns, because it is for all files. */
  readonly isForAll: boolean;
}

/** Folders of rules, and which of their files are rules. `.claude/rules` is not one: the agent loads that itself. */
const RULE_FOLDERS: readonly (readonly [folder: string, name: RegExp])[] = [
  [".github/instructions", /\.instructions\.md$/],
  [".cursor/rules", /\.mdc?$/],
];
const FOR_ALL = ".github/copilot-instructions.md";
const DEEPEST = 5;
const MOST_FILES = 200;

/** The rule files for a file in this folder, the nearest first. Links that lead out of the root are not followed. */
export function ruleFilesFor(dir: string, root: string, reader: RuleReader): RuleFile[] {
  const realRoot = reader.realPath(root);
  const isInside = (real: string): boolean => below(realRoot, real) !== undefined;
  const found = new Map<string, RuleFile>();
  const add = (file: string, base: string, isForAll: boolean): void => {
    const real = reader.realPath(file);
    if (found.has(real) || found.size >= MOST_FILES || !isInside(real)) return;
    found.set(real, { real, shown: path.relative(root, file), base, isForAll });
  };
  const folders = new Set<string>();
  const walk = (folder: string, name: RegExp, base: string, depth: number): void => {
    const real = reader.realPath(folder);
    if (depth > DEEPEST || folders.has(real) || !isInside(real)) return;
    folders.add(real);
    for (const entry of [...(reader.list(real) ?? [])].sort()) {
      const place = path.join(folder, entry);
      if (name.test(entry)) add(place, base, false);
      else walk(place, name, base, depth + 1);
    }
  };
  for (const base of foldersUpTo(root, dir))
    for (const [folder, name] of RULE_FOLDERS) walk(path.join(base, folder), name, base, 1);
  add(path.join(root, FOR_ALL), root, true);
  return [...found.values()];
}
