import path from "node:path";
import type { PolicyContext } from "../../core/policy.ts";
import { below, linkedWorktree } from "../claims/file-names.ts";
import type { Excerpt } from "./excerpts.ts";
import { type RuleFile, ruleFilesFor } from "./rule-files.ts";
import { type RuleText, ruleTextOf } from "./rule-text.ts";

const ABOUT = "rule";
const LARGEST = 64 * 1024;

/** A file that was touched, and the project that it belongs to. */
export interface Target {
  readonly file: string;
  /** The root of the project, or of the linked worktree that the file is in. */
  readonly root: string;
  /** Relative to it. */
  readonly name: string;
}

export interface Rule extends RuleFile {
  /** Why it is for this file, as messages say it. */
  readonly why: string;
  readonly says: RuleText;
}

export interface FoundRules {
  /** The nearest first. */
  readonly rules: readonly Rule[];
  /** Files that are no readable text. */
  readonly unusable: readonly string[];
}

/** Which rules are known already: by their real path, or by what they say. */
export interface KnownRules {
  hasFile(real: string): boolean;
  hasContent(content: string): boolean;
}

/** Undefined for a file outside of the project. */
export function targetOf(
  file: string,
  project: string,
  reader: Pick<PolicyContext, "info" | "read">,
): Target | undefined {
  const root = below(project, file) === undefined ? linkedWorktree(file, reader) : project;
  return root === undefined ? undefined : { file, root, name: path.relative(root, file) };
}

/** The rules for a file that are not known yet. */
export function newRules(target: Target, reader: PolicyContext, known: KnownRules): FoundRules {
  const rules: Rule[] = [];
  const unusable: string[] = [];
  const contents = new Set<string>();
  const itself = reader.realPath(target.file);
  for (const file of ruleFilesFor(path.dirname(target.file), target.root, reader)) {
    const { real, shown } = file;
    if (real === itself || known.hasFile(real)) continue;
    const says = reader.read.text(real, ABOUT, ruleTextOf, LARGEST);
    if (!says?.isText) {
      const isThere = says !== undefined || reader.info(real)?.kind === "file";
      if (isThere) unusable.push(shown);
      continue;
    }
    const why = reasonOf(file, says, target, reader);
    if (why === undefined || says.body === "" || contents.has(says.content) || known.hasContent(says.content)) continue;
    contents.add(says.content);
    rules.push({ ...file, why, says });
  }
  return { rules, unusable };
}

export function excerptOf({ shown, why, says }: Rule): Excerpt {
  return { file: shown, why, text: says.body, isCut: says.isCut };
}

/** A pattern is relative to the root, or to the folder that the folder of rules stands in. */
function reasonOf(rule: RuleFile, says: RuleText, { file, name }: Target, { glob }: Pick<PolicyContext, "glob">) {
  if (rule.isForAll || says.isForAll) return "for all files";
  const names = [name, path.relative(rule.base, file)];
  const pattern = says.patterns.find((one) => names.some((two) => glob(one, two) === true));
  return pattern === undefined ? undefined : `for ${pattern}`;
}
