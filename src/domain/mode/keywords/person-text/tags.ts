import type { Span } from "./mask.ts";

const TAG = /<(\/?)([A-Za-z][\w:.-]*)([^<>]*)>/g;
/** Blocks that a client or a person puts around what somebody else wrote: unclosed, they go on to the end. */
const WRAPPER =
  /^(?:pasted|system|task-notification|local-command|command-|bash-|user-prompt|tool|function|hook|attach|document|file|context|ide_)/i;

/** Blocks of pasted and machine-made text. */
export function wrapperSpans(text: string): Span[] {
  return blocks(text, (name) => WRAPPER.test(name)).map(({ from, to }) => [from, to ?? text.length]);
}

/** Any other block between tags, single tags, and comments. */
export function tagSpans(text: string): Span[] {
  const comments = Array.from(text.matchAll(/<!--/g), ({ index }) => index);
  const ends = Array.from(text.matchAll(/-->/g), ({ index }) => index + 3);
  let end = 0;
  const spans: Span[] = comments.map((from) => {
    while (end < ends.length && (ends[end] ?? 0) < from) end++;
    return [from, ends[end] ?? text.length];
  });
  for (const { from, to, tagEnd } of blocks(text, () => true)) spans.push([from, to ?? tagEnd]);
  return spans;
}

interface Block {
  readonly from: number;
  readonly tagEnd: number;
  /** Missing when the tag is never closed. */
  readonly to: number | undefined;
}

/** The blocks of the tags with these names, closing tags matched by depth. */
function blocks(text: string, isMeant: (name: string) => boolean): Block[] {
  const open = new Map<string, { from: number; tagEnd: number }[]>();
  const found: Block[] = [];
  for (const { index, 0: tag, 1: slash, 2: name = "", 3: rest = "" } of text.matchAll(TAG)) {
    if (!isMeant(name)) continue;
    const tagEnd = index + tag.length;
    const key = name.toLowerCase();
    if (slash === "/") {
      const opening = open.get(key)?.pop();
      found.push({ from: opening?.from ?? index, tagEnd, to: tagEnd });
    } else if (rest.endsWith("/")) {
      found.push({ from: index, tagEnd, to: tagEnd });
    } else {
      const others = open.get(key) ?? [];
      others.push({ from: index, tagEnd });
      open.set(key, others);
    }
  }
  for (const openings of open.values()) {
    for (const { from, tagEnd } of openings) found.push({ from, tagEnd, to: undefined });
  }
  return found;
}
