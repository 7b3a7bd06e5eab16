import path from "node:path";
import type { Json } from "../../core/event.ts";
import { BLOCK_AFTER, changed, numberIn, objectIn, type SessionState, textIn, WARN_AFTER } from "./state.ts";

const COUNTS = "toolCallsByTranscript";
const TOTAL = "toolCallsSinceLastLog";
const lastEdit = (transcript: string): string => `lastEditFile_${transcript}`;

/** Calls of one transcript since its last log. */
export function callsOf(state: SessionState, transcript: string): number {
  return numberIn(objectIn(state, COUNTS), transcript, 0);
}

export function limitsOf(state: SessionState): { readonly warn: number; readonly block: number } {
  return {
    warn: numberIn(state, "toolUseWithoutLogsWarnAfter", WARN_AFTER),
    block: numberIn(state, "toolUseWithoutLogsBlockAfter", BLOCK_AFTER),
  };
}

/** Editing the same file again right after is still the same step. */
export function isSameEdit(state: SessionState, transcript: string, edited: string): boolean {
  return edited !== "" && textIn(state, lastEdit(transcript)) === edited;
}

/** One more call. `edited` is the file it edits, empty for any other call. */
export function counted(state: SessionState, transcript: string, edited: string, now: number): SessionState {
  const isSame = isSameEdit(state, transcript, edited);
  const calls = callsOf(state, transcript) + (isSame ? 0 : 1);
  return changed(state, {
    ...countsWith(state, transcript, calls),
    [lastEdit(transcript)]: edited === "" ? undefined : edited,
    lastHeartbeat: new Date(now).toISOString(),
  });
}

/** A log was written: counting begins anew, or where it stood should the log have failed. */
export function recounted(state: SessionState, transcript: string, calls: number): SessionState {
  return changed(state, { ...countsWith(state, transcript, calls), [lastEdit(transcript)]: undefined });
}

/** For all transcripts, as when a phase begins. */
export function forgotten(state: SessionState): SessionState {
  const edits = Object.keys(state).filter((name) => name.startsWith("lastEditFile_"));
  return changed(state, { [COUNTS]: {}, [TOTAL]: 0, ...Object.fromEntries(edits.map((name) => [name, undefined])) });
}

function countsWith(state: SessionState, transcript: string, calls: number): Record<string, Json> {
  return { [COUNTS]: { ...objectIn(state, COUNTS), [transcript]: calls }, [TOTAL]: calls };
}

/** Where this session's log is: named after its template, else after its skill. */
export function logFile(dir: string, state: SessionState): string {
  return path.join(dir, documentName(textIn(state, "logTemplate"), `${skillWord(state)}_LOG.md`));
}

/** The document a template is for: `TEMPLATE_IMPLEMENTATION_LOG.md` makes `IMPLEMENTATION_LOG.md`. */
export function documentName(template: string, otherwise: string): string {
  const name = path.basename(template).replace(/^TEMPLATE_/, "");
  return name === "" ? otherwise : name;
}

export function skillWord(state: SessionState): string {
  return (textIn(state, "skill") || "session").toUpperCase().replace(/[^A-Z0-9]+/g, "_");
}
