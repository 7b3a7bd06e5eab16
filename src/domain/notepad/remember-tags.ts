import { codeSpans, fenceSpans } from "../mode/keywords/person-text/code.ts";
import { maskSpans } from "../mode/keywords/person-text/mask.ts";

export interface RememberedNote {
  readonly isPriority: boolean;
  readonly text: string;
}

const TAG = /<(?<closing>\/)?remember(?<priority>\s{1,20}priority)?\s{0,20}>/gi;
const MOST_NOTES = 10;
const LONGEST_NOTE = 2_000;
/** Reports of subagents are shorter. */
const LONGEST_MESSAGE = 200_000;

/** The notes that an agent wrote in `<remember>` tags. A tag in code is only mentioned; one that is never closed is none. */
export function rememberedNotes(message: string): RememberedNote[] {
  const said = message.slice(0, LONGEST_MESSAGE);
  if (!/<\/remember/i.test(said)) return [];
  const notes: RememberedNote[] = [];
  let open: { readonly from: number; readonly isPriority: boolean } | undefined;
  for (const { 0: tag, index, groups } of withoutCode(said).matchAll(TAG)) {
    if (groups?.closing === undefined) {
      open = { from: index + tag.length, isPriority: groups?.priority !== undefined };
      continue;
    }
    // The note itself may have code in it.
    const text = open ? said.slice(open.from, index).trim() : "";
    if (open && text !== "") notes.push({ isPriority: open.isPriority, text: shortened(text) });
    open = undefined;
  }
  return notes.slice(0, MOST_NOTES);
}

function withoutCode(text: string): string {
  const unfenced = maskSpans(text, fenceSpans(text));
  return maskSpans(unfenced, codeSpans(unfenced));
}

function shortened(text: string): string {
  return text.length <= LONGEST_NOTE ? text : `${text.slice(0, LONGEST_NOTE).toWellFormed().trimEnd()} […]`;
}
