import path from "node:path";
import type { Comment } from "./comment.ts";
import { commentsOf } from "./comments-of.ts";
import type { EditedText } from "./edited-text.ts";
import { saysSomething } from "./says-something.ts";
import { SYNTAXES } from "./syntaxes.ts";

const TEST_FILE = /(?:^|\/)(?:tests?|specs?|__tests__|e2e|features)\/|[._-](?:test|spec)s?\.\w+$|(?:^|\/)test_[^/]+$/i;

/** Comments that an edit has added and that say nothing; none in a language whose comments are not known. */
export function newEmptyComments({ file, before, after }: EditedText): Comment[] {
  const syntax = SYNTAXES.get(path.extname(file).slice(1).toLowerCase());
  if (!syntax) return [];
  const all = commentsOf(after, syntax);
  if (all.length === 0) return [];
  const known = new Set(commentsOf(before, syntax).map(({ text }) => text));
  const isTest = TEST_FILE.test(file);
  return runsOf(all)
    .filter((run) => !isShebang(run[0]) && !saysSomething(run.map(({ text }) => text).join(" "), isTest))
    .flatMap((run) => run.filter(({ text }) => text !== "" && !known.has(text)));
}

/** Comments in lines of their own, one below the other, are one text. */
function runsOf(comments: readonly Comment[]): Comment[][] {
  const runs: Comment[][] = [];
  for (const comment of comments) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const isNext = last?.line === comment.line - 1 && last.isAlone && comment.isAlone;
    if (run && isNext && last.kind === "line" && comment.kind === "line") run.push(comment);
    else runs.push([comment]);
  }
  return runs;
}

function isShebang(comment: Comment | undefined): boolean {
  return comment?.line === 1 && comment.text.startsWith("!");
}

const MOST_LISTED = 10;
const LONGEST_TEXT = 100;

/** A line for each comment, for as many as are listed. */
export function listOf(comments: readonly Comment[], isWhole: boolean): string {
  const lines = comments.slice(0, MOST_LISTED).map(({ kind, line, text }) => {
    const shown = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT).trimEnd()}…` : text;
    return isWhole ? `- line ${line} (${kind}): ${shown}` : `- ${kind}: ${shown}`;
  });
  const more = comments.length - MOST_LISTED;
  return [...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join("\n");
}
