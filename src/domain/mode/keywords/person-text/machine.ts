import { linesOf, type Span } from "./mask.ts";

/** Lines that programs print: times, levels, stack frames, prompts of a shell, commits, headings, table rows. */
const MACHINE_LINE = [
  /^\s*\[?\d{4}-\d\d-\d\d/,
  /^\s*\[?\d{1,2}:\d\d:\d\d/,
  /^\s*[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d/,
  /^\W{0,3}(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL|CRITICAL|NOTICE)\b/,
  /^\W{0,3}(?:error|warning|info|debug|fatal|panic)\s*[:[(]/i,
  /^\s*at .{0,200}[(:]\S*:\d+/,
  /^\s*(?:Traceback \(|File ".{0,200}", line \d)/,
  /^\s*(?:[$%❯➜λ]|PS [A-Z]:\S*>|>>>|\w[\w.-]{0,60}@[\w.-]{1,60}[:~\s]\S{0,100}[$#])\s/,
  /^[\s*|/\\]{0,10}[0-9a-f]{7,40}\s/,
  /^\s*(?:commit [0-9a-f]{7,40}|(?:Author|Date|Merge|From|To|Cc|Subject|Sent|Signed-off-by|Co-authored-by):\s)/,
  /^\s*(?:diff --git |@@ |\+\+\+ |--- |index [0-9a-f]{4})/,
  /^(?:feat|fix|chore|docs|refactor|test|build|ci|perf|style|revert)(?:\([^)\n]{0,60}\))?!?: /,
  /^\s*#{1,6}\s/,
  /^\s*\|.{0,1000}\|\s*$/,
  /^\s*(?:ba|z|da|k)?sh: /,
  /\b(?:command not found|No such file or directory|[Pp]ermission denied)\b/,
];
const DIFF = /^(?:diff --git |@@ |\+\+\+ )/m;
const CONVENTIONAL = /^\s*(?:feat|fix|chore|docs|refactor|test|build|ci|perf|style|revert)(?:\([^)\n]{0,60}\))?!?: /;
/** `Anna: it is broken` in a conversation that somebody copied. */
const SPEAKER = /^\s*[A-Z][\p{L}.-]{1,20}(?: [A-Z][\p{L}.-]{1,20})?(?: ?\([^)\n]{0,20}\))?: /u;
const LABEL =
  /^(?:Goal|Context|Task|Note|Rules?|Requirements?|Background|Problem|Request|Todo|Steps?|Important|Constraints?|Hint|Example|Acceptance|Scope|Result|Expected|Actual|Ralph|Autopilot|Ultra\w+|Ecomode|Pipeline|Swarm)\b/i;

export function machineLineSpans(text: string): Span[] {
  const lines = linesOf(text);
  const isDiff = DIFF.test(text);
  // The body below a commit subject belongs to the message.
  const first = lines.find((line) => line.text.trim() !== "");
  if (first && CONVENTIONAL.test(first.text)) return [[0, text.length]];
  const isConversation = isCopiedConversation(lines.map((line) => line.text));
  const spans: Span[] = [];
  let isCode = false;
  let isAfterBlank = false;
  for (const { text: line, from, to } of lines) {
    const isIndented = /^(?: {4}|\t)/.test(line);
    // Indented text below a blank line is code; the first line of a prompt is not.
    isCode = isIndented && (isCode || (isAfterBlank && from > 0));
    const isMachine =
      isCode ||
      (isDiff && /^[+\- ]/.test(line)) ||
      (isConversation && SPEAKER.test(line)) ||
      MACHINE_LINE.some((pattern) => pattern.test(line.slice(0, LONGEST_START)));
    if (isMachine) spans.push([from, to]);
    isAfterBlank = line.trim() === "" || isCode;
  }
  return spans;
}

const LONGEST_START = 2000;

/** Two or more lines with a speaker, of whom the first is no label, or one speaks again. */
function isCopiedConversation(lines: readonly string[]): boolean {
  const speakers = lines.flatMap((line) => (SPEAKER.test(line) ? [line.slice(0, line.indexOf(":")).trim()] : []));
  const [first = ""] = speakers;
  if (speakers.length < 2) return false;
  return !LABEL.test(first) || speakers.some((one, index) => !LABEL.test(one) && speakers.indexOf(one) < index);
}

/**
 * Addresses, paths, assignments: runs of ASCII characters with a sign in them that no word has. The sign that ends the
 * sentence behind them is the person's own.
 */
export function tokenSpans(text: string): Span[] {
  return Array.from(text.matchAll(/[!-~]+/g), ({ index, 0: run }) => {
    const token = run.replace(/[.,;:!?)]{1,5}$/, "");
    return [index, index + token.length, token] as const;
  })
    .filter(([, , token]) => /[/\\@=]|::|^www\./.test(token))
    .map(([from, to]) => [from, to]);
}
