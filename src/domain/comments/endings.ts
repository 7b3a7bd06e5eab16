/** Where texts end that no regular expression can follow. */

/** A comment `/* … *\/` in which others may be. */
export function endOfNested(text: string, at: number): number {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = at;
  let depth = 0;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    depth += mark[0] === "/*" ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return text.length;
}

/** Deeper substitutions are read as if they were text. */
const DEEPEST = 20;

/** A double-quoted text of a shell, with the strings inside of its `$(…)`. */
export function endOfShellString(text: string, at: number, depth: number = 0): number {
  for (let index = at + 1; index < text.length; index++) {
    const character = text[index];
    if (character === '"') return index + 1;
    if (character === "\\") index++;
    else if (character === "$" && text[index + 1] === "(" && depth < DEEPEST) {
      index = endOfSubstitution(text, index + 1, depth) - 1;
    }
  }
  return text.length;
}

function endOfSubstitution(text: string, at: number, depth: number): number {
  let open = 0;
  for (let index = at; index < text.length; index++) {
    const character = text[index];
    if (character === "\\") index++;
    else if (character === '"') index = endOfShellString(text, index, depth + 1) - 1;
    else if (character === "'") index = Math.max(index, text.indexOf("'", index + 1));
    else if (character === "(") open++;
    else if (character === ")" && --open === 0) return index + 1;
  }
  return text.length;
}

/** The text of a YAML block scalar: all lines after this one that are indented deeper than this one. */
export function endOfBlockScalar(text: string, at: number): number {
  const indentAt = (start: number): number => {
    let end = start;
    while (text[end] === " ") end++;
    return end - start;
  };
  const indent = indentAt(text.lastIndexOf("\n", at) + 1);
  let line = nextLine(text, at);
  while (line < text.length) {
    const first = line + indentAt(line);
    const isBlank = text[first] === "\n" || text[first] === "\r";
    if (!isBlank && first - line <= indent) break;
    line = nextLine(text, line);
  }
  return line;
}

function nextLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}
