/** Tags that mark work as open or done. In backticks a tag is only mentioned and does not count. */
const LIFECYCLE = /#(?:needs|delegated|next|claimed|done)-[\w-]+|#active-alert\b/g;
const TAG = /^#[A-Za-z][\w-]*$/;
const TAGS_LINE = /^\*\*Tags\*\*:.*$/m;

export function isTag(word: string): boolean {
  return TAG.test(word);
}

/** Puts the lifecycle tags of a quoted text into backticks, so that they do not count. */
export function quoteTags(text: string): string {
  return text.replace(/`[^`\n]*`|#(?:(?:needs|delegated|next|claimed|done)-[\w-]+|active-alert\b)/g, (found) =>
    found.startsWith("`") ? found : `\`${found}\``,
  );
}

export interface FoundTag {
  readonly tag: string;
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
  /** Is it on the document's `**Tags**:` line? */
  readonly onTagsLine: boolean;
}

/** All tags outside of backticks and code blocks. */
export function tagsIn(document: string): FoundTag[] {
  const found: FoundTag[] = [];
  let isCode = false;
  for (const [index, text] of document.split("\n").entries()) {
    if (/^\s*```/.test(text)) {
      isCode = !isCode;
      continue;
    }
    if (isCode) continue;
    const bare = text.replace(/`[^`]*`/g, (quoted) => " ".repeat(quoted.length));
    for (const [tag] of bare.matchAll(/(?<![\w#/])#[A-Za-z][\w-]*/g)) {
      found.push({ tag, line: index + 1, text, onTagsLine: TAGS_LINE.test(text) });
    }
  }
  return found;
}

/** The tags that mark open work. */
export function openTags(document: string): FoundTag[] {
  return tagsIn(document).filter(({ tag }) => tag.match(LIFECYCLE)?.[0] === tag && !tag.startsWith("#done-"));
}

export type TagChange =
  | { readonly kind: "add" | "remove"; readonly tag: string }
  | { readonly kind: "swap"; readonly tag: string; readonly by: string };

/** Changes a tag on the `**Tags**:` line, or on the given line. Returns a sentence when that is not possible. */
export function withTag(document: string, change: TagChange, line?: number): { document: string } | string {
  const lines = document.split("\n");
  const at = line === undefined ? lines.findIndex((text) => TAGS_LINE.test(text)) : line - 1;
  const before = lines[at];
  if (line !== undefined && before === undefined) return `it has no line ${line}`;
  if (before === undefined) {
    if (change.kind !== "add") return `it has no \`**Tags**:\` line, so no ${change.tag}`;
    const title = lines.findIndex((text) => text.startsWith("# "));
    lines.splice(title + 1, 0, `**Tags**: ${change.tag}`);
    return { document: lines.join("\n") };
  }
  const has = wordAt(before, change.tag) !== undefined;
  if (change.kind === "add") {
    if (!has) lines[at] = `${before.trimEnd()} ${change.tag}`;
  } else if (!has) return `there is no ${change.tag} on ${line === undefined ? "its line of tags" : `line ${line}`}`;
  else lines[at] = replaced(before, change.tag, change.kind === "swap" ? change.by : "");
  return { document: lines.join("\n") };
}

function wordAt(text: string, tag: string): number | undefined {
  const at = text.search(new RegExp(`(?<![\\w#-])${tag}(?![\\w-])`));
  return at < 0 ? undefined : at;
}

function replaced(text: string, tag: string, by: string): string {
  const at = wordAt(text, tag) ?? 0;
  const next = text.slice(0, at) + by + text.slice(at + tag.length);
  return by === "" ? next.replace(/ {2,}/g, " ").trimEnd() : next;
}
