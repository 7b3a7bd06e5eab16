import { subcommandOf } from "../../shell/launch/subcommand.ts";
import { readOptions } from "../../shell/options.ts";
import { type EffectKind, effect, type Family } from "../effect.ts";
import { has, scriptOf } from "../git/command.ts";
import { quotedWords } from "../line/line-text.ts";
import { named, type Tool, type Rule as ToolRule, toolFamily } from "../tool.ts";

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

const UPDATE: Rule = { why: "discards uncommitted changes", with: "C clean" };
const PURGE: Rule = { why: "deletes untracked files", without: "p print" };
const REVERT: Rule = { why: "discards uncommitted changes", operands: true };
const STRIP: Rule = { why: "removes commits from the repository", kind: "rewrite-history", operands: true };

const SYSTEMS: Readonly<Record<string, System>> = {
  hg: {
    short: "R:",
    long: "repository: cwd: config: clean all print no-backup rev: date: keep force delete cleanup dry-run",
    rules: {
      update: UPDATE,
      up: UPDATE,
      checkout: UPDATE,
      co: UPDATE,
      purge: PURGE,
      clean: PURGE,
      strip: STRIP,
      debugstrip: STRIP,
      rollback: { why: "undoes the last commit or pull permanently", kind: "rewrite-history", without: "n dry-run" },
      shelve: { why: "deletes shelved changes", with: "d delete cleanup" },
      revert: { why: "discards uncommitted changes without a backup", with: "C no-backup" },
    },
  },
  svn: {
    short: "r:m:F:",
    long: "username: password: config-dir: recursive depth: changelist: cl: remove-unversioned remove-ignored force message: revision: keep-local",
    rules: {
      revert: REVERT,
      delete: { why: "deletes local files without asking", with: "force" },
      remove: { why: "deletes local files without asking", with: "force" },
      rm: { why: "deletes local files without asking", with: "force" },
      cleanup: { why: "deletes files that are not versioned", with: "remove-unversioned remove-ignored" },
    },
  },
  p4: {
    short: "c:d:H:p:P:u:x:C:",
    long: "",
    rules: {
      revert: { ...REVERT, without: "n k a" },
      clean: { why: "discards changed and added files", without: "n" },
      sync: { why: "replaces files that were changed", with: "f", without: "n k p" },
      shelve: { why: "deletes shelved changes", with: "d" },
      obliterate: { why: "removes files and their history from the server", kind: "delete-remote-history", with: "y" },
    },
  },
};

const UNDO = "discards uncommitted changes";
const GONE = { kind: "rewrite-history" } as const;
const vcs = (rules: readonly ToolRule[], more: Partial<Tool> = {}): Family =>
  toolFamily({ kind: "discard-uncommitted", rules, ...more });

/** Rarer systems, by the few of their commands from which there is no way back. */
const RARE: Readonly<Record<string, Family>> = {
  jj: vcs(
    [
      ["op|operation abandon", "deletes entries of the operation log, which undo needs", GONE],
      ["util gc", "deletes old operations, which undo needs", { ...GONE, needs: "expire=now" }],
      ["git push", "deletes branches of the remote", { kind: "delete-remote-history", needs: "deleted" }],
    ],
    { values: "R repository at-op config expire r revisions b bookmark", dry: "dry-run" },
  ),
  ...named(
    "bzr brz",
    vcs(
      [
        ["revert", UNDO, { needs: "no-backup" }],
        ["clean-tree", "deletes unknown files", { needs: "force" }],
        ["uncommit", "removes commits", { ...GONE, needs: "force" }],
        ["push", "replaces the other branch", { kind: "delete-remote-history", needs: "overwrite" }],
      ],
      { dry: "dry-run" },
    ),
  ),
  sl: vcs([
    ["goto|go|update|up|checkout|co", UNDO, { needs: "C clean" }],
    ["purge|clean", "deletes untracked files", { unless: "p print" }],
    ["revert", UNDO, { needs: "no-backup" }],
    ["hide|strip|debugstrip", "hides commits", GONE],
    ["push", "replaces the remote's commits", { kind: "delete-remote-history", needs: "f force delete" }],
  ]),
  darcs: vcs(
    [
      ["revert", UNDO, { needs: "a all" }],
      ["obliterate|unpull", "removes patches for good", GONE],
    ],
    { dry: "dry-run" },
  ),
  fossil: vcs(
    [
      ["revert", UNDO],
      ["clean|extras", "deletes unmanaged files", { needs: "force f x verily" }],
      ["purge|scrub|shun", "removes content from the repository", { ...GONE, unless: "list" }],
      ["close", "discards uncommitted changes", { needs: "force f" }],
    ],
    { dry: "dry-run n" },
  ),
  pijul: vcs([
    ["reset", UNDO],
    ["unrecord", "removes changes", { ...GONE, needs: "reset" }],
  ]),
  cvs: vcs(
    [
      ["update|up", UNDO, { needs: "C" }],
      ["release", "deletes the work tree {}", { needs: "d" }],
      ["remove|rm|delete", "deletes {}", { needs: "f" }],
      ["admin", "removes revisions for good", { ...GONE, needs: "o" }],
    ],
    { values: "d r D", dry: "n" },
  ),
  cm: vcs([
    ["undo|unco", UNDO],
    ["rm|remove private", "deletes private files"],
  ]),
  ...named(
    "gt graphite",
    vcs([
      ["branch|b delete|dl", "deletes a branch", { ...GONE, needs: "f force" }],
      ["delete|dl", "deletes a branch", { ...GONE, needs: "f force" }],
    ]),
  ),
  dvc: vcs(
    [
      ["gc", "deletes data that is not used now", { needs: "f force" }],
      ["destroy", "removes everything that it stores", { needs: "f force" }],
      ["checkout|pull", "replaces changed data", { needs: "f force" }],
    ],
    { dry: "dry" },
  ),
  lakectl: vcs([
    ["fs rm", "deletes {}", { needs: "r recursive" }],
    ["repo|branch delete", "deletes {}", GONE],
    ["branch reset|revert", UNDO],
  ]),
};

export const OTHER_VCS: Readonly<Record<string, Family>> = {
  ...RARE,
  ...Object.fromEntries(Object.entries(SYSTEMS).map(([program, system]) => [program, familyOf(system)])),
  /** Runs a command in every project of a checkout. */
  repo(command, scene) {
    const [action, ...words] = command.argv.slice(1);
    if (action?.text === "abandon" && words.length > 0)
      return [
        effect("rewrite-history", command, "deletes a branch in every project", { target: words[0]?.text ?? "" }),
      ];
    if (action?.text === "sync" && words.some(({ text }) => text === "--force-sync"))
      return [effect("discard-uncommitted", command, "replaces projects with their work", { target: "sync" })];
    if (action?.text !== "forall") return [];
    const at = words.findIndex((word) => /^-[a-z]*c$/.test(word.text)) + 1;
    const [text, more] = at > 0 ? words.slice(at) : [];
    if (!text) return [];
    const line = more ? quotedWords(words.slice(at)) : scriptOf(text);
    return scene.nested(`cd "$REPO_PATH"\n${line}`, command);
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
