import { sanitizedParts } from "./empty-messages.ts";
import { isContent, isThinking, type Part } from "./parts.ts";
import { isThinkingModel, lacksThinking, syntheticThinking, thoughtOf } from "./thinking-parts.ts";
import { type Line, type MessageLine, readLine, writtenLine } from "./transcript-line.ts";

/**
 * - no-thinking: a message of a thinking model that does not begin with thinking
 * - empty-message: a message without text and without a tool part
 * - blank-text: a blank text beside other parts
 * - unreadable: a line that is no JSON
 */
export type FindingKind = "no-thinking" | "empty-message" | "blank-text" | "unreadable";

export interface TranscriptFinding {
  readonly line: number;
  readonly kind: FindingKind;
  readonly uuid: string;
  readonly role: string;
  readonly model: string;
}

/** What must be known of a message before its first line can be judged. */
interface Summary {
  hasContent: boolean;
  beginsWithThinking: boolean;
  /** The first line that has a part of it; the first of all when none has. */
  firstLine: number;
  hasParts: boolean;
}

/** The result of the first reading. */
export interface Survey {
  readonly messages: ReadonlyMap<string, Readonly<Summary>>;
  /** The last message of each conversation. */
  readonly last: ReadonlyMap<string, string>;
  /** The last line is half written. */
  readonly isCut: boolean;
}

export function surveyTranscript(lines: Iterable<Line>): Survey {
  const messages = new Map<string, Summary>();
  const last = new Map<string, string>();
  let isCut = false;
  for (const line of lines) {
    const read = readLine(line);
    if (read.kind === "half") isCut = true;
    if (read.kind !== "message") continue;
    last.set(read.conversation, read.message);
    const known = messages.get(read.message);
    const hasContent = known?.hasContent === true || read.parts.some(isContent);
    if (known?.hasParts) known.hasContent = hasContent;
    else {
      const beginsWithThinking = read.parts.slice(0, 1).some(isThinking);
      const hasParts = read.parts.length > 0;
      const firstLine = known && !hasParts ? known.firstLine : line.number;
      messages.set(read.message, { hasContent, beginsWithThinking, firstLine, hasParts });
    }
  }
  return { messages, last, isCut };
}

export interface ExaminedLine {
  readonly line: Line;
  readonly findings: readonly TranscriptFinding[];
  /** The line as it is in a repaired copy; undefined when it stays as it is. */
  readonly repaired: string | undefined;
}

/** The second reading: each line with what is wrong with it. */
export function* examineTranscript(lines: Iterable<Line>, survey: Survey): Generator<ExaminedLine> {
  const conversations = new Map<string, { thought: string; model: string }>();
  for (const line of lines) {
    const read = readLine(line);
    if (read.kind !== "message") {
      const findings: TranscriptFinding[] =
        read.kind === "unreadable" ? [{ line: line.number, kind: "unreadable", uuid: "", role: "", model: "" }] : [];
      yield { line, findings, repaired: undefined };
      continue;
    }
    const known = conversations.get(read.conversation) ?? { thought: "", model: "" };
    const model = read.model || known.model;
    const { kinds, parts } = judge(read, line.number, { ...known, model }, survey);
    const thought = read.parts.map(thoughtOf).findLast((words) => words !== "") ?? known.thought;
    conversations.set(read.conversation, { thought, model });
    const { uuid, role } = read;
    yield {
      line,
      findings: kinds.map((kind) => ({ line: line.number, kind, uuid, role, model })),
      repaired: parts === read.parts ? undefined : writtenLine(read, parts),
    };
  }
}

interface Judged {
  readonly kinds: readonly FindingKind[];
  /** The same list where nothing has to change. */
  readonly parts: readonly Part[];
}

function judge(
  read: MessageLine,
  number: number,
  { thought, model }: { readonly thought: string; readonly model: string },
  { messages, last }: Survey,
): Judged {
  const { hasContent, beginsWithThinking, firstLine } = messages.get(read.message) as Summary;
  const isFirst = number === firstLine;
  const isAssistant = read.role === "assistant";
  const kinds: FindingKind[] = [];
  let parts = read.parts;
  // The model may still go on with the last message.
  if (!(isAssistant && last.get(read.conversation) === read.message)) {
    const sanitized = sanitizedParts(parts, undefined, hasContent || !isFirst);
    if (sanitized) kinds.push(!hasContent && isFirst ? "empty-message" : "blank-text");
    parts = sanitized ?? parts;
  }
  if (!isAssistant || !isFirst || beginsWithThinking || !isThinkingModel(model)) return { kinds, parts };
  if (hasContent) kinds.push("no-thinking");
  // A message that gets the placeholder needs thinking before it as well.
  const needsThinking = hasContent || (parts !== read.parts && lacksThinking(parts));
  return { kinds, parts: needsThinking ? [syntheticThinking(thought, number), ...parts] : parts };
}
