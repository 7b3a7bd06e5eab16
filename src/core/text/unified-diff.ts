const CONTEXT = 3;
/** Beyond this many lines on both sides the changed part is shown as removed and added as a whole. */
const MOST_COMPARED = 2_000;

type Step = { readonly sign: " " | "-" | "+"; readonly line: string };

/** The difference of two texts as `diff -u` prints it; empty when there is none. */
export function unifiedDiff(file: string, before: string, after: string): string {
  if (before === after) return "";
  const steps = stepsBetween(linesOf(before), linesOf(after));
  const body = hunksOf(steps).map((hunk) => hunkText(steps, hunk));
  return [`--- ${before === "" ? "/dev/null" : file}`, `+++ ${after === "" ? "/dev/null" : file}`, ...body, ""].join(
    "\n",
  );
}

/** A last line without a line break keeps a mark, so that it differs from one with it. */
function linesOf(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  return last === "" ? lines : [...lines, `${last}\n\\ No newline at end of file`];
}

function stepsBetween(before: readonly string[], after: readonly string[]): Step[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const rest = Math.min(before.length, after.length) - start;
  while (end < rest && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const same = (lines: readonly string[]): Step[] => lines.map((line) => ({ sign: " ", line }));
  const removed = before.slice(start, before.length - end);
  const added = after.slice(start, after.length - end);
  return [...same(before.slice(0, start)), ...changed(removed, added), ...same(before.slice(before.length - end))];
}

/** The longest common subsequence, by the usual table. */
function changed(removed: readonly string[], added: readonly string[]): Step[] {
  const all: Step[] = [];
  const width = added.length + 1;
  const isLarge = removed.length + added.length > MOST_COMPARED;
  const lengths = new Uint16Array(isLarge ? 0 : (removed.length + 1) * width);
  for (let at = removed.length - 1; at >= 0 && !isLarge; at--) {
    for (let to = added.length - 1; to >= 0; to--) {
      const here = at * width + to;
      lengths[here] =
        removed[at] === added[to]
          ? 1 + (lengths[here + width + 1] ?? 0)
          : Math.max(lengths[here + width] ?? 0, lengths[here + 1] ?? 0);
    }
  }
  let at = 0;
  let to = 0;
  while (at < removed.length || to < added.length) {
    const [old, fresh] = [removed[at], added[to]];
    if (!isLarge && old !== undefined && old === fresh) {
      all.push({ sign: " ", line: old });
      at++;
      to++;
    } else if (old !== undefined && (to >= added.length || isLarge || below(lengths, width, at, to))) {
      all.push({ sign: "-", line: old });
      at++;
    } else if (fresh !== undefined) {
      all.push({ sign: "+", line: fresh });
      to++;
    }
  }
  return all;
}

function below(lengths: Uint16Array, width: number, at: number, to: number): boolean {
  return (lengths[(at + 1) * width + to] ?? 0) >= (lengths[at * width + to + 1] ?? 0);
}

interface Hunk {
  readonly start: number;
  readonly end: number;
}

/** Runs of changes with the lines around them; runs that touch are one. */
function hunksOf(steps: readonly Step[]): Hunk[] {
  const hunks: { start: number; end: number }[] = [];
  for (const [index, { sign }] of steps.entries()) {
    if (sign === " ") continue;
    const start = Math.max(0, index - CONTEXT);
    const end = Math.min(steps.length, index + CONTEXT + 1);
    const last = hunks.at(-1);
    if (last && start <= last.end) last.end = end;
    else hunks.push({ start, end });
  }
  return hunks;
}

function hunkText(steps: readonly Step[], { start, end }: Hunk): string {
  const lines = steps.slice(start, end);
  const range = (sign: Step["sign"]): string => {
    const before = steps.slice(0, start).filter((one) => one.sign !== sign).length;
    const length = lines.filter((one) => one.sign !== sign).length;
    return `${length === 0 ? before : before + 1},${length}`;
  };
  return [`@@ -${range("+")} +${range("-")} @@`, ...lines.map(({ sign, line }) => sign + line)].join("\n");
}
