import { policy } from "../../core/policy.ts";
import { joinedExcerpts } from "../../domain/touched/excerpts.ts";
import { excerptOf, newRules, targetOf } from "../../domain/touched/rules.ts";
import { listIn, sharedMemory } from "../../domain/touched/shared-memory.ts";
import { told } from "../../domain/touched/told.ts";
import { touchedFile } from "../../domain/touched/touched-file.ts";

/** Less than a tool call has room for, so that the engine does not have to cut it once more. */
const ROOM = 1_850;

export default policy({
  id: "enhancement/rules-injector",
  summary: "Tells the agent the rules of Cursor and Copilot that a file has, when it first touches the file.",
  why: "Rules that were written for another agent lie in the project, and an agent that does not load them breaks them.",
  origin: "oh-my-claudecode",
  stage: "advice",
  messages: {
    rules: "Rules of this project for {file}:\n\n{text}",
    unusable: "Not used as a rule: {files}. A rule has to be a readable UTF-8 text of at most 64 KB.",
  },
  examples: {
    hit: ["the first Edit of a `.ts` file where `.cursor/rules/ts.mdc` has `globs: **/*.ts`"],
    pass: ["the second one", "a rule in `.claude/rules`, which the agent loads by itself", "a rule without globs"],
  },
  uses: told,
  on: {
    "tool.after"(event, ctx, store) {
      const { agentId } = event;
      const file = touchedFile(event);
      if (file === undefined || store.has(agentId, "rule-target", file)) return undefined;
      const target = targetOf(file, ctx.actor.project, ctx);
      if (!target) return undefined;
      const found = newRules(target, ctx, {
        hasFile: (real) => store.has(agentId, "rule", real) || store.isLoaded(real),
        hasContent: (content) => store.has(agentId, "rule-text", content),
      });
      const unusable = found.unusable.filter((one) => !store.isReported(one));
      const { rules } = found;
      const data = {
        file: target.name,
        text: joinedExcerpts(rules.map(excerptOf), ROOM - target.name.length),
        paths: JSON.stringify(rules.map(({ real }) => real)),
        contents: JSON.stringify(rules.map(({ says }) => says.content)),
      };
      return [
        ...(rules.length > 0 ? [ctx.note("rules", data, rules.map(({ shown }) => shown).join(", "))] : []),
        ...(unusable.length > 0
          ? [ctx.notice("unusable", { files: unusable.join(", "), list: JSON.stringify(unusable) })]
          : []),
      ];
    },
    "instructions.loaded"(event, ctx) {
      ctx.realPath(event.file);
      return undefined;
    },
  },
  settled: {
    "tool.after"(event, fate, ctx, store) {
      const file = touchedFile(event);
      // What found no room is told when the next file is touched.
      if (file === undefined || fate === "dropped") return;
      const { agentId } = event;
      const isKnown = store.has(agentId, "rule-target", file);
      if (!isKnown) store.add(agentId, "rule-target", [file]);
      // An agent that reads a rule by itself knows it.
      if (!isKnown && /\.mdc?$/.test(file)) store.add(agentId, "rule", [ctx.looked.realPath(file)]);
      store.add(agentId, "rule", listIn(ctx.said("rules"), "paths"));
      store.add(agentId, "rule-text", listIn(ctx.said("rules"), "contents"));
      for (const one of listIn(ctx.said("unusable"), "list")) store.addReported(one);
    },
    ...sharedMemory(["rule", "rule-text", "rule-target"]),
  },
});
