import path from "node:path";
import type { EventOf } from "../../core/event.ts";
import { type PolicyContext, policy } from "../../core/policy.ts";
import {
  HANDOVER_FILE,
  handoverText,
  miniHandover,
  pendingHandover,
  withHandover,
} from "../../domain/session/handover/handover.ts";
import {
  continuePrompt,
  DELIVERY_ENV,
  RESTART_JOB,
  withRestartRequested,
} from "../../domain/session/handover/restart.ts";
import {
  type FoundSession,
  IDENTITY_ENV,
  type Sessions,
  saveSession,
  sessionName,
} from "../../domain/session/sessions.ts";
import { SKILL_ENV, skillCommand } from "../../domain/session/skill-command.ts";
import { flagIn, isOpenSession } from "../../domain/session/state.ts";
import { sessions } from "../../domain/session/store.ts";

const TEST_ENV = "TEST_MODE";
const DOCUMENT = "handover";

export default policy({
  id: "session/compaction",
  summary:
    "Writes a hand-over before the context is compacted automatically, and restarts the agent where that is configured.",
  why: "An automatic compaction comes without a warning, so the agent has no chance to write its hand-over before it.",
  origin: "workflow engine",
  stage: "session",
  messages: {
    keep: "Keep in the summary: the work session `{name}` in {dir}, its phase and the next steps. Its hand-over is in {file}.",
    dry: "TEST_MODE: {file} is written; the agent would be restarted with: {prompt}",
  },
  examples: {
    hit: ["an automatic compaction in a session without a hand-over"],
    pass: ["a compaction that the person asked for", "an automatic compaction without a session"],
  },
  reads: { env: [...new Set([...IDENTITY_ENV, ...DELIVERY_ENV, TEST_ENV, ...SKILL_ENV])] },
  uses: sessions,
  on: {
    "compact.before"(event, ctx, store) {
      const found = sessionAt(event, ctx, store);
      if (!found) return undefined;
      const { dir, state } = found;
      const file = path.join(dir, HANDOVER_FILE);
      // Read here, so that the `settled` handler finds the facts.
      ctx.read.text(file, DOCUMENT, (text) => text);
      ctx.list(dir);
      const prompt = continuePrompt(dir, state, skillCommand(ctx, ctx.info));
      if (ctx.env(TEST_ENV) === "1") return ctx.note("dry", { file, prompt });
      return ctx.note("keep", { name: sessionName(dir), dir, file });
    },
  },
  settled: {
    "compact.before"(event, _fate, ctx, store) {
      const found = sessionAt(event, ctx, store);
      if (!found) return;
      const { dir, state } = found;
      const written = ctx.looked.text<string>(path.join(dir, HANDOVER_FILE), DOCUMENT);
      const before = pendingHandover(state, written);
      const files = ctx.looked.list(dir) ?? [];
      const cause = "The context was full and about to be compacted.";
      const handover = before ?? miniHandover(dir, state, { files, transcript: event.transcript, cause });
      const captured = withHandover(state, handover);
      if (!before) ctx.mirrorText([dir, HANDOVER_FILE], handoverText(handover));
      if (ctx.contextPolicy !== "restart" || ctx.env(TEST_ENV) === "1") return saveSession(store, ctx, dir, captured);
      const id = `${event.session}:${ctx.now()}`;
      const prompt = continuePrompt(dir, state, skillCommand(ctx, ctx.looked.info));
      saveSession(store, ctx, dir, withRestartRequested(captured, id, prompt));
      ctx.session.handOver(true);
      ctx.job(RESTART_JOB, { project: ctx.actor.project, dir, id });
    },
  },
});

/** The open session that an automatic compaction interrupts; undefined for one that is already being ended. */
function sessionAt(
  event: EventOf<"compact.before">,
  ctx: Pick<PolicyContext, "env">,
  store: Sessions,
): FoundSession | undefined {
  // Some clients send the trigger in the field `event`.
  const trigger = event.trigger || event.raw.event;
  if (trigger !== "auto") return undefined;
  const found = store.of(event, ctx.env);
  return found && isOpenSession(found.state) && !flagIn(found.state, "killRequested") ? found : undefined;
}
