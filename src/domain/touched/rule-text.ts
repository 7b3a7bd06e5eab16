import { fingerprint } from "../../core/text/fingerprint.ts";
import { type FrontMatter, frontMatter } from "../../core/text/front-matter.ts";

/** What is kept of a rule file. A type alias, because facts are JSON. */
export type RuleText = {
  /** False for a file that is no text. */
  readonly isText: boolean;
  /** Does it say that it applies to every file? */
  readonly isForAll: boolean;
  readonly patterns: readonly string[];
  /** The beginning of what stands below the front matter. */
  readonly body: string;
  readonly isCut: boolean;
  /** The same for files that say the same. */
  readonly content: string;
};

/** Names under which front matter has patterns: Cursor's, Claude Code's and Copilot's. */
const PATTERN_KEYS = ["globs", "paths", "applyTo"];
const MOST_PATTERNS = 50;
/** A context has no room for more. */
const MOST_TOLD = 2_000;

export function ruleTextOf(text: string): RuleText {
  const { values, body } = frontMatter(text) ?? { values: {} as FrontMatter["values"], body: text };
  const rule = body.replace(/^\uFEFF/, "").trim();
  return {
    isText: !text.includes("\uFFFD"),
    isForAll: values.alwaysApply === true,
    patterns: PATTERN_KEYS.flatMap((key) => patternsOf(values[key])).slice(0, MOST_PATTERNS),
    body: rule.slice(0, MOST_TOLD),
    isCut: rule.length > MOST_TOLD,
    content: fingerprint(rule),
  };
}

function patternsOf(value: FrontMatter["values"][string] | undefined): string[] {
  if (value === undefined || typeof value === "boolean") return [];
  const texts = typeof value === "string" ? [value] : value;
  return texts
    .flatMap(splitAtCommas)
    .map(trimmed)
    .filter((one) => one !== "");
}

/** `a, b` is two patterns, `*.{ts,tsx}` is one. */
function splitAtCommas(text: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const char of text) {
    if (char === "{") depth++;
    if (char === "}") depth--;
    if (char === "," && depth <= 0) parts.push("");
    else parts[parts.length - 1] += char;
  }
  return parts;
}

/** In a list that is written as a text the patterns may stand in quotes. */
function trimmed(pattern: string): string {
  return pattern
    .trim()
    .replace(/^(["'])(.*)\1$/, "$2")
    .replace(/^\/+/, "");
}
