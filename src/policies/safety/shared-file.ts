import type { EventOf } from "../../core/event.ts";
import { policy, type SettledContext } from "../../core/policy.ts";
import { editedFiles } from "../../domain/claims/edited-files.ts";
import { shownPath } from "../../domain/claims/file-names.ts";

const MINUTE_MS = 60_000;
const SHOWN_SESSION = 8;

export default policy({
  id: "safety/shared-file",
  summary: "Tells an agent that another session has lately edited the file that it is about to edit.",
  why: "Two sessions that work in one tree overwrite each other's changes, and neither of them notices.",
  stage: "advice",
  options: (z) =>
    z.object({
      minutes: z
        .int()
        .min(1)
        .max(1_440)
        .default(60)
        .describe("For how many minutes after an edit other sessions are told of it.")
        .meta({ tighter: "up" }),
    }),
  messages: {
    shared:
      "{path} was edited {ago} by another session ({agent} {session}), which may still work on it. Read the file again before you edit it, keep that change, and tell the person if both sessions have to change the same part. This is said once for this file.",
  },
  examples: {
    hit: ["the first edit of a file that another session of the project edited ten minutes ago"],
    pass: [
      "the second edit of it",
      "the same file in another worktree",
      "Edit `src/a.ts`, which nobody else has edited",
    ],
  },
  uses: editedFiles,
  on: {
    "tool.before"(event, ctx, files) {
      if (event.writes.length === 0) return undefined;
      return event.writes.flatMap((file) => {
        const other = files.untold(ctx.realPath(file), event.session, ctx.now());
        if (!other) return [];
        return ctx.note("shared", {
          path: shownPath(file, ctx.actor.project),
          ago: agoText(ctx.now() - other.at),
          agent: other.agent,
          session: other.owner.slice(0, SHOWN_SESSION),
        });
      });
    },
    // Looked at here, because what settles looks at nothing.
    "tool.after"(event, ctx) {
      for (const file of event.writes) ctx.realPath(file);
      return undefined;
    },
  },
  settled: {
    "tool.before"(event, fate, ctx, files) {
      if (fate !== "sent" && fate !== "observed") return;
      for (const file of realPaths(event, ctx)) {
        if (files.untold(file, event.session, ctx.now())) files.markTold(file, event.session);
      }
    },
    "tool.after"(event, _fate, ctx, files) {
      for (const file of realPaths(event, ctx)) {
        files.claim(file, event, ctx.now(), ctx.options.minutes * MINUTE_MS);
      }
    },
    "session.end": (event, _fate, ctx, files) => files.release(event.session, ctx.now()),
  },
});

type EditEvent = EventOf<"tool.before"> | EventOf<"tool.after">;

function realPaths(event: EditEvent, ctx: Pick<SettledContext, "looked">): readonly string[] {
  return event.session === "" ? [] : event.writes.map((file) => ctx.looked.realPath(file));
}

function agoText(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes < 1) return "less than a minute ago";
  return minutes === 1 ? "a minute ago" : `${minutes} minutes ago`;
}
