import { policy } from "../../core/policy.ts";
import { fingerprint } from "../../core/text/fingerprint.ts";
import { DETAILS_FILE, detailsEntry, lastAssistantText } from "../../domain/session/handover/details.ts";
import { IDENTITY_ENV } from "../../domain/session/sessions.ts";
import { sessions } from "../../domain/session/store.ts";

const TAIL = 512 * 1024;

export default policy({
  id: "session/details-log",
  summary: "Writes every question to the user and its answer into the session's DETAILS.md.",
  why: "The decisions of the user are needed later, and a compaction may remove them from the context.",
  origin: "workflow engine",
  stage: "recorder",
  filter: { kinds: ["other"] },
  messages: {},
  examples: {
    hit: ["AskUserQuestion answered inside a session"],
    pass: ["AskUserQuestion without a session", "any other tool"],
  },
  reads: { env: IDENTITY_ENV },
  uses: sessions,
  on: {
    "tool.after"(event, ctx, store) {
      const { tool, transcript } = event;
      if (tool.name !== "AskUserQuestion" || transcript === "" || !store.of(event, ctx.env)) return undefined;
      // Read here, because `settled` may not read; written there. The transcript may lag behind, so its tail is used only
      // once it contains this call.
      return ctx.read.tailWith(transcript, TAIL, tool.useId, lastAssistantText).then(() => undefined);
    },
  },
  settled: {
    "tool.after"(event, _fate, ctx, store) {
      if (event.tool.name !== "AskUserQuestion") return;
      const found = store.of(event, ctx.env);
      if (!found) return;
      const marker =
        event.tool.useId || fingerprint(event.session, String(ctx.now()), JSON.stringify(event.tool.input));
      const premise = event.transcript === "" ? "" : (ctx.looked.tail<string>(event.transcript) ?? "");
      const about = { input: event.tool.input, response: event.response, premise, now: ctx.now(), marker };
      const entry = detailsEntry(about);
      if (entry !== undefined) ctx.append([found.dir, DETAILS_FILE], entry, marker);
    },
  },
});
