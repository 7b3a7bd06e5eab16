import type { EventOf } from "../../core/event.ts";
import { policy } from "../../core/policy.ts";
import { directivesOption } from "../../domain/session/options.ts";
import { filesReadAmong, onlyReads, onlyReadsFiles } from "../../domain/session/read-files.ts";
import { type ControlPaths, isControlCall, isInstruction } from "../../domain/session/required-calls.ts";
import { IDENTITY_ENV, inSession, saveSession } from "../../domain/session/sessions.ts";
import {
  DIRECTIVE_BLOCK_AFTER,
  flagIn,
  isHandingOver,
  isOpenSession,
  numberIn,
  type SessionState,
  textsIn,
  withFields,
} from "../../domain/session/state.ts";
import { sessions } from "../../domain/session/store.ts";

const COUNTER = "directiveReadsWithoutClearing";

export default policy({
  id: "session/directive-gate",
  summary: "Denies calls until the directive files that were found near the edited files have been read.",
  why: "A folder's directive files contain its rules; an agent that does not read them breaks them.",
  origin: "workflow engine",
  stage: "directives",
  options: (z) => z.object({ directives: directivesOption(z) }),
  messages: {
    pending: "Directive files not read yet: {files}. Read them; {left} allowed before that.",
    unread: "Read these directive files first: {files}. This call was not run, because they were not read yet.",
  },
  examples: {
    hit: ["the third call while a directive file is unread", "the first call while a directive file is unread"],
    pass: [
      "Read of the directive file",
      "cat of the directive file",
      "engine log, while a directive file is unread",
      "`ls`",
    ],
  },
  reads: { env: IDENTITY_ENV },
  uses: sessions,
  when: inSession,
  on: {
    "tool.before"(event, ctx, store) {
      const found = store.of(event, ctx.env);
      if (!found || ctx.options.directives !== "gate") return undefined;
      const { state } = found;
      const pending = textsIn(state, "pendingDirectives");
      if (!isHeld(event, state, ctx.places) || clears(event, pending, ctx.places.userHome)) return undefined;
      const calls = numberIn(state, COUNTER, 0) + 1;
      const limit = numberIn(state, "directiveBlockAfter", DIRECTIVE_BLOCK_AFTER);
      const files = pending.join(", ");
      if (calls >= limit) return ctx.deny("unread", { files }, "after they were read");
      return ctx.note("pending", { files, left: otherCalls(limit - calls - 1) });
    },
  },
  settled: {
    "tool.before"(event, _fate, ctx, store) {
      // A denied call has read nothing.
      const found = ctx.outcome === "deny" ? undefined : store.of(event, ctx.env);
      if (!found || ctx.options.directives !== "gate") return;
      const { dir, state } = found;
      const pending = textsIn(state, "pendingDirectives");
      if (pending.length === 0 || flagIn(state, "loading")) return;
      const read = filesReadAmong(pending, event, ctx.places.userHome);
      if (read.length > 0) {
        const rest = pending.filter((file) => !read.includes(file));
        saveSession(store, ctx, dir, withFields(state, { pendingDirectives: rest, [COUNTER]: 0 }));
      } else if (isHeld(event, state, ctx.places)) {
        saveSession(store, ctx, dir, withFields(state, { [COUNTER]: numberIn(state, COUNTER, 0) + 1 }));
      }
    },
  },
});

const otherCalls = (count: number): string =>
  count === 0 ? "no other call is" : count === 1 ? "1 other call is" : `${count} other calls are`;

/** Does the call read a pending directive file? That always passes, with any tool that only reads. */
function clears(event: EventOf<"tool.before">, pending: readonly string[], userHome: string): boolean {
  return onlyReads(event, userHome) && filesReadAmong(pending, event, userHome).length > 0;
}

function isHeld(event: EventOf<"tool.before">, state: SessionState, where: ControlPaths): boolean {
  if (textsIn(state, "pendingDirectives").length === 0 || flagIn(state, "loading")) return false;
  if (!isOpenSession(state) || isHandingOver(state) || event.tool.kind === "spawn") return false;
  if (["AskUserQuestion", "ToolSearch"].includes(event.tool.name) || isControlCall(event, where)) return false;
  return !onlyReadsFiles(event, where.userHome, (file) => isInstruction(file, where.userHome));
}
