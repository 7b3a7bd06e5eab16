/** Longer messages are read from their end, where an agent says what it has done. */
const MOST_READ = 64_000;
const FENCE = /^\s{0,3}(`{3,}|~{3,})/;

/** The lines of an agent's message that are outside of code blocks, trimmed. */
export function plainLines(message: string): string[] {
  const lines: string[] = [];
  let fence = "";
  for (const line of message.slice(-MOST_READ).split(/\r?\n/)) {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== "") {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = "";
    } else if (mark !== undefined) fence = mark;
    else lines.push(line.trim());
  }
  return lines;
}

/** Does the message say this signal, alone on a line? Emphasis around it does not matter; a quotation does not count. */
export function says(message: string, ...signals: readonly string[]): boolean {
  return plainLines(message).some((line) => signals.includes(withoutEmphasis(line)));
}

/** The question after `NEEDS_INPUT:` on a line of its own; undefined when there is none. */
export function neededInput(message: string): string | undefined {
  for (const line of plainLines(message)) {
    const question = /^NEEDS_INPUT:\s*(.+)$/.exec(withoutEmphasis(line))?.[1];
    if (question !== undefined) return question.slice(0, 500);
  }
  return undefined;
}

function withoutEmphasis(line: string): string {
  return line.replace(/^(?:\*\*|__)(.*)(?:\*\*|__)$/, "$1").trim();
}
