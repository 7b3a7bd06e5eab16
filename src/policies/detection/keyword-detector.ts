import type { EventOf } from "../../core/event.ts";
import { type PolicyContext, policy, type SettledContext } from "../../core/policy.ts";
import type { Verdict } from "../../core/verdict.ts";
import {
  applyPrompt,
  hasDeferred,
  type PromptInput,
  type PromptReport,
  startDeferred,
} from "../../domain/mode/apply-prompt.ts";
import { noFiles } from "../../domain/mode/files/exports.ts";
import { intentsOfPrompt } from "../../domain/mode/keywords/intents-of-event.ts";
import { requestText } from "../../domain/mode/keywords/request.ts";
import type { ModeRuns } from "../../domain/mode/mode-runs.ts";
import { limitsOption } from "../../domain/mode/options.ts";
import { PLACE_ENV, placeOf } from "../../domain/mode/place.ts";
import { modelTexts, personTexts } from "../../domain/mode/prompt-texts.ts";
import { decidingReader, settledFiles, settledReader } from "../../domain/mode/stop-policy.ts";
import { modeRuns } from "../../domain/mode/store.ts";
import { CLOSED_GATE_ENV, isGateClosed, isSessionOpen } from "../../domain/session/closed-gate.ts";

type Options = { readonly phrases: "activate" | "suggest" | "off"; readonly limits: PromptInput["starter"]["limits"] };
type Prompt = EventOf<"prompt.submit">;
type Deciding = PolicyContext<"told" | "waits" | "guide", Options>;
type Settling = SettledContext<"told" | "waits" | "guide", Options>;

export default policy({
  id: "detection/keyword-detector",
  summary: "Starts, cancels and resumes modes when a person's prompt asks for it.",
  why: "A mode that starts from a question or a pasted text works on what nobody asked for, and one that cannot be cancelled goes on for hours.",
  origin: "oh-my-claudecode",
  stage: "delegation",
  options: (z) =>
    z.object({
      phrases: z
        .enum(["off", "suggest", "activate"])
        .default("activate")
        .describe(
          'What phrases such as "build me" or "don\'t stop" do where they are an instruction; mode names always start their mode.',
        )
        .meta({ tighter: "none" }),
      limits: limitsOption(z),
    }),
  messages: { told: "{text}", waits: "{text}", guide: "{text}" },
  examples: {
    hit: ["the prompt `ralph: fix the login`", "the prompt `/cancel`", "the prompt `Build me a parser`"],
    pass: [
      "the prompt `What is ralph?`",
      "the prompt `ralph keeps looping, investigate`",
      "a prompt that a machine wrote",
    ],
  },
  reads: { env: [...new Set([...PLACE_ENV, ...CLOSED_GATE_ENV])] },
  uses: modeRuns,
  on: {
    // Not `prompt.expand`: it reports a typed skill again, with an id that all prompts typed during the turn have.
    "prompt.submit": (event, ctx, store) => answer(event, ctx, store),
    "tool.after"(event, ctx, store) {
      if (!isDue(event, ctx, store)) return undefined;
      const reader = decidingReader(ctx);
      const report = startDeferred(store.draft(), noFiles(reader.project), starterOf(event, ctx), reader);
      return report && verdictsOf(report, ctx);
    },
  },
  settled: {
    "prompt.submit": (event, _fate, ctx, store) => carryOut(event, ctx, store),
    "tool.after"(event, _fate, ctx, store) {
      const isBegun = hasDeferred(store, event.session) && (ctx.said("told") ?? ctx.said("guide")) !== undefined;
      if (isBegun) startDeferred(store, settledFiles(ctx), starterOf(event, ctx), settledReader(ctx));
    },
  },
});

function answer(event: Prompt, ctx: Deciding, store: ModeRuns): Verdict[] | undefined {
  const input = inputOf(event, ctx, isGateClosed(event, ctx));
  if (!input) return undefined;
  const reader = decidingReader(ctx);
  return verdictsOf(applyPrompt(store.draft(), noFiles(reader.project), input, reader), ctx);
}

function carryOut(event: Prompt, ctx: Settling, store: ModeRuns): void {
  const input = inputOf(event, ctx, ctx.said("waits") !== undefined);
  if (!input) return;
  // A prompt that was refused starts nothing; a cancellation counts all the same.
  if (ctx.outcome === "deny" && !input.intents.cancel) return;
  const isAll = input.intents.cancel?.length === 0;
  applyPrompt(store, settledFiles(ctx), input, settledReader(ctx));
  if (isAll) ctx.session.cancelHolds();
}

function inputOf(event: Prompt, ctx: Deciding | Settling, isClosed: boolean): PromptInput | undefined {
  if (event.agentId !== "" || !event.fromPerson) return undefined;
  const intents = intentsOfPrompt(event.prompt, ctx.options.phrases);
  const isAlive = (pid: number): boolean => ("looked" in ctx ? ctx.looked.isAlive(pid) : ctx.isAlive(pid));
  const starter = starterOf(event, ctx);
  return { intents, request: requestText(event.prompt), isGateClosed: isClosed, starter, isAlive };
}

function starterOf(
  { session, promptId, cwd: folder }: Pick<Prompt, "session" | "promptId" | "cwd">,
  { actor, env, options: { limits } }: Deciding | Settling,
): PromptInput["starter"] {
  return { session, promptId, pid: actor.pid, pane: placeOf(env), folder, limits };
}

function verdictsOf(report: PromptReport, ctx: Deciding): Verdict[] {
  const reader = decidingReader(ctx);
  const person = personTexts(report).join("\n");
  const model = modelTexts(report, reader).join("\n\n");
  const notice = report.deferred.length > 0 ? "waits" : "told";
  return [
    ...(person === "" ? [] : [ctx.notice(notice, { text: person })]),
    ...(model === "" ? [] : [ctx.note("guide", { text: model })]),
  ];
}

/** Does a start wait that can be made now, because the session gate is open? */
function isDue(event: EventOf<"tool.after">, ctx: Deciding, store: ModeRuns): boolean {
  return event.agentId === "" && hasDeferred(store, event.session) && isSessionOpen(event, ctx);
}
