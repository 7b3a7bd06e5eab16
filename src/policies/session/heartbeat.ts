import type { EventOf } from "../../core/event.ts";
import { policy, type SettledContext } from "../../core/policy.ts";
import { callCount, isSameEdit, limitsOf, logFile, withCall, withCalls } from "../../domain/session/heartbeat.ts";
import { onlyReadsFiles } from "../../domain/session/read-files.ts";
import {
  type ControlPaths,
  isControlCall,
  isInstruction,
  isLogCall,
  ranLog,
  transcriptKey,
} from "../../domain/session/required-calls.ts";
import { IDENTITY_ENV, inSession, type Sessions, saveSession } from "../../domain/session/sessions.ts";
import { ENGINE_ENV, engineCommand } from "../../domain/session/start-hints.ts";
import { flagIn, isHandingOver, lifecycleOf, type SessionState, textIn } from "../../domain/session/state.ts";
import { sessions } from "../../domain/session/store.ts";

const TEMPLATE = /(?:^|\/)TEMPLATE_[^/]*$/;
const undoKey = (useId: string): string => `log-of:${useId}`;

export default policy({
  id: "session/heartbeat",
  summary: "Counts calls since the last log entry of an agent; reminds it to log, then denies calls until it does.",
  why: "A session whose agent stopped logging cannot be handed over: what it tried and why is only in its context.",
  origin: "workflow engine",
  stage: "heartbeat",
  options: (z) =>
    z.object({
      remind: z
        .enum(["once", "every"])
        .default("every")
        .describe("Remind with every call from the first reminder on, or only the first time.")
        .meta({ tighter: "up", order: ["once", "every"] }),
    }),
  messages: {
    due: "{calls} since the last log entry; at {block}, calls are denied until you log. Log what was done: `{engine} log {log}` with the entry (a `## ` heading first) on standard input.{template}",
    overdue:
      "{tool} was not run, because the last log entry was {calls} ago. Write what was done, found and decided: `{engine} log {log}` with the entry (a `## ` heading first) on standard input.{template}",
  },
  examples: {
    hit: ["the third call since the last log", "the tenth call since the last log"],
    pass: ["the second call since the last log", "the first call after an engine log", "`ls`"],
  },
  reads: { env: [...IDENTITY_ENV, ...ENGINE_ENV] },
  uses: sessions,
  when: inSession,
  on: {
    "tool.before"(event, ctx, store) {
      const found = store.of(event, ctx.env);
      if (!found || !isCounted(event, found.state, ctx.places)) return undefined;
      const { dir, state } = found;
      const transcript = transcriptKey(event);
      const calls = callCount(state, transcript) + (isSameEdit(state, transcript, editedFile(event)) ? 0 : 1);
      const { warn, block } = limitsOf(state);
      const isDue = ctx.options.remind === "every" ? calls >= warn : calls === warn;
      if (!isDue && calls < block) return undefined;
      const template = textIn(state, "logTemplate");
      const hint = template === "" ? "" : ` Its form is in ${template}.`;
      const engine = engineCommand(ctx);
      const since = calls === 1 ? "1 call" : `${calls} calls`;
      const data = { calls: since, block, log: logFile(dir, state), template: hint, engine: engine ?? "engine" };
      // Without an engine no log entry can be written, so nothing is denied.
      if (calls >= block && engine !== undefined)
        return ctx.deny("overdue", { ...data, tool: event.tool.name }, "after a log entry");
      return ctx.note("due", data);
    },
  },
  settled: {
    "tool.before"(event, _fate, ctx, store) {
      // Denied calls are not counted.
      const found = ctx.outcome === "deny" ? undefined : store.of(event, ctx.env);
      if (!found) return;
      const transcript = transcriptKey(event);
      if (isLogCall(event, ctx.places)) {
        // The count is kept, so that it can be restored if the log call fails.
        store.setOther(undoKey(event.tool.useId), callCount(found.state, transcript));
        saveSession(store, ctx, found.dir, withCalls(found.state, transcript, 0));
      } else if (isCounted(event, found.state, ctx.places)) {
        saveSession(store, ctx, found.dir, withCall(found.state, transcript, editedFile(event), ctx.now()));
      }
    },
    "tool.after"(event, _fate, ctx, store) {
      if (isLogCall(event, ctx.places)) return store.deleteOther(undoKey(event.tool.useId));
      const found = store.of(event, ctx.env);
      if (found && ranLog(event, ctx.places)) {
        saveSession(store, ctx, found.dir, withCalls(found.state, transcriptKey(event), 0));
      }
    },
    "tool.failed"(event, _fate, ctx, store) {
      if (isLogCall(event, ctx.places)) putBack(event, ctx, store);
    },
  },
});

function putBack(event: EventOf<"tool.failed">, ctx: SettledContext, store: Sessions): void {
  const calls = store.other(undoKey(event.tool.useId));
  const found = store.of(event, ctx.env);
  store.deleteOther(undoKey(event.tool.useId));
  if (!found || typeof calls !== "number") return;
  const transcript = transcriptKey(event);
  saveSession(store, ctx, found.dir, withCalls(found.state, transcript, callCount(found.state, transcript) + calls));
}

/** Not counted: calls while the session is loading, closed or handed over; control calls, spawns and reads of instructions. */
function isCounted(event: EventOf<"tool.before">, state: SessionState, where: ControlPaths): boolean {
  if (!["active", "resuming"].includes(lifecycleOf(state))) return false;
  if (flagIn(state, "loading") || isHandingOver(state) || event.tool.kind === "spawn") return false;
  if (["AskUserQuestion", "Skill", "ToolSearch"].includes(event.tool.name)) return false;
  if (isControlCall(event, where)) return false;
  const { userHome } = where;
  return !onlyReadsFiles(event, userHome, (file) => isInstruction(file, userHome) || TEMPLATE.test(file));
}

function editedFile(event: EventOf<"tool.before">): string {
  return event.tool.name === "Edit" || event.tool.name === "MultiEdit" ? (event.writes[0] ?? "") : "";
}
