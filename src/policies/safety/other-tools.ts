import { policy } from "../../core/policy.ts";
import { type AnsweredEffect, answerEffects } from "../../domain/loss/answer-effects.ts";
import { describeLosses } from "../../domain/loss/describe-losses.ts";
import { editOverwrites } from "../../domain/loss/line/edit-overwrites.ts";
import { allowOption, kindOptions, snapshotOptions } from "../../domain/loss/options.ts";
import { policyProbes } from "../../domain/loss/policy-probes.ts";
import { snapshotFor } from "../../domain/loss/snapshot-scope.ts";
import { losses } from "../../domain/loss/store.ts";
import { meaningOf, toolsOption } from "../../domain/tools/tool-meaning.ts";
import type { Effect, EffectKind } from "../../effects/effect.ts";
import { effectsOfEvent } from "../../effects/effects-of-event.ts";
import { shellOf } from "../../effects/shell-of-event.ts";
import type { Command } from "../../shell/command.ts";

/** Strictest first. `once` becomes a question here, because other tools have no memory of warnings. */
const ANSWER_ORDER = ["deny", "ask", "once", "snapshot"] as const;

export default policy({
  id: "safety/other-tools",
  summary: "Checks the calls of other servers' tools as if they were shell commands.",
  why: "A server that runs commands or SQL, or that deletes things, bypasses every guard that only checks the shell.",
  stage: "destructive",
  filter: { kinds: ["other"] },
  options: (z) => z.object({ ...kindOptions(z), ...snapshotOptions(z), allow: allowOption(z), tools: toolsOption(z) }),
  messages: {
    refused: "{what}. This cannot be undone. {instead}",
    question: "{what}. This cannot be undone. {instead}",
    kept: "{what}. Before that, a snapshot was made of {kept}. Its id is {id}: `hookwright undo {id}` restores all of it.",
    destroys: "`{tool}` {what}. This cannot be undone. Ask the person first, or keep it and mark it as unused.",
    unreadable:
      "The command for `{tool}` could not be parsed ({why}), so its effects are not known. Write it in a simpler form or in several calls.",
  },
  examples: {
    hit: ["`mcp__postgres__query` with `DROP TABLE users`", "`mcp__desktop-commander__start_process` with `rm -rf ~`"],
    pass: ["`git status`", "`mcp__postgres__query` with `SELECT 1`", "a tool that nobody declared"],
  },
  uses: losses,
  on: {
    async "tool.before"(event, ctx, store) {
      const { options, actor } = ctx;
      const { userHome, tempDir } = ctx.places;
      if (event.tool.kind !== "other") return undefined;
      const meaning = meaningOf(event, options.tools);
      const tool = event.tool.name;
      if (meaning.destroys !== undefined) return ctx.ask("destroys", { tool, what: meaning.destroys });
      const folderContext = { cwd: event.cwd, project: actor.project, userHome, tempDir, folders: [] };
      const isKept = options.onLoss === "snapshot" && options.overwrite === "standard";
      const probes = {
        ...policyProbes(ctx, store),
        createdBefore: () => [],
        isKeptByLine: () => false,
        mayChangeBefore: () => false,
      };
      const settings = {
        setting: (kind: EffectKind) => options[kind],
        onLoss: options.onLoss,
        allowances: options.allow,
        now: ctx.now(),
      };
      const answered: (AnsweredEffect & { isStandIn: boolean })[] = [];
      const line: { effects: Effect[]; commands: Command[] } = { effects: [], commands: [] };
      for (const call of meaning.events) {
        const { unreadable, commands } = shellOf(call, userHome);
        if (unreadable !== undefined) return ctx.ask("unreadable", { tool, why: unreadable });
        const isEdit = call.tool.kind === "edit";
        const effects = !isEdit ? effectsOfEvent(call, userHome) : isKept ? editOverwrites(call, folderContext) : [];
        const isStandIn = call.tool.input.isStandIn === true;
        if (effects.length === 0) continue;
        answered.push(
          ...(await answerEffects(effects, folderContext, probes, settings)).map((one) => ({ ...one, isStandIn })),
        );
        line.effects.push(...effects);
        line.commands.push(...commands);
      }
      const answer = ANSWER_ORDER.find((one) => answered.some((other) => other.answer === one));
      if (answer === undefined) return undefined;
      const same = answered.filter((one) => one.answer === answer);
      const said = describeLosses(same);
      // The translated call uses `psql` or `rm`; the message has to name the tool that was really called.
      const what = same[0]?.isStandIn ? said.what.replaceAll(/`(?:psql|rm)` /g, `\`${tool}\` `) : said.what;
      if (answer === "deny") return ctx.deny("refused", { ...said, what });
      const question = ctx.ask("question", { ...said, what });
      return answer === "snapshot"
        ? { ...question, ...snapshotFor(same, line, folderContext, ctx.info, { ...options, folders: [] }) }
        : question;
    },
  },
});
