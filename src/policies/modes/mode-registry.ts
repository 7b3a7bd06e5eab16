import type { EventOf } from "../../core/event.ts";
import { policy } from "../../core/policy.ts";
import { modeOfStartCommand } from "../../domain/mode/commands/start-command.ts";
import { saveRun } from "../../domain/mode/files/exports.ts";
import { slashCommandMode } from "../../domain/mode/keywords/intents-of-event.ts";
import type { ModeRun } from "../../domain/mode/mode-run.ts";
import type { ModeRuns } from "../../domain/mode/mode-runs.ts";
import type { ModeName } from "../../domain/mode/modes.ts";
import { startedByOption } from "../../domain/mode/options.ts";
import { settledFiles } from "../../domain/mode/stop-policy.ts";
import { modeRuns } from "../../domain/mode/store.ts";

/** How often a call is noted as a sign of life of a run. */
const SEEN_STEP_MS = 30 * 60_000;

export default policy({
  id: "modes/mode-registry",
  summary: "Keeps track of running modes: only a person starts one, and changes of its state files count.",
  why: "A model that starts a mode by itself holds its own turn for many rounds that nobody asked for.",
  origin: "oh-my-claudecode",
  stage: "delegation",
  options: (z) => z.object({ startedBy: startedByOption(z) }),
  messages: {
    persons:
      "{mode} is not on, and only a person starts a mode: by typing `/{mode} REQUEST`, or `hookwright mode start` in their own terminal. Tell them if you think that it would help.",
    changed: "{text}",
  },
  examples: {
    hit: ["`hookwright mode start ralph`", "a `Skill` call of the model for `omc:ralph` while ralph is not on"],
    pass: ["`hookwright mode status`", "`hookwright mode cancel`", "a `Skill` call for `omc:ralph` while ralph is on"],
  },
  uses: modeRuns,
  on: {
    "tool.before"(event, ctx, store) {
      if (ctx.options.startedBy === "anyone") return undefined;
      const started = startedMode(event, ctx.places.userHome);
      if (started === undefined) return undefined;
      const isOn = store.of(event.session).some((run) => isGoingOn(run) && (started === "any" || run.mode === started));
      return isOn ? undefined : ctx.deny("persons", { mode: started === "any" ? "ralph" : started });
    },
    "prompt.submit": (event, ctx, store) => store.untold(event.session).map((text) => ctx.notice("changed", { text })),
    "turn.stop": (event, ctx, store) =>
      event.agentId === "" ? store.untold(event.session).map((text) => ctx.notice("changed", { text })) : undefined,
  },
  settled: {
    "tool.before"(event, _fate, ctx, store) {
      for (const run of store.of(event.session)) {
        if (ctx.now() - run.seenAt > SEEN_STEP_MS) saveRun(store, settledFiles(ctx), { ...run, seenAt: ctx.now() });
      }
    },
    "prompt.submit"(event, _fate, ctx, store) {
      told(event.session, store);
      if (!event.fromPerson || event.agentId !== "") return;
      for (const run of store.of(event.session)) {
        const isAnswer = run.status === "waiting" && event.prompt.trim() !== "";
        const answered = isAnswer ? ({ status: "active", why: "" } as const) : {};
        if (isGoingOn(run)) {
          saveRun(store, settledFiles(ctx), { ...run, ...answered, seenAt: ctx.now() });
        }
      }
    },
    "turn.stop"(event, _fate, _ctx, store) {
      if (event.agentId === "") told(event.session, store);
    },
  },
});

/** A run that rests, such as one whose rounds are used up, goes on when a person says so. */
function isGoingOn({ status }: ModeRun): boolean {
  return status === "active" || status === "waiting";
}

function told(session: string, store: ModeRuns): void {
  if (store.untold(session).length > 0) store.setUntold(session, []);
}

/** The mode that this call would start or resume: by its skill, or by our command. */
function startedMode(event: EventOf<"tool.before">, userHome: string): ModeName | "any" | undefined {
  if (event.tool.name !== "Skill") return modeOfStartCommand(event, userHome);
  const { skill, args } = event.tool.input;
  return typeof skill === "string" ? slashCommandMode(skill, typeof args === "string" ? args : "") : undefined;
}
