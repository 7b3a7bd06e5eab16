import path from "node:path";
import type { Json } from "../../../core/event.ts";
import { isObject } from "../../../core/event.ts";
import type { Import, OutsideReads } from "../../../core/store.ts";
import type { Sessions } from "../sessions.ts";
import { parseRuleFile, type SessionRule } from "./rule.ts";
import { SHIPPED_RULES, type ShippedRule } from "./shipped.ts";

const NAMES = ["guards.json", "injections.json"];

interface RuleFile {
  readonly file: string;
  readonly isPersons: boolean;
}

const places = new Map<string, readonly RuleFile[]>();
const MOST_PLACES = 100;

/** The rule files, the project's first, because later files override: a person's rule replaces a project's of the same id. */
export function ruleFiles(userHome: string, project: string): readonly RuleFile[] {
  const key = `${userHome}\0${project}`;
  let files = places.get(key);
  if (!files) {
    files = placesOf(userHome, project);
    // A cache, because every event asks, mostly for the same few projects.
    if (places.size >= MOST_PLACES) places.clear();
    places.set(key, files);
  }
  return files;
}

function placesOf(userHome: string, project: string): readonly RuleFile[] {
  const folders = [path.join(userHome, ".claude", "engine"), path.join(userHome, ".claude")];
  const persons = folders.flatMap((folder) =>
    NAMES.map((name) => ({ file: path.join(folder, name), isPersons: true })),
  );
  const theirs = NAMES.map((name) => ({ file: path.join(project, ".claude", name), isPersons: false }));
  return [...theirs.filter(({ file }) => !persons.some((one) => one.file === file)), ...persons];
}

/** Are there rules from files, besides the built-in ones? */
export function hasOwnRules(store: Sessions): boolean {
  return store.other(KEY) !== undefined;
}

interface KnownFile {
  readonly rules: readonly SessionRule[];
  /** Why the current content of the file cannot be used; empty when it can. */
  readonly problem: string;
}

const KEY = "rules";

/** Imports changed rule files. An invalid file is recorded as broken, and its previous rules stay in force. */
export function importRules(store: Sessions, look: OutsideReads): ((store: Sessions, to: Import) => void)[] {
  const known = knownFiles(store);
  return ruleFiles(look.userHome, look.project).flatMap(({ file }) => {
    // Fast path for every event: most of these files never existed.
    if (look.info(file) === undefined && !Object.hasOwn(known, file)) return [];
    const fate = look.fate(file);
    if (fate.kind === "same") return [];
    return [
      (to: Sessions, { adopt }: Import) => {
        const { [file]: before, ...others } = knownFiles(to);
        const rules = fate.kind === "changed" ? parseRuleFile(fate.text) : [];
        const next: KnownFile =
          typeof rules === "string" ? { rules: before?.rules ?? [], problem: rules } : { rules, problem: "" };
        to.setOther(KEY, (fate.kind === "gone" ? others : { ...others, [file]: next }) as unknown as Json);
        adopt(file);
      },
    ];
  });
}

function knownFiles(store: Sessions): Readonly<Record<string, KnownFile>> {
  const value = store.other(KEY);
  return isObject(value) ? (value as unknown as Record<string, KnownFile>) : {};
}

export interface RuleSource {
  readonly rule: ShippedRule;
  /** Empty for a built-in rule. */
  readonly file: string;
  readonly isPersons: boolean;
}

/** All rules with their sources. A rule of a later file replaces one with the same id. */
export function allRules(store: Sessions, userHome: string, project: string): readonly RuleSource[] {
  const known = knownFiles(store);
  if (Object.keys(known).length === 0) return SHIPPED_ONLY;
  const rules = new Map<string, RuleSource>();
  for (const rule of SHIPPED_RULES) rules.set(rule.id, { rule, file: "", isPersons: true });
  for (const { file, isPersons } of ruleFiles(userHome, project)) {
    for (const rule of known[file]?.rules ?? []) rules.set(rule.id, { rule, file, isPersons });
  }
  return [...rules.values()].sort((a, b) => a.rule.priority - b.rule.priority);
}

const SHIPPED_ONLY: readonly RuleSource[] = SHIPPED_RULES.map((rule) => ({ rule, file: "", isPersons: true })).sort(
  (a, b) => a.rule.priority - b.rule.priority,
);

export function brokenRules(store: Sessions): { readonly file: string; readonly problem: string }[] {
  return Object.entries(knownFiles(store))
    .filter(([, { problem }]) => problem !== "")
    .map(([file, { problem }]) => ({ file, problem }));
}
