import type { PlanTask } from "./document.ts";

/** `Task 3: …`, `#3 …`, `3. …`: a number that somebody put before the name. */
const NUMBERED = /^\W*(?:task|step|item)?\s*#?\s*([A-Za-z]{0,3}\d+(?:\.\d+)*)\s*(?:[:.)\]\u2013\u2014-]|\s)/i;
/** So many of a name's words must be in a row before it is the same thing said differently. */
const ENOUGH = 0.6;
const SHORTEST_NAME = 4;

/**
 * The row of the plan that a task is about. Agents number their tasks as they like, so the agent's own id says nothing:
 * the number before the name counts, then the name itself, then most of its words.
 */
export function rowFor(tasks: readonly PlanTask[], subject: string): PlanTask | undefined {
  const number = NUMBERED.exec(`${subject} `)?.[1]?.toLowerCase();
  const numbered = number === undefined ? undefined : tasks.find((task) => task.id.toLowerCase() === number);
  if (numbered) return numbered;
  const name = plain(subject);
  if (name.length < SHORTEST_NAME) return tasks.find((task) => plain(task.text) === name && name !== "");
  const rows = tasks.map((task) => ({ task, text: plain(task.text) }));
  const named = rows.find(({ text }) => contains(text, name) || (text.length >= SHORTEST_NAME && contains(name, text)));
  if (named) return named.task;
  const words = wordsOf(name);
  if (words.length < 2) return undefined;
  let best: { readonly task: PlanTask; readonly score: number } | undefined;
  for (const { task, text } of rows) {
    const other = new Set(wordsOf(text));
    const score = words.filter((word) => other.has(word)).length / words.length;
    if (score >= ENOUGH && score > (best?.score ?? 0)) best = { task, score };
  }
  return best?.task;
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** At the boundaries of words: `api` is not in `rapid`. */
function contains(text: string, part: string): boolean {
  return ` ${text} `.includes(` ${part} `);
}

function wordsOf(text: string): string[] {
  return text.split(" ").filter((word) => word.length > 2);
}
