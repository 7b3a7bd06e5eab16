import { technicalWords } from "./words.ts";

/** What an agent may have found out that is worth being kept. */
export type MomentKind = "problem-solution" | "best-practice" | "technique" | "optimization" | "workaround";

export interface Moment {
  readonly kind: MomentKind;
  /** 0 to 100. */
  readonly confidence: number;
  readonly problem: string;
  readonly solution: string;
}

const CONFIDENCE: Readonly<Record<MomentKind, number>> = {
  "problem-solution": 80,
  "best-practice": 75,
  technique: 70,
  optimization: 65,
  workaround: 60,
};
const LEAST_CONFIDENCE = 60;
const FOR_WORD = 5;
const MOST_FOR_WORDS = 15;
const LONGEST_MESSAGE = 20_000;
const LONGEST_PROBLEM = 400;
const LONGEST_SOLUTION = 1_500;

const PROBLEM =
  /\b(?:problem|issue|bug|error|failure|crash|(?:root )?cause|culprit|reason)\b[^\n]{0,80}?\b(?:was|were|is|came|comes|happened|happens|turned out)\b|\b(?:failed|fails|failing|crashed|crashes|broke|broken|hung|hangs)\b[^\n]{0,40}?\b(?:because|since|when|whenever|after)\b/i;
/** What is only planned, asked or denied solves nothing yet. */
const PLANNED =
  /\b(?:will|would|should|could|can|might|may|shall|let me|going to|need(?:s|ed)? to|want to|tr(?:y|ying) to|have to|cannot|can't|not|never been)\s+(?:\w+\s+)?(?:be\s+)?(?:fix|solve|resolve|repair)(?:e?d)?\b|\bif you\b/i;
const SOLUTION =
  /\b(?:fixed|solved|resolved|repaired)\b|\bthe (?:fix|solution|remedy|cure) (?:is|was)\b|\b(?:fix|solution):|\bworks (?:again|now)\b/i;
/** The kinds whose one sentence says it all. */
const TOLD: readonly (readonly [MomentKind, RegExp])[] = [
  [
    "best-practice",
    /\bbest practice\b|\brule of thumb\b|\bthe recommended way\b|\b(?:always|never) (?:use|run|set|call|check|pass|commit|import|start|close)\b/i,
  ],
  [
    "technique",
    /\bthe (?:trick|technique|key) (?:is|was)\b|\b(?:it )?turns out (?:that )?(?:you|one|it) (?:can|has to|have to|need|needs)\b/i,
  ],
  [
    "optimization",
    /\b\d+(?:[.,]\d+)?(?: ?%| ?x| times) (?:faster|smaller|less|fewer)\b|\b(?:reduced|cut|brought down)\b[^\n]{0,80}\b(?:from|by) \d|\bspe?e?d(?:ed)?s? up\b/i,
  ],
  ["workaround", /\bwork-?around\b|\buntil [^\n]{0,60}\bis (?:fixed|released)\b/i],
];

/** The moment in an agent's message in which it says what was wrong or how something is done; undefined without one. */
export function momentIn(message: string): Moment | undefined {
  const parts = partsOf(message.slice(0, LONGEST_MESSAGE));
  const told = solved(parts) ?? described(parts);
  if (!told) return undefined;
  const words = technicalWords(`${told.problem} ${told.solution}`).length;
  const confidence = Math.min(100, CONFIDENCE[told.kind] + Math.min(MOST_FOR_WORDS, FOR_WORD * words));
  return confidence < LEAST_CONFIDENCE ? undefined : { ...told, confidence };
}

type Told = Omit<Moment, "confidence">;

function solved(parts: readonly Part[]): Told | undefined {
  const from = parts.findIndex(({ isProse, text }) => isProse && SOLUTION.test(text) && !PLANNED.test(text));
  if (from < 0) return undefined;
  const own = PROBLEM.test(parts[from]?.text ?? "") ? from : -1;
  const before = parts.findIndex(({ isProse, text }) => isProse && PROBLEM.test(text) && !SOLUTION.test(text));
  const problem = before < 0 ? own : before;
  if (problem < 0) return undefined;
  return {
    kind: "problem-solution",
    problem: (parts[problem]?.text ?? "").slice(0, LONGEST_PROBLEM),
    solution: joined(parts, from, before > from ? before : parts.length),
  };
}

function described(parts: readonly Part[]): Told | undefined {
  for (const [kind, pattern] of TOLD) {
    const from = parts.findIndex(({ isProse, text }) => isProse && pattern.test(text));
    if (from < 0) continue;
    // What it is about usually stands before it.
    const about = parts.slice(0, from).findLast(({ isProse }) => isProse) ?? parts[from];
    return {
      kind,
      problem: (about?.text ?? "").slice(0, LONGEST_PROBLEM),
      solution: joined(parts, from, parts.length),
    };
  }
  return undefined;
}

/** A sentence, a line, or a block of code. */
interface Part {
  readonly isProse: boolean;
  readonly text: string;
  /** What separates it from the part before. */
  readonly gap: string;
}

function partsOf(message: string): Part[] {
  const parts: Part[] = [];
  let code: string[] | undefined;
  let gap = "";
  const add = (isProse: boolean, text: string): void => {
    parts.push({ isProse, text, gap });
    gap = " ";
  };
  for (const line of message.split(/\r?\n/)) {
    const isFence = /^\s*(?:`{3}|~{3})/.test(line);
    if (code) {
      code.push(line);
      if (isFence) {
        add(false, code.join("\n"));
        code = undefined;
        gap = "\n";
      }
    } else if (isFence) {
      code = [line];
      gap = "\n";
    } else if (line.trim() === "" || /^#{1,6}\s/.test(line)) gap = "\n\n";
    else {
      for (const sentence of line.trim().split(/(?<=[.!?])\s+(?=\S)/)) add(!sentence.endsWith("?"), sentence);
      gap = "\n";
    }
  }
  return parts;
}

/** As many whole parts as there is room for. A second paragraph of prose is about something else. */
function joined(parts: readonly Part[], from: number, to: number): string {
  let text = "";
  let paragraphs = 0;
  for (const part of parts.slice(from, to)) {
    if (text !== "" && part.isProse && part.gap === "\n\n") paragraphs++;
    if (paragraphs > 1 || text.length + part.gap.length + part.text.length > LONGEST_SOLUTION) break;
    text += (text === "" ? "" : part.gap) + part.text;
  }
  return text === "" ? (parts[from]?.text ?? "").slice(0, LONGEST_SOLUTION) : text;
}
