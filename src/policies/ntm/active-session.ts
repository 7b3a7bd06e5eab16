import { type PolicyContext, policy } from "../../core/policy.ts";
import { ACTIVE_FILE, readActive } from "../../domain/ntm/records.ts";
import { isPrivate, RUNTIME_ENV, runtimeDirectory } from "../../domain/ntm/runtime-directory.ts";
import { ntm } from "../../domain/ntm/store.ts";

const exitFor = (session: string): string =>
  `Capture what its agents produced, save it, then end the session with \`ntm kill\`. If it has already ended, \`hookwright ntm clear ${session}\` removes its record.`;

export default policy({
  id: "ntm/active-session",
  summary: "Keeps the orchestrating turn going while the tmux session it started is still alive.",
  why: "An orchestrator that stops while its workers run leaves a fleet of agents that nobody reads and nobody ends.",
  origin: "ntm-orchestrator",
  stage: "ntm",
  messages: {
    alive: "The ntm session `{session}` is still running.",
    unseen: "The ntm session `{session}` is marked as running, and tmux could not be asked whether it is.",
    reminder: "The ntm session `{session}` was still running when the last turn ended.",
    forgotten: "The ntm session `{session}` may still be running: tmux could not be asked. The turn ends anyway.",
  },
  examples: {
    hit: ["Stop while active-session.json names a live tmux session"],
    pass: ["Stop with no marker", "Stop when the marked tmux session has ended"],
  },
  reads: { env: RUNTIME_ENV },
  uses: ntm,
  on: {
    async "turn.stop"(_event, ctx, store) {
      const session = markedSession(ctx);
      if (session === undefined) return undefined;
      const state = await ctx.tmux.hasSession(session);
      if (state === "dead") return undefined;
      if (state === "alive") return ctx.hold("alive", { session }, { exit: exitFor(session) });
      // While tmux does not answer, nothing could end the hold: so it holds once, and then only tells the person.
      if (store.wasHeldUnseen(session)) return ctx.notice("forgotten", { session }, "ifPassed");
      return ctx.hold("unseen", { session }, { exit: exitFor(session), once: true });
    },
  },
  settled: {
    "turn.stop"(_event, fate, ctx, store) {
      const unseen = ctx.said("unseen");
      if (unseen && fate === "sent") store.markHeldUnseen(String(unseen.session));
      // The turn ended although the session is alive: the model is told with the next prompt.
      const alive = ctx.said("alive");
      if (alive && fate === "dropped") ctx.later("prompt.submit", "reminder", alive);
    },
  },
});

function markedSession(ctx: PolicyContext): string | undefined {
  const directory = runtimeDirectory(ctx);
  if (!isPrivate(ctx.info(directory), ctx.places.uid)) return undefined;
  return ctx.read.mirror([directory, ACTIVE_FILE], readActive);
}
