import { policy } from "../../core/policy.ts";
import { allowOption, kindOptions } from "../../domain/loss/options.ts";
import { losses } from "../../domain/loss/store.ts";
import { weigh } from "../../domain/loss/weigh.ts";
import { wording } from "../../domain/loss/wording.ts";
import { meaningOf, toolsOption } from "../../domain/tools/declared.ts";
import { effectsOfEvent } from "../../shell/effects/of-event.ts";
import { shellOf } from "../../shell/of-event.ts";

export default policy({
  id: "safety/other-tools",
  summary: "Judges what the tools of other servers would do as if it were a command.",
  why: "A server that runs commands, SQL or deletions is a way around every guard that only looks at the shell.",
  stage: "destructive",
  filter: { kinds: ["other"] },
  options: (z) => z.object({ ...kindOptions(z), allow: allowOption(z), tools: toolsOption(z) }),
  messages: {
    refused: "{what}. This cannot be taken back. {instead}",
    question: "{what}. This cannot be taken back. {instead}",
    destroys: "`{tool}` {what}. This cannot be taken back. Let the person decide, or keep it and mark it as unused.",
    unreadable:
      "The command for `{tool}` could not be read as a shell would ({why}), so nobody can say what it does. Write it more plainly.",
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
      for (const call of meaning.events) {
        const { unreadable } = shellOf(call, userHome);
        if (unreadable !== undefined) return ctx.ask("unreadable", { tool, why: unreadable });
        const effects = effectsOfEvent(call, userHome);
        if (effects.length === 0) continue;
        const grounds = { cwd: call.cwd, project: actor.project, userHome, tempDir, folders: [] };
        const witness = {
          info: ctx.info,
          git: (folder: string, args: readonly string[]) => ctx.git(folder, args, (stdout, code) => ({ stdout, code })),
          isOurs: store.isOurs,
        };
        const weighing = {
          setting: (kind: (typeof effects)[number]["kind"]) => options[kind],
          // What another program's tool does when, nobody can say well enough for a snapshot.
          onLoss: "ask" as const,
          allowances: options.allow,
          oneStrike: false,
          now: ctx.now(),
        };
        const weighed = await weigh(effects, grounds, witness, weighing);
        const [worst] = weighed;
        if (!worst) continue;
        const said = wording(weighed.filter(({ answer }) => answer === worst.answer));
        // A stand-in's program is not what is called.
        const what =
          call.tool.input.isStandIn === true ? said.what.replaceAll(/`(?:psql|rm)` /g, `\`${tool}\` `) : said.what;
        return worst.answer === "deny"
          ? ctx.deny("refused", { ...said, what })
          : ctx.ask("question", { ...said, what });
      }
      return undefined;
    },
  },
});
