import { policy } from "../../core/policy.ts";
import { isFleetServer } from "../../domain/lifecycle/fleet.ts";
import { callCount, limitsOf } from "../../domain/session/heartbeat.ts";
import { localTime } from "../../domain/session/log-entry.ts";
import { isRequired, REQUIRED_ENV, requiredOption } from "../../domain/session/options.ts";
import { transcriptKey } from "../../domain/session/required-calls.ts";
import { IDENTITY_ENV, sessionName } from "../../domain/session/sessions.ts";
import { lifecycleOf, textIn } from "../../domain/session/state.ts";
import { sessions } from "../../domain/session/store.ts";

export default policy({
  id: "session/state-line",
  summary: "Tells the agent the state of its session with every prompt.",
  why: "After a compaction an agent no longer knows its session, its phase or the time, and guesses all three.",
  origin: "workflow engine",
  stage: "advice",
  options: (z) => z.object({ required: requiredOption(z) }),
  messages: {
    line: "Time: {time} | Session: {name} | Skill: {skill} | Phase: {phase} | Heartbeat: {calls}/{block}{fleet}",
  },
  examples: {
    hit: ["a prompt in an active session with SESSION_REQUIRED=1"],
    pass: ["a prompt without a session", "a prompt in a completed session"],
  },
  reads: { env: [...IDENTITY_ENV, REQUIRED_ENV] },
  uses: sessions,
  on: {
    "prompt.submit"(event, ctx, store) {
      if (!isRequired(ctx) || !event.fromPerson) return undefined;
      const found = store.of(event, ctx.env);
      if (!found || !["active", "resuming"].includes(lifecycleOf(found.state))) return undefined;
      const { dir, state } = found;
      const pane = isFleetServer(ctx.env("TMUX")) ? textIn(state, "fleetPaneId") : "";
      return ctx.note("line", {
        time: localTime(ctx.now()),
        name: sessionName(dir),
        skill: textIn(state, "skill") || "none",
        phase: textIn(state, "currentPhase") || "none",
        calls: callCount(state, transcriptKey(event)),
        block: limitsOf(state).block,
        fleet: pane === "" ? "" : ` | Fleet: ${pane}`,
      });
    },
  },
});
