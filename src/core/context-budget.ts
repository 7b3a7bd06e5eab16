import type { EventName } from "./event.ts";

/** Characters of context one answer may carry. The agent itself cuts at 10,000 and then shows only a preview. */
export interface ContextBudget {
  readonly start: number;
  readonly tool: number;
}

export const DEFAULT_CONTEXT_BUDGET: ContextBudget = { start: 6_000, tool: 2_000 };

export interface Section {
  readonly policy: string;
  readonly text: string;
  /** Where the whole text can be read; shown when the section had to be cut. */
  readonly pointer?: string;
}

const GAP = "\n\n".length;
const DEFAULT_POINTER = "`hookwright explain --last` has the rest";
/** A section is left out rather than cut shorter than this. */
const SHORTEST_CUT = 80;

export function budgetFor(event: EventName, budget: ContextBudget): number {
  const isStart = ["session.start", "prompt.submit", "prompt.expand", "subagent.start", "model.after"].includes(event);
  return isStart ? budget.start : budget.tool;
}

export interface Fitted<S extends Section> {
  readonly kept: readonly S[];
  /** Sections for which there was no room at all. */
  readonly left: readonly S[];
  readonly room: number;
}

/** Takes sections in their order while there is room; the first that does not fit is cut between words, with a pointer. */
export function fitSections<S extends Section>(sections: readonly S[], room: number): Fitted<S> {
  const kept: S[] = [];
  const left: S[] = [];
  let free = room;
  for (const section of sections) {
    if (section.text.trim() === "") continue;
    const gap = kept.length > 0 ? GAP : 0;
    const text = left.length > 0 ? undefined : fitText(section, free - gap);
    if (text === undefined) {
      left.push(section);
      continue;
    }
    kept.push({ ...section, text });
    free -= gap + text.length;
  }
  return { kept, left, room: free };
}

function fitText(section: Section, room: number): string | undefined {
  if (section.text.length <= room) return section.text;
  const ending = ` […] (cut: ${section.pointer ?? DEFAULT_POINTER})`;
  const head = cutBetweenWords(section.text, room - ending.length);
  return head.length < SHORTEST_CUT ? undefined : head + ending;
}

export function cutBetweenWords(text: string, room: number): string {
  // One character more than there is room for, to see whether a word ends exactly there.
  const head = text.slice(0, Math.max(0, room + 1));
  return head.slice(0, Math.max(0, head.search(/\s\S*$/))).trimEnd();
}
