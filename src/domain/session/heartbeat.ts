import path from "node:path";
import type { Json } from "../../core/event.ts";
import { BLOCK_AFTER, numberIn, objectIn, type SessionState, textIn, WARN_AFTER, withFields } from "./state.ts";

const COUNTS = "toolCallsByTranscript";
const TOTAL = "toolCallsSinceLastLog";
const lastEdit = (transcript: string): string => `lastEditFile_${transcript}`;

/** Number of calls of one transcript since its last log entry. */
export function callCount(state: SessionState, transcript: string): number {
  return numberIn(objectIn(state, COUNTS), transcript, 0);
}

export function limitsOf(state: SessionState): { readonly warn: number; readonly block: number } {
  return {
    warn: numberIn(state, "toolUseWithoutLogsWarnAfter", WARN_AFTER),
    block: numberIn(state, "toolUseWithoutLogsBlockAfter", BLOCK_AFTER),
  };
}

/** Is this another edit of the file that the last call edited? It counts as the same step. */
export function isSameEdit(state: SessionState, transcript: string, edited: string): boolean {
  return edited !== "" && textIn(state, lastEdit(transcript)) === edited;
}

/** The state with one more call counted. `edited`: the file that the call edits, empty for any other call. */
export function withCall(state: SessionState, transcript: string, edited: string, now: number): SessionState {
  const isSame = isSameEdit(state, transcript, edited);
  const calls = callCount(state, transcript) + (isSame ? 0 : 1);
  return withFields(state, {
    ...countsWith(state, transcript, calls),
    [lastEdit(transcript)]: edited === "" ? undefined : edited,
    lastHeartbeat: new Date(now).toISOString(),
  });
}

/** The state with the count set: to 0 after a log entry, or back to its old value if the log call failed. */
export function withCalls(state: SessionState, transcript: string, calls: number): SessionState {
  return withFields(state, { ...countsWith(state, transcript, calls), [lastEdit(transcript)]: undefined });
}

/** The state with the counts of all transcripts reset, as at the start of a phase. */
export function withCountsReset(state: SessionState): SessionState {
  const edits = Object.keys(state).filter((name) => name.startsWith("lastEditFile_"));
  return withFields(state, { [COUNTS]: {}, [TOTAL]: 0, ...Object.fromEntries(edits.map((name) => [name, undefined])) });
}

function countsWith(state: SessionState, transcript: string, calls: number): Record<string, Json> {
  return { [COUNTS]: { ...objectIn(state, COUNTS), [transcript]: calls }, [TOTAL]: calls };
}

/** The path of the session's log, named after its template, else after its skill. */
export function logFile(dir: string, state: SessionState): string {
  return path.join(dir, documentName(textIn(state, "logTemplate"), `${skillWord(state)}_LOG.md`));
}

/** The name of the document for a template: `IMPLEMENTATION_LOG.md` for `TEMPLATE_IMPLEMENTATION_LOG.md`. */
export function documentName(template: string, otherwise: string): string {
  const name = path.basename(template).replace(/^TEMPLATE_/, "");
  return name === "" ? otherwise : name;
}

export function skillWord(state: SessionState): string {
  return (textIn(state, "skill") || "session").toUpperCase().replace(/[^A-Z0-9]+/g, "_");
}
