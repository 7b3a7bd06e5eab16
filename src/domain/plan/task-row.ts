import type { PlanTask } from "./document.ts";

/** A number before the name: `Task 3: …`, `#3 …`, `3. …`. */
const NUMBERED = /^\W*(?:task|step|item)?\s*#?\s*([A-Za-z]{0,3}\d+(?:\.\d+)*)\s*(?:[:.)\]\u2013\u2014-]|\s)/i;
/** The share of a name's words that a row must contain to count as the same task in other words. */
const ENOUGH = 0.6;
const SHORTEST_NAME = 4;

/**
 * The row of the plan that a task belongs to. The agent's own task id is not used, because agents number their tasks
 * independently of the plan. A number before the name decides, else the name itself, else most of its words.
 */
export function planRowFor(tasks: readonly PlanTask[], subject: string): PlanTask | undefined {
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

/** Compares whole words: `api` is not in `rapid`. */
function contains(text: string, part: string): boolean {
  return ` ${text} `.includes(` ${part} `);
}

function wordsOf(text: string): string[] {
  return text.split(" ").filter((word) => word.length > 2);
}
