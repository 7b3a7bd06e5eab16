import { readOptions } from "../options.ts";
import { subcommandOf } from "../subcommand.ts";
import { type EffectKind, effect, type Family } from "./effect.ts";
import { has, scriptOf } from "./git-command.ts";

interface Rule {
  readonly why: string;
  readonly kind?: EffectKind;
  /** Only with one of these options. */
  readonly with?: string;
  /** Not with any of these. */
  readonly without?: string;
  /** Only with a path or a revision. */
  readonly operands?: true;
}

interface System {
  /** Options before the subcommand that take a value. */
  readonly short: string;
  readonly long: string;
  readonly rules: Readonly<Record<string, Rule>>;
}

const UPDATE: Rule = { why: "throws away uncommitted changes", with: "C clean" };
const PURGE: Rule = { why: "deletes untracked files", without: "p print" };
const REVERT: Rule = { why: "throws away uncommitted changes", operands: true };
const STRIP: Rule = { why: "removes commits from the repository", kind: "rewrite-history", operands: true };

const SYSTEMS: Readonly<Record<string, System>> = {
  hg: {
    short: "R:",
    long: "repository: cwd: config: clean all print no-backup rev: date: keep force",
    rules: {
      update: UPDATE,
      up: UPDATE,
      checkout: UPDATE,
      co: UPDATE,
      purge: PURGE,
      clean: PURGE,
      strip: STRIP,
      revert: { why: "throws away uncommitted changes without a copy", with: "C no-backup" },
    },
  },
  svn: {
    short: "r:m:F:",
    long: "username: password: config-dir: recursive depth: changelist: cl: remove-unversioned remove-ignored force message: revision: keep-local",
    rules: {
      revert: REVERT,
      cleanup: { why: "deletes files that are not versioned", with: "remove-unversioned remove-ignored" },
    },
  },
  p4: {
    short: "c:d:H:p:P:u:x:C:",
    long: "",
    rules: {
      revert: { ...REVERT, without: "n k a" },
      clean: { why: "throws away changed and added files", without: "n" },
      obliterate: { why: "removes files and their history from the server", kind: "delete-remote-history", with: "y" },
    },
  },
};

export const OTHER_VCS: Readonly<Record<string, Family>> = {
  ...Object.fromEntries(Object.entries(SYSTEMS).map(([program, system]) => [program, familyOf(system)])),
  /** Runs a command in every project of a checkout. */
  repo(command, scene) {
    const [action, ...words] = command.argv.slice(1);
    if (action?.text !== "forall") return [];
    const text = words[words.findIndex((word) => /^-[a-z]*c$/.test(word.text)) + 1];
    return text ? scene.nested(`cd "$REPO_PATH"\n${scriptOf(text)}`, command) : [];
  },
};

function familyOf({ short, long, rules }: System): Family {
  return (command) => {
    const sub = subcommandOf(command, { short, long });
    const rule = sub?.name !== undefined && Object.hasOwn(rules, sub.name) ? rules[sub.name] : undefined;
    if (!sub || !rule) return [];
    const options = readOptions(sub.words, { short, long }, true);
    const { operands } = options;
    if (rule.with && !has(options, rule.with)) return [];
    if ((rule.without && has(options, rule.without)) || (rule.operands && operands.length === 0)) return [];
    const target = operands.map(({ text }) => text).join(" ");
    return [effect(rule.kind ?? "discard-uncommitted", command, rule.why, { target })];
  };
}
