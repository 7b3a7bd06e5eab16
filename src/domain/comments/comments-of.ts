import { type Comment, lineBefore, type Rule, type Syntax } from "./comment.ts";

/** Enough of the code before a place to see a keyword in it. */
const LONGEST_WORD = 16;

/** The comments of a text. Reads it once from its beginning to its end; never throws. */
export function commentsOf(text: string, syntax: Syntax): Comment[] {
  const comments: Comment[] = [];
  const starts = new RegExp(syntax.starts);
  /** For each template that the place is inside of: how many braces of its code are open. */
  const templates: number[] = [];
  let line = 1;
  let counted = 0;
  let before = "";
  let from = 0;
  const pass = (to: number, code: string): void => {
    before = `${before}${code}`.trimEnd().slice(-LONGEST_WORD);
    from = to;
  };
  for (let at = nextStart(starts, text, 0); at >= 0; at = nextStart(starts, text, from)) {
    pass(at, text.slice(Math.max(from, at - 2 * LONGEST_WORD), at));
    const brace = syntax.hasTemplates ? endOfBrace(text, at, templates) : undefined;
    if (brace !== undefined) {
      pass(brace, brace - at === 1 ? (text[at] as string) : "`");
      continue;
    }
    const found = ruleAt(text, at, before, syntax.rules);
    if (!found) {
      pass(at + 1, text[at] as string);
      continue;
    }
    const { rule, end } = found;
    if (rule.kind === "other") {
      pass(end, '"');
      continue;
    }
    line += newLines(text, counted, at);
    counted = at;
    comments.push({ kind: rule.kind, line, text: inner(text.slice(at, end)), isAlone: isAlone(text, at) });
    from = end;
  }
  return comments;
}

function nextStart(starts: RegExp, text: string, from: number): number {
  starts.lastIndex = from;
  return starts.exec(text)?.index ?? -1;
}

function ruleAt(
  text: string,
  at: number,
  before: string,
  rules: readonly Rule[],
): { readonly rule: Rule; readonly end: number } | undefined {
  for (const rule of rules) {
    if (rule.when?.({ text, at, before }) === false) continue;
    rule.begins.lastIndex = at;
    if (rule.begins.test(text)) return { rule, end: rule.end?.(text, at) ?? rule.begins.lastIndex };
  }
  return undefined;
}

/** Follows templates and the code in them. Returns the end of what it has passed; undefined at anything else. */
function endOfBrace(text: string, at: number, templates: number[]): number | undefined {
  const open = templates.length - 1;
  switch (text[at]) {
    case "`":
      return endOfTemplate(text, at + 1, templates);
    case "{":
      if (open >= 0) templates[open] = (templates[open] as number) + 1;
      return at + 1;
    case "}":
      if (open < 0) return at + 1;
      if (templates[open] === 0) {
        templates.pop();
        return endOfTemplate(text, at + 1, templates);
      }
      templates[open] = (templates[open] as number) - 1;
      return at + 1;
    default:
      return undefined;
  }
}

function endOfTemplate(text: string, from: number, templates: number[]): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "`") return at + 1;
    else if (text[at] === "$" && text[at + 1] === "{") {
      templates.push(0);
      return at + 2;
    }
  }
  return text.length;
}

function newLines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

function isAlone(text: string, at: number): boolean {
  return lineBefore(text, at).trim() === "";
}

const OPENS = /^(?:\/\*[*!]*|<!--|--\[=*\[|=begin\b|"""|'''|\/\/[/!]?|#|--)/;
const CLOSES = /(?:\*+\/|-->|\]=*\]|^=end\b.*|"""|''')$/m;

/** A comment without its marks, and without the stars at the beginning of its lines. */
function inner(comment: string): string {
  const isLine = /^(?:\/\/|#|--(?!\[=*\[))/.test(comment);
  const opened = comment.replace(OPENS, "");
  const text = isLine ? opened : opened.replace(CLOSES, "").replace(/^[ \t]*\*+(?=\s|$)/gm, "");
  return text.replace(/\s+/g, " ").trim();
}
