import { policy } from "../../core/policy.ts";
import { leftDrafts } from "../../domain/session-record/left-drafts.ts";
import { writeSessionFile } from "../../domain/session-record/session-file.ts";
import { sessionRecord } from "../../domain/session-record/store.ts";

export default policy({
  id: "coordination/session-end",
  summary: "Writes down what a session was when it ends: how long, with how many subagents, in which modes.",
  why: "When a session is over, nobody knows any more what it did, and drafts of its files stay behind.",
  origin: "oh-my-claudecode",
  stage: "recorder",
  messages: {},
  examples: {
    hit: ["nothing: it never says anything, and writes `.omc/sessions/<id>.json` when a session ends"],
    pass: ["a session starts", "a session ends"],
  },
  uses: sessionRecord,
  on: {
    "session.end"(event, ctx) {
      leftDrafts(event.session, { project: ctx.actor.project, info: ctx.info }, ctx);
      return undefined;
    },
  },
  settled: {
    "session.start"(event, _fate, ctx, store) {
      if (event.agentId === "" && store.startedAt() === undefined) store.setStartedAt(ctx.now());
    },
    "session.end"(event, _fate, ctx, store) {
      const files = {
        project: ctx.actor.project,
        info: ctx.info.bind(ctx),
        mirror: ctx.mirror.bind(ctx),
        mirrorText: ctx.mirrorText.bind(ctx),
      };
      for (const draft of leftDrafts(event.session, files, ctx.looked)) ctx.mirror(draft, undefined);
      writeSessionFile(event, store.startedAt(), files, ctx);
    },
  },
});
