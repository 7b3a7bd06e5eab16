import type { EventOf } from "../../core/event.ts";
import { policy } from "../../core/policy.ts";
import { fittingSkills, ofKey, toldSkills, unusableFiles } from "../../domain/skills/for-prompt.ts";
import { SKILL_JOB, skillJob } from "../../domain/skills/keep-skill.ts";
import { skillId } from "../../domain/skills/names.ts";
import { calledSkill } from "../../domain/skills/slash-call.ts";
import { type SkillRecords, skillRecords } from "../../domain/skills/store.ts";
import { newFileOf, type Suggestion, suggestionIn } from "../../domain/skills/suggest.ts";

type Extract = "off" | "suggest" | "auto";

/** Leaves room for what others say about the same prompt. */
const ROOM = 3_000;

export default policy({
  id: "enhancement/learner",
  summary:
    "Tells the agent the learned skills that fit a prompt, and suggests new ones when it has found something out.",
  why: "What one session found out with much work is found out again in the next one, because nobody wrote it down.",
  origin: "oh-my-claudecode",
  stage: "advice",
  options: (z) =>
    z.object({
      extract: z
        .enum(["off", "suggest", "auto"])
        .default("suggest")
        .describe(
          "When the agent has solved a problem: say how to keep it as a skill (`suggest`), write the skill into the project (`auto`), or neither (`off`).",
        )
        .meta({ tighter: "down", order: ["off", "suggest", "auto"] }),
    }),
  messages: {
    skills: "Skills from earlier work that fit this prompt:\n\n{text}",
    unusable: "Not used as a skill: {files}.",
    suggested: 'Worth keeping as a skill: "{what}" `hookwright skills promote {id}` writes {file}.',
    written: 'Kept as a skill: "{what}" It is written to {file}; `hookwright skills remove {name}` removes it.',
  },
  examples: {
    hit: [
      "the prompt `the login fails again` where a skill in `.omc/skills` has the trigger `login`",
      "the end of a turn whose message says what an error was and how it was fixed",
    ],
    pass: [
      "the second prompt of a session that the same skill fits",
      "a prompt that a machine wrote",
      "the end of a turn that only reports what was done",
    ],
  },
  uses: skillRecords,
  on: {
    "prompt.submit"(event, ctx, store) {
      if (event.agentId !== "" || !event.fromPerson) return undefined;
      const told = new Set(store.toldIn(event.session));
      // What the person calls by its name is told by another policy.
      const called = calledSkill(event.prompt)?.id;
      const { skills, unusable } = fittingSkills(event.prompt, ctx, (id) => told.has(id) || id === called);
      const { text, keys } = toldSkills(skills, ctx, ROOM);
      const { files, list } = unusableFiles(unusable, store.reportedIn(event.session));
      return [
        ...(text === "" ? [] : [ctx.note("skills", { text, keys })]),
        ...(files === "" ? [] : [ctx.notice("unusable", { files, list })]),
      ];
    },
    "turn.stop"(event, ctx, store) {
      const suggestion = suggestionAt(event, ctx.options, store);
      const file = suggestion?.isGood ? newFileOf(suggestion, ctx) : undefined;
      if (!suggestion || file === undefined) return undefined;
      const { id, draft } = suggestion;
      const data = { id, file, name: skillId(draft.name), what: draft.description };
      return ctx.notice(ctx.options.extract === "auto" ? "written" : "suggested", data, "ifPassed");
    },
  },
  settled: {
    "prompt.submit"(event, fate, ctx, store) {
      if (fate === "dropped") return;
      const told = textsIn(ctx.said("skills")?.keys).map(ofKey);
      store.addTold(
        event.session,
        told.map(({ id }) => id),
        ctx.now(),
      );
      if (fate === "sent") for (const { scope, id } of told) store.countUse(scope, id, ctx.now());
      store.addReported(event.session, textsIn(ctx.said("unusable")?.list), ctx.now());
    },
    "turn.stop"(event, _fate, ctx, store) {
      if (ctx.outcome === "hold") return;
      const { session } = event;
      const suggestion = suggestionAt(event, ctx.options, store);
      store.countStop(session, ctx.now());
      if (!suggestion) return;
      const { id, draft, repeats } = suggestion;
      const isWritten = ctx.said("written") !== undefined;
      const isTold = isWritten || ctx.said("suggested") !== undefined;
      store.keepMoment({ id, draft, repeats, session, at: ctx.now(), isTold });
      if (isTold) store.beginRest(session, ctx.now());
      const { actor, places } = ctx;
      const job = { project: actor.project, userHome: places.userHome, draft, session, at: ctx.now() };
      if (isWritten) ctx.job(SKILL_JOB, skillJob(job));
    },
  },
});

function suggestionAt(
  event: EventOf<"turn.stop">,
  { extract }: { readonly extract: Extract },
  records: SkillRecords,
): Suggestion | undefined {
  if (extract === "off" || event.agentId !== "" || records.restOf(event.session) > 0) return undefined;
  return suggestionIn(event.lastMessage, records);
}

function textsIn(json: string | number | undefined): string[] {
  return json === undefined ? [] : (JSON.parse(String(json)) as string[]);
}
