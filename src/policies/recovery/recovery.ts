import path from "node:path";
import { type PolicyContext, policy } from "../../core/policy.ts";
import { oneLine } from "../../core/text/one-line.ts";
import {
  EDIT_ERRORS,
  failedEdit,
  type RejectedEdit,
  readFile,
  rejectedEdits,
} from "../../domain/recovery/edit-errors.ts";
import { refusalIn, sizeText } from "../../domain/recovery/refused-conversation.ts";
import { type Troubles, troubles } from "../../domain/recovery/store.ts";

const MOST_FILES_NAMED = 5;
const LONGEST_NAME = 160;

export default policy({
  id: "recovery/recovery",
  summary:
    "Tells the agent what helps after an edit was rejected, or after the model's service refused the conversation.",
  why: "An agent that tries a rejected edit again without reading the file repeats the error, and a conversation that is too long fails at every prompt.",
  origin: "oh-my-claudecode",
  stage: "advice",
  messages: {
    missing:
      "Nothing was changed in {files}, because the text to be replaced is not there. Read the file before the next edit of it: it may have changed, or blanks and line breaks differ.",
    several:
      "Nothing was changed in {files}, because the text to be replaced is there more than once. Read these places, then take lines around the right one into the edit, or set `replace_all` if all of them are meant.",
    same: "Nothing was changed in {files}, because the new text is the same as the old one. Read the file: the change may have been made before.",
    unread: "Nothing was changed in {files}, because it was not read before. Read it, then edit what it really says.",
    changed:
      "Nothing was changed in {files}, because it was changed after it was last read, by a person, a formatter or another agent. Read it again, and keep that change.",
    too_long:
      "The turn before this one failed, because the conversation is too long for the model{sizes}. Read large files in parts, and let commands print less.",
    too_long_again:
      "The conversation was too long for the model once more{sizes}. Another try will fail as well: the person can make room with `/compact` or begin anew with `/clear`. This is not said again.",
    empty_message:
      "The turn before this one failed, because a message of this conversation has no content. `hookwright transcript check` with the file of the transcript names it.",
  },
  examples: {
    hit: [
      "an Edit that the client rejects, because its `old_string` is not in the file",
      "the prompt after a turn that failed with `prompt is too long`",
    ],
    pass: [
      "a command whose output has the words `String to replace not found`",
      "the same error about the same file again, before it was read",
      "the prompt after a turn that failed with a rate limit",
    ],
  },
  uses: troubles,
  on: {
    "batch.after": (event, ctx, store) => notesOn(store.untold(event.agentId, rejectedEdits(event)), ctx),
    "tool.failed": (event, ctx, store) => notesOn(store.untold(event.agentId, failedEdit(event)), ctx),
    "prompt.submit"(_event, ctx, store) {
      const refusal = store.untoldRefusal();
      if (refusal?.kind !== "too_long") return refusal && ctx.note(refusal.kind);
      return ctx.note(refusal.attempt > 1 ? "too_long_again" : "too_long", { sizes: sizeText(refusal) });
    },
  },
  settled: {
    "batch.after"(event, fate, _ctx, store) {
      if (isTold(fate)) keepTold(event.agentId, rejectedEdits(event), store);
    },
    "tool.failed"(event, fate, _ctx, store) {
      if (isTold(fate)) keepTold(event.agentId, failedEdit(event), store);
    },
    "tool.after"(event, _fate, _ctx, store) {
      const file = readFile(event);
      if (file !== undefined) store.forgetFile(event.agentId, file);
    },
    "turn.failed"(event, _fate, ctx, store) {
      const refusal = event.agentId === "" ? refusalIn(event.error, event.details) : undefined;
      if (refusal) store.addRefusal(refusal, ctx.now());
    },
    "prompt.submit"(_event, fate, _ctx, store) {
      if (isTold(fate)) store.markRefusalTold();
    },
    "compact.after": (_event, _fate, _ctx, store) => store.forgetRefusals(),
  },
});

function notesOn(edits: readonly RejectedEdit[], ctx: PolicyContext) {
  return EDIT_ERRORS.flatMap((error) => {
    const files = edits.filter((edit) => edit.error === error).map(({ file }) => shown(file, ctx.actor.project));
    if (files.length === 0) return [];
    const more = files.length > MOST_FILES_NAMED ? ` and ${files.length - MOST_FILES_NAMED} more` : "";
    return [ctx.note(error, { files: files.slice(0, MOST_FILES_NAMED).join(", ") + more })];
  });
}

function keepTold(agentId: string, edits: readonly RejectedEdit[], store: Troubles): void {
  store.addTold(agentId, store.untold(agentId, edits));
}

function isTold(fate: string): boolean {
  return fate === "sent" || fate === "observed";
}

function shown(file: string, project: string): string {
  const below = path.relative(project, file);
  return oneLine(below.startsWith("..") || below === "" ? file : below, LONGEST_NAME);
}
