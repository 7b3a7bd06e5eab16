import type { EventOf } from "../../core/event.ts";
import { type PolicyContext, policy, type SettledContext } from "../../core/policy.ts";
import { TYPE_JOB, typeJobArgs } from "../../domain/session/handover/type-into-pane.ts";
import { directivesOption } from "../../domain/session/options.ts";
import {
  filesToLoad,
  type RulePaths,
  ruleCommand,
  ruleText,
  shownPart,
  withDelivered,
} from "../../domain/session/rules/deliver.ts";
import { matchRules, type RuleContext } from "../../domain/session/rules/match-rules.ts";
import { brokenRules } from "../../domain/session/rules/rule-files.ts";
import { IDENTITY_ENV, type Sessions, saveSession } from "../../domain/session/sessions.ts";
import { sessions } from "../../domain/session/store.ts";

/** The name, among the recorded facts, of reads of files that a rule loads. */
const CONTENT = "content";

interface Options {
  readonly directives: "gate" | "inject";
}

export default policy({
  id: "session/rules",
  summary: "Applies the rules of guards.json and injections.json, and those that come with sessions.",
  why: "Some instructions are needed in one phase only; a rule gives them to the agent in that phase and not before.",
  origin: "workflow engine",
  stage: "directives",
  options: (z) => z.object({ directives: directivesOption(z) }),
  messages: {
    blocked: "These rules block this call: {ids}. {texts}",
    said: "{text}",
    broken: "{file} cannot be used: {problem}. The rules it had before stay in force.",
  },
  examples: {
    hit: ["a call while a blocking rule of guards.json holds", "the first call in a Synthesis phase"],
    pass: ["a call on the whitelist of every rule that holds", "engine session, while a rule blocks", "`ls`"],
  },
  reads: { env: [...IDENTITY_ENV, "DISABLE_AUTO_COMPACT"] },
  uses: sessions,
  on: {
    "tool.before"(event, ctx, store) {
      const found = store.of(event, ctx.env);
      const matched = matchRules(
        event,
        found,
        store,
        around(ctx, ctx.options, () => ctx.contextUsage()),
      );
      if (!matched) return undefined;
      const state = found?.state ?? {};
      const read = (file: string): string | undefined => ctx.read.text(file, CONTENT, shownPart);
      for (const rule of matched.saying) filesToLoad(rule, state, placeOf(event, ctx)).map(read);
      if (matched.blocking.length === 0) return undefined;
      const ids = matched.blocking.map(({ id }) => id).join(", ");
      const texts = matched.blocking.map((rule) =>
        ruleText(rule, state, filesToLoad(rule, state, placeOf(event, ctx)), read),
      );
      return ctx.deny("blocked", { ids, texts: texts.join(" ") }, "after the rule no longer holds");
    },
    "prompt.submit": (event, ctx, store) => untold(event.session, store).map((one) => ctx.notice("broken", one)),
    "session.start": (event, ctx, store) => untold(event.session, store).map((one) => ctx.notice("broken", one)),
  },
  settled: {
    "tool.before"(event, fate, ctx, store) {
      const found = store.of(event, ctx.env);
      const matched = matchRules(event, found, store, around(ctx, ctx.options, ctx.looked.contextUsage));
      if (!matched) return;
      const state = found?.state ?? {};
      const isDenied = ctx.outcome === "deny";
      const saying = isDenied ? (fate === "sent" ? matched.blocking : []) : matched.saying;
      const loaded: string[] = [];
      for (const rule of saying) {
        const files = filesToLoad(rule, state, placeOf(event, ctx));
        const text = ruleText(rule, state, files, (file) => ctx.looked.text(file, CONTENT));
        loaded.push(...files);
        const typed = rule.isPersons ? ruleCommand(rule, state) : "";
        const pane = ctx.env("TMUX_PANE") ?? "";
        if (typed !== "" && pane !== "") ctx.job(TYPE_JOB, typeJobArgs(pane, typed, rule.urgency === "interrupt"));
        // A note reaches the model together with the call's result.
        else if (!isDenied && text !== "") ctx.later("tool.after", "said", { text });
      }
      const next = withDelivered(state, saying, loaded, placeOf(event, ctx));
      if (found && next !== state) saveSession(store, ctx, found.dir, next);
    },
    "prompt.submit": (event, _fate, _ctx, store) => markTold(event.session, store),
    "session.start": (event, _fate, _ctx, store) => markTold(event.session, store),
  },
});

/** The broken rule files, if this session was not told about exactly these problems yet. */
function untold(session: string, store: Sessions): { file: string; problem: string }[] {
  const broken = brokenRules(store);
  return JSON.stringify(broken) === (store.other(toldKey(session)) ?? "[]") ? [] : broken.map((one) => ({ ...one }));
}

function markTold(session: string, store: Sessions): void {
  if (untold(session, store).length !== 0) store.setOther(toldKey(session), JSON.stringify(brokenRules(store)));
}

const toldKey = (session: string): string => `rules-told:${session}`;

function placeOf(event: EventOf<"tool.before">, ctx: PolicyContext | SettledContext): RulePaths {
  return { cwd: event.cwd, project: ctx.actor.project, userHome: ctx.places.userHome };
}

function around(ctx: PolicyContext | SettledContext, options: Options, usage: () => number | undefined): RuleContext {
  const { places, actor, env } = ctx;
  const { userHome, engine } = places;
  return { directives: options.directives, userHome, engine, project: actor.project, env, usage };
}
