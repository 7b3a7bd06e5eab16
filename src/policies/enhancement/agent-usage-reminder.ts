import { policy } from "../../core/policy.ts";
import { isSearch } from "../../domain/searches/search-calls.ts";
import { type SearchCounts, sessionSearches } from "../../domain/searches/store.ts";

const MOST_REMINDERS = 2;

export default policy({
  id: "enhancement/agent-usage-reminder",
  summary: "Reminds the agent of subagents when it searches much by itself, at most twice a session.",
  why: "Long searches fill the context of the main conversation with results that only a subagent needs to read.",
  origin: "oh-my-claudecode",
  stage: "advice",
  defaultMode: "off",
  filter: { kinds: ["shell", "spawn", "other"] },
  options: (z) =>
    z.object({
      searches: z
        .int()
        .min(1)
        .max(100)
        .default(3)
        .describe("How many searches of the main conversation, without an agent, come before each reminder.")
        .meta({ tighter: "down" }),
    }),
  messages: {
    remember:
      "Searches of this conversation without an agent: {count}. A subagent can search on its own and hand back only what matters, which keeps this context free.",
  },
  examples: {
    hit: ["the third Grep of a session that has used no agent"],
    pass: ["a session that has used Agent or Task", "searches after the second reminder", "a search by a subagent"],
  },
  uses: sessionSearches,
  on: {
    "tool.after"(event, ctx, store) {
      const counts = store.counts();
      if (event.agentId !== "" || isOver(counts) || !isSearch(event, ctx.places.userHome)) return undefined;
      const count = counts.searches + 1;
      return count < ctx.options.searches ? undefined : ctx.note("remember", { count });
    },
  },
  settled: {
    "tool.after"(event, fate, ctx, store) {
      const counts = store.counts();
      if (event.agentId !== "" || isOver(counts)) return;
      if (event.tool.kind === "spawn") store.save({ ...counts, hasDelegated: true });
      else if (fate === "sent" || fate === "observed")
        store.save({ ...counts, searches: 0, reminders: counts.reminders + 1 });
      else if (isSearch(event, ctx.places.userHome)) store.save({ ...counts, searches: counts.searches + 1 });
    },
  },
});

function isOver({ hasDelegated, reminders }: SearchCounts): boolean {
  return hasDelegated || reminders >= MOST_REMINDERS;
}
