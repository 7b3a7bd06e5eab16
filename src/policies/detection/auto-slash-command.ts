import { policy } from "../../core/policy.ts";
import { nearestName } from "../../core/text/nearest-name.ts";
import { excerptOf, keyOf, namedSkills, ofKey } from "../../domain/skills/for-prompt.ts";
import { calledSkill, hasCommandLines, isClientCommand, withArguments } from "../../domain/skills/slash-call.ts";
import { skillRecords } from "../../domain/skills/store.ts";
import { joinedExcerpts } from "../../domain/touched/excerpts.ts";

/** A message takes no longer text. */
const ROOM = 3_900;

export default policy({
  id: "detection/auto-slash-command",
  summary:
    "Gives the agent the text of a learned skill when a person calls it by its name, as in `/fix-login the form`.",
  why: "The agent does not know the skills that were learned, so their names alone would say nothing to it.",
  origin: "oh-my-claudecode",
  stage: "advice",
  messages: {
    skill: "The person called the skill `{name}`.{hint} What it says, from {text}",
    near: "No learned skill is called `{typed}`.{nearest}",
  },
  examples: {
    hit: [
      "the prompt `/fix-login the form` where `.omc/skills/fix-login.md` is a skill",
      "the prompt `/fix-logn` where that skill has the nearest name",
    ],
    pass: [
      "a command that the client knows, such as `/review` or one in `.claude/commands`",
      "a path at the beginning of a prompt: `/srv/data is full`",
      "the prompt `/ralph fix the login`",
    ],
  },
  uses: skillRecords,
  on: {
    "prompt.submit"(event, ctx) {
      const call = event.agentId === "" && event.fromPerson ? calledSkill(event.prompt) : undefined;
      if (!call || (!call.isOurs && isClientCommand(call.typed, ctx))) return undefined;
      const skills = namedSkills(ctx);
      const skill = skills.find(({ id }) => id === call.id);
      if (!skill) {
        const near = nearestName(
          call.id,
          skills.map(({ id }) => id),
        );
        return near === "" ? undefined : ctx.note("near", { typed: call.typed, nearest: near });
      }
      const excerpt = excerptOf(skill, ctx);
      if (!excerpt) return undefined;
      const { file, body, isCut } = excerpt;
      // The original ran them, with the arguments in them.
      const hint = hasCommandLines(body) ? " Lines in it that begin with ! are text: none of them was run." : "";
      const text = joinedExcerpts([{ file, isCut, text: withArguments(body, call.args) }], ROOM);
      return ctx.note("skill", { name: skill.id, hint, text, key: keyOf(skill) }, file);
    },
  },
  settled: {
    "prompt.submit"(event, fate, ctx, store) {
      const key = ctx.said("skill")?.key;
      if (key === undefined || fate === "dropped") return;
      const { scope, id } = ofKey(String(key));
      store.addTold(event.session, [id], ctx.now());
      if (fate === "sent") store.countUse(scope, id, ctx.now());
    },
  },
});
