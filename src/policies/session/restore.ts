import path from "node:path";
import type { EventOf } from "../../core/event.ts";
import { type Fate, type PolicyContext, policy, type SettledContext } from "../../core/policy.ts";
import {
  deliveredText,
  givenTo,
  HANDOVER_FILE,
  type Handover,
  isGivenTo,
  pendingHandover,
  withoutHandover,
} from "../../domain/session/handover/handover.ts";
import { withResumed } from "../../domain/session/handover/restart.ts";
import { restoredText } from "../../domain/session/handover/restored-text.ts";
import {
  type FoundSession,
  IDENTITY_ENV,
  identityOf,
  inSession,
  type Sessions,
  saveSession,
  sessionName,
} from "../../domain/session/sessions.ts";
import { flagIn, lifecycleOf, textIn, withFields } from "../../domain/session/state.ts";
import { sessions } from "../../domain/session/store.ts";

const DOCUMENT = "handover";
const CONTENT = "required-file";
const MOST_BYTES = 50_000;

export default policy({
  id: "session/restore",
  summary: "Gives a new run the hand-over of the run before it.",
  why: "Without the hand-over in its context, a new run does not know what was done before.",
  origin: "workflow engine",
  stage: "session",
  messages: { restored: "{head}{files}" },
  examples: {
    hit: ["the start of a run after a hand-over", "the start after /clear, in the same pane"],
    pass: ["the start of a run without a hand-over", "a start that resumes a conversation"],
  },
  reads: { env: IDENTITY_ENV },
  uses: sessions,
  when: inSession,
  on: {
    "session.start": (event, ctx, store) => restore(event, ctx, store),
    "prompt.submit": (event, ctx, store) => restore(event, ctx, store),
  },
  settled: {
    "session.start"(event, fate, ctx, store) {
      const found = give(event, fate, ctx, store);
      const isBegun = found && (lifecycleOf(found.state) === "restarting" || flagIn(found.state, "killRequested"));
      if (isBegun && FRESH.includes(event.source)) saveSession(store, ctx, found.dir, withResumed(found.state));
    },
    "prompt.submit"(event, fate, ctx, store) {
      const found = give(event, fate, ctx, store);
      // The restart prompt has arrived and need not be typed again.
      if (found && textIn(found.state, "restartPrompt") === event.prompt && event.prompt !== "") {
        saveSession(store, ctx, found.dir, withFields(found.state, { restartPrompt: undefined }));
      }
    },
    // A run that makes a call has read the hand-over; one that died before has not.
    "tool.before": (event, _fate, ctx, store) => markDelivered(event.session, ctx, store),
    "turn.stop": (event, _fate, ctx, store) => markDelivered(event.session, ctx, store),
  },
});

type Occasion = EventOf<"session.start"> | EventOf<"prompt.submit">;
const FRESH = ["startup", "clear"];

/** The hand-over that the event should deliver: at a fresh start, and after a compaction unless the run is about to end. */
function handoverFor(event: Occasion, { state }: FoundSession, written?: string): Handover | undefined {
  const isDue =
    event.name === "session.start"
      ? FRESH.includes(event.source) || (event.source === "compact" && !flagIn(state, "killRequested"))
      : // At the start of this run the previous one was still alive, so the hand-over comes with the first prompt.
        ["restarting", "resuming"].includes(lifecycleOf(state)) && !isGivenTo(state, event.session);
  return isDue ? pendingHandover(state, written) : undefined;
}

function restore(event: Occasion, ctx: PolicyContext<"restored">, store: Sessions) {
  const found = store.of(event, ctx.env);
  if (!found) return undefined;
  const file = path.join(found.dir, HANDOVER_FILE);
  const handover = handoverFor(
    event,
    found,
    ctx.read.text(file, DOCUMENT, (text) => text),
  );
  if (!handover) return undefined;
  const contents = handover.requiredFiles.map((name) => {
    const full = path.resolve(ctx.actor.project, name.replace(/^~(?=\/)/, ctx.places.userHome));
    return { name, text: ctx.read.text(full, CONTENT, (text) => text.slice(0, MOST_BYTES)) };
  });
  const [skill, phase] = [textIn(found.state, "skill"), textIn(found.state, "currentPhase")];
  const about = { name: sessionName(found.dir), dir: found.dir, file, skill, phase };
  return ctx.note("restored", restoredText(handover, about, contents), `read ${file} and the required files it names`);
}

/** Records that the hand-over was delivered to this run; returns the session afterwards. */
function give(event: Occasion, fate: Fate, ctx: SettledContext, store: Sessions): FoundSession | undefined {
  const found = store.of(event, ctx.env);
  const written = found && ctx.looked.text<string>(path.join(found.dir, HANDOVER_FILE), DOCUMENT);
  const handover = found && handoverFor(event, found, written);
  if (!handover || fate !== "sent") return found;
  const state = givenTo(withResumed(found.state), handover, event.session);
  saveSession(store, ctx, found.dir, state);
  return { dir: found.dir, state };
}

function markDelivered(session: string, ctx: SettledContext, store: Sessions): void {
  const found = store.find(identityOf(session, ctx.env));
  if (!found || session === "" || !isGivenTo(found.state, session)) return;
  const handover = pendingHandover(found.state, undefined);
  if (handover) ctx.mirrorText([found.dir, HANDOVER_FILE], deliveredText(handover, ctx.now()));
  // The run works, so the restart prompt is no longer needed.
  const state = withFields(withoutHandover(found.state), { lifecycle: "active", restartPrompt: undefined });
  saveSession(store, ctx, found.dir, state);
}
