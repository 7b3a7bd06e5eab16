/** The types of Conventional Commits, with those that its usual tools add. */
export const COMMIT_TYPES = [
  "feat",
  "fix",
  "docs",
  "style",
  "refactor",
  "perf",
  "test",
  "build",
  "ci",
  "chore",
  "revert",
];

export interface CommitRules {
  readonly requireScope: boolean;
  readonly requireBody: boolean;
}

const LONGEST_SUBJECT = 72;
const SUBJECT = /^(\w+)(\([^()]*\))?(!)?:(.*)$/;
/** Messages that git makes itself. */
const MADE_BY_GIT = /^(?:Merge |Revert "|(?:fixup|squash|amend)! )/;

/** Why a message is no conventional commit, as a sentence part; undefined when it is one. */
export function commitProblem(message: string, rules: CommitRules): string | undefined {
  const lines = message.trim().split(/\r?\n/);
  const subject = (lines[0] ?? "").trimEnd();
  if (MADE_BY_GIT.test(subject)) return undefined;
  const [, type = "", scope, , text = ""] = SUBJECT.exec(subject) ?? [];
  if (type === "") return "it does not begin with a type and a colon";
  if (!COMMIT_TYPES.includes(type)) return `its type \`${type}\` is none of ${COMMIT_TYPES.join(", ")}`;
  if (scope !== undefined && !/^\([a-z0-9][a-z0-9._/-]*\)$/.test(scope))
    return `its scope \`${scope}\` is not in lower case`;
  if (scope === undefined && rules.requireScope) return "it has no scope";
  if (!/^ \S/.test(text)) return "no text follows the colon and one blank";
  if (subject.length > LONGEST_SUBJECT)
    return `its first line has ${subject.length} characters, and ${LONGEST_SUBJECT} are the most`;
  const hasBody = lines.slice(1).some((line) => line.trim() !== "");
  return rules.requireBody && !hasBody ? "it has no body" : undefined;
}
