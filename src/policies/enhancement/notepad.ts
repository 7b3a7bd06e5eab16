import type { EventOf } from "../../core/event.ts";
import { type PolicyContext, policy, type SettledContext } from "../../core/policy.ts";
import { digestOf, fingerprintOf, type NotepadDigest, startText } from "../../domain/notepad/digest.ts";
import { NOTEPAD_JOB, notepadJob } from "../../domain/notepad/edit-notepad.ts";
import { isOld } from "../../domain/notepad/notes.ts";
import { NOTEPAD, notepadFile, unusablePlace } from "../../domain/notepad/place.ts";
import { type RememberedNote, rememberedNotes } from "../../domain/notepad/remember-tags.ts";
import { type NotepadSession, notepadSession } from "../../domain/notepad/store.ts";

const ABOUT = "notepad";
const LARGEST = 256 * 1024;
/** With this tool a subagent hands its report back, which is then not its last message. */
const HAND_BACK = "SubagentHandback";

type Report = EventOf<"subagent.stop"> | EventOf<"tool.after">;

export default policy({
  id: "enhancement/notepad",
  summary: "Tells a session what the project's notepad says, and keeps what subagents want to be remembered.",
  why: "What was found out is lost with the context, and notes that nobody reads again are of no use.",
  origin: "oh-my-claudecode",
  stage: "advice",
  messages: {
    notes: "From the notepad of this project, {file}:\n{text}",
    unusable:
      "The notepad of this project is not used: {why}. It has to be a plain text file of at most 256 KB in a plain folder.",
  },
  examples: {
    hit: ["the start of a session in a project whose `.omc/notepad.md` has a priority context"],
    pass: ["a project without a notepad", "a resumed session that was told the same before", "the end of a subagent"],
  },
  uses: notepadSession,
  on: {
    "session.start"(event, ctx, store) {
      const notepad = lookAt(ctx);
      if (typeof notepad === "string") {
        return store.problem === notepad ? undefined : ctx.notice("unusable", { why: notepad });
      }
      const text = notepad ? startText(notepad, event.source) : "";
      if (!notepad || text === "" || isTold(event, notepad, store)) return undefined;
      return ctx.note("notes", { file: NOTEPAD, text }, notepadFile(ctx.actor.project));
    },
  },
  settled: {
    "session.start"(_event, fate, ctx, store) {
      const { project } = ctx.actor;
      const notepad = lookedAt(ctx);
      if (typeof notepad === "string" && store.problem !== notepad) store.problem = notepad;
      if (typeof notepad !== "object") return;
      if (fate === "sent" || fate === "observed") store.told = fingerprintOf(notepad);
      const isDue = notepad.count > 0 && isOld({ at: notepad.oldestAt }, ctx.now());
      if (isDue) ctx.job(NOTEPAD_JOB, notepadJob({ project, notes: [], at: ctx.now(), prunes: true }));
    },
    "subagent.stop": (event, _fate, ctx, store) => keepNotes(event, ctx, store),
    "tool.after": (event, _fate, ctx, store) => keepNotes(event, ctx, store),
  },
});

/** What the notepad says; a sentence part when it cannot be used; undefined when there is none. */
function lookAt(ctx: PolicyContext): NotepadDigest | string | undefined {
  const { project } = ctx.actor;
  const why = unusablePlace(project, ctx.info);
  return why !== "" ? why : usable(ctx.read.text(notepadFile(project), ABOUT, digestOf, LARGEST), ctx.info, project);
}

/** The same from what was read then. */
function lookedAt({ actor: { project }, looked }: SettledContext): NotepadDigest | string | undefined {
  const why = unusablePlace(project, looked.info);
  return why !== "" ? why : usable(looked.text(notepadFile(project), ABOUT), looked.info, project);
}

function usable(notepad: NotepadDigest | undefined, info: PolicyContext["info"], project: string) {
  const isThere = info(notepadFile(project)) !== undefined;
  if (notepad === undefined) return isThere ? `${NOTEPAD} cannot be read` : undefined;
  return notepad.isText ? notepad : `${NOTEPAD} is not UTF-8 text`;
}

function isTold({ source }: EventOf<"session.start">, notepad: NotepadDigest, store: NotepadSession): boolean {
  return source === "resume" && store.told === fingerprintOf(notepad);
}

function notesIn(event: Report): RememberedNote[] {
  // The end of a compaction is reported like the end of a subagent without a type.
  if (event.agentId === "" || event.agentType === "") return [];
  if (event.name === "subagent.stop") return rememberedNotes(event.lastMessage);
  const { message } = event.tool.input;
  return event.tool.name === HAND_BACK && typeof message === "string" ? rememberedNotes(message) : [];
}

function keepNotes(event: Report, ctx: SettledContext, store: NotepadSession): void {
  // A subagent that is held has not said its last word.
  if (ctx.outcome === "hold") return;
  const notes = store.newOf(notesIn(event));
  if (notes.length === 0) return;
  store.keep(notes);
  ctx.job(NOTEPAD_JOB, notepadJob({ project: ctx.actor.project, notes, at: ctx.now(), prunes: false }));
}
