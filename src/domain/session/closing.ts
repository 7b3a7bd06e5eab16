import path from "node:path";
import type { Json } from "../../core/event.ts";
import { documentName, skillWord } from "./heartbeat.ts";
import { currentPhase, declaredPhases, majorOf, proofOf, readProof } from "./phases.ts";
import { changed, flagIn, objectIn, type SessionState, textIn, textsIn } from "./state.ts";
import { openTags } from "./tags.ts";

export function debriefFile(dir: string, state: SessionState): string {
  return path.join(dir, documentName(textIn(state, "debriefTemplate"), `${skillWord(state)}.md`));
}

/** A session that has hardly begun has nothing to show. */
export function hasBegun(state: SessionState): boolean {
  const phase = currentPhase(state);
  return phase !== undefined && majorOf(phase) > 1;
}

/** The session without an owner: its skill counts as done. */
function closed(
  state: SessionState,
  description: string,
  more: Readonly<Record<string, Json | undefined>>,
): SessionState {
  const skill = textIn(state, "skill");
  const done = textsIn(state, "completedSkills");
  return changed(state, {
    pid: undefined,
    sessionDescription: description,
    completedSkills: skill === "" || done.includes(skill) ? [...done] : [...done, skill],
    ...more,
  });
}

export function idled(state: SessionState, description: string): SessionState {
  return closed(state, description, { lifecycle: "idle" });
}

export function completed(state: SessionState, description: string, keywords: readonly string[]): SessionState {
  const words = keywords.length > 0 ? { searchKeywords: [...keywords] } : {};
  return closed(state, description, { lifecycle: "completed", ...words });
}

/** What is still missing before a session can be closed, each as a sentence. */
export function missingToClose(dir: string, state: SessionState, exists: (file: string) => boolean): string[] {
  if (!hasBegun(state)) return [];
  const debrief = debriefFile(dir, state);
  return [
    ...(exists(debrief)
      ? []
      : [`${debrief} is not written: \`engine session debrief ${dir}\` says what goes into it.`]),
    ...(flagIn(state, "checkPassed") ? [] : [`The checks have not passed: run \`engine session check ${dir}\`.`]),
  ];
}

/** The state with the proof of its last phase, from the same text that describes it. */
export function withLastProof(state: SessionState, text: string): SessionState {
  const phase = currentPhase(state);
  const keys = hasBegun(state) ? proofOf(phase, declaredPhases(state)) : [];
  if (!phase || keys.length === 0) return state;
  const proof = { [phase.label]: readProof(keys, text, phase) };
  return changed(state, { provenItems: { ...objectIn(state, "provenItems"), ...proof } });
}

export interface CheckInput {
  /** The session's own documents, by path. */
  readonly documents: ReadonlyMap<string, string>;
  readonly state: SessionState;
  /** Answers to checklists. */
  readonly answers: string;
  read(file: string): string | undefined;
}

export interface Checked {
  readonly tags: readonly string[];
  readonly checklists: readonly string[];
  readonly requests: readonly string[];
}

/** What a session leaves open: tags in its documents, checklists without answers, requests not answered. */
export function check({ documents, state, answers, read }: CheckInput): Checked {
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

/** Each item has to come back as done (`[x]`) or as not applying (`[-]`). */
function unanswered(file: string, text: string | undefined, answers: string): string[] {
  if (text === undefined) return [];
  const given = new Set(answers.split("\n").flatMap((line) => ANSWERED.exec(line)?.[1]?.trim() ?? []));
  return text.split("\n").flatMap((line, index) => {
    const item = ITEM.exec(line)?.[1]?.trim();
    return item === undefined || given.has(item) ? [] : [`${file}:${index + 1}: not answered: ${item}`];
  });
}
