import path from "node:path";
import {
  deliveredText,
  HANDOVER_FILE,
  isGivenTo,
  pendingHandover,
  withoutHandover,
} from "../../../domain/session/handover/handover.ts";
import { restoredText } from "../../../domain/session/handover/restored-text.ts";
import { sessionName } from "../../../domain/session/sessions.ts";
import { type SessionState, textIn } from "../../../domain/session/state.ts";
import { system } from "../../../system/system.ts";
import type { ExtraWrites, SessionAccess } from "./session-access.ts";

const MOST_BYTES = 1024 * 1024;
const MOST_PER_FILE = 50_000;

export const handoverDocument = (dir: string): string => path.join(dir, HANDOVER_FILE);
export const readHandoverDocument = (dir: string): string | undefined =>
  system.readText(handoverDocument(dir), MOST_BYTES);

/** Takes the pending hand-over of a session that is continued by hand. No text when this run already got it at its start. */
export function takeHandover(
  access: SessionAccess,
  dir: string,
  state: SessionState,
  also: ExtraWrites,
): { readonly state: SessionState; readonly text: readonly string[] } {
  const handover = pendingHandover(state, readHandoverDocument(dir));
  if (!handover) return { state, text: [] };
  also.document(handoverDocument(dir), deliveredText(handover, access.now));
  const rest = withoutHandover(state);
  if (access.who.session !== "" && isGivenTo(state, access.who.session)) return { state: rest, text: [] };
  const files = handover.requiredFiles.map((name) => {
    const full = path.resolve(access.project, name.replace(/^~(?=\/)/, access.context.env.HOME ?? "/"));
    return { name, text: system.readText(full, MOST_BYTES)?.slice(0, MOST_PER_FILE) };
  });
  const about = { name: sessionName(dir), dir, file: handoverDocument(dir), skill: textIn(state, "skill") };
  const shown = restoredText(handover, { ...about, phase: textIn(state, "currentPhase") }, files);
  return { state: rest, text: ["", `${shown.head}${shown.files}`] };
}
