import path from "node:path";
import type { Json } from "../../core/event.ts";
import { documentName, skillWord } from "./heartbeat.ts";
import { currentPhase, declaredPhases, majorOf, readProof, requiredProof } from "./phases.ts";
import { flagIn, objectIn, type SessionState, textIn, textsIn, withFields } from "./state.ts";
import { openTags } from "./tags.ts";

export function debriefFile(dir: string, state: SessionState): string {
  return path.join(dir, documentName(textIn(state, "debriefTemplate"), `${skillWord(state)}.md`));
}

/** Has the session passed its first major phase? Before that there is nothing to check or debrief. */
export function isPastFirstPhase(state: SessionState): boolean {
  const phase = currentPhase(state);
  return phase !== undefined && majorOf(phase) > 1;
}

/** The state without an owner and with its skill marked as completed. */
function closed(
  state: SessionState,
  description: string,
  more: Readonly<Record<string, Json | undefined>>,
): SessionState {
  const skill = textIn(state, "skill");
  const done = textsIn(state, "completedSkills");
  return withFields(state, {
    pid: undefined,
    sessionDescription: description,
    completedSkills: skill === "" || done.includes(skill) ? [...done] : [...done, skill],
    ...more,
  });
}

export function withIdle(state: SessionState, description: string): SessionState {
  return closed(state, description, { lifecycle: "idle" });
}

export function withCompleted(state: SessionState, description: string, keywords: readonly string[]): SessionState {
  const words = keywords.length > 0 ? { searchKeywords: [...keywords] } : {};
  return closed(state, description, { lifecycle: "completed", ...words });
}

/** What is missing before the session can be closed, in sentences. */
export function missingToClose(dir: string, state: SessionState, exists: (file: string) => boolean): string[] {
  if (!isPastFirstPhase(state)) return [];
  const debrief = debriefFile(dir, state);
  return [
    ...(exists(debrief)
      ? []
      : [`${debrief} is not written: \`engine session debrief ${dir}\` says what goes into it.`]),
    ...(flagIn(state, "checkPassed") ? [] : [`The checks have not passed: run \`engine session check ${dir}\`.`]),
  ];
}

/** The state with the proof of its last phase, read from the text that describes the session. */
export function withLastProof(state: SessionState, text: string): SessionState {
  const phase = currentPhase(state);
  const keys = isPastFirstPhase(state) ? requiredProof(phase, declaredPhases(state)) : [];
  if (!phase || keys.length === 0) return state;
  const proof = { [phase.label]: readProof(keys, text, phase) };
  return withFields(state, { provenItems: { ...objectIn(state, "provenItems"), ...proof } });
}

export interface OpenItemsInput {
  /** The texts of the session's documents, by path. */
  readonly documents: ReadonlyMap<string, string>;
  readonly state: SessionState;
  /** Answers to checklists. */
  readonly answers: string;
  read(file: string): string | undefined;
}

export interface OpenItems {
  readonly tags: readonly string[];
  readonly checklists: readonly string[];
  readonly requests: readonly string[];
}

/** The open items of a session: open tags in its documents, unanswered checklists and requests. */
export function checkOpenItems({ documents, state, answers, read }: OpenItemsInput): OpenItems {
  const tags = [...documents].flatMap(([file, text]) =>
    openTags(text)
      .filter(({ onTagsLine }) => !onTagsLine)
      .map(
        ({ tag, line }) =>
          `${file}:${line}: ${tag} is still open. Do what it asks, or put the tag in backticks if it is only mentioned.`,
      ),
  );
  const checklists = textsIn(state, "discoveredChecklists").flatMap((file) => unanswered(file, read(file), answers));
  const requests = textsIn(state, "requestFiles").flatMap((file) => {
    const text = read(file);
    if (text === undefined) return [`${file} is listed as a request file but does not exist.`];
    const [open] = openTags(text);
    return open ? [`${file}:${open.line}: ${open.tag} is not answered.`] : [];
  });
  return { tags, checklists, requests };
}

const ITEM = /^\s*[-*] \[[ xX~-]\] (.+)$/;
const ANSWERED = /^\s*[-*] \[[xX~-]\] (.+)$/;

/** The items of a checklist that the answers do not repeat as done (`[x]`) or not applicable (`[-]`). */
function unanswered(file: string, text: string | undefined, answers: string): string[] {
  if (text === undefined) return [];
  const given = new Set(answers.split("\n").flatMap((line) => ANSWERED.exec(line)?.[1]?.trim() ?? []));
  return text.split("\n").flatMap((line, index) => {
    const item = ITEM.exec(line)?.[1]?.trim();
    return item === undefined || given.has(item) ? [] : [`${file}:${index + 1}: not answered: ${item}`];
  });
}
