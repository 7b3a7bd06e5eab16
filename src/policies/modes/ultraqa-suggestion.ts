import { policy } from "../../core/policy.ts";
import { defineStore } from "../../core/store.ts";
import { modeRuns } from "../../domain/mode/store.ts";
import { isFailedTest } from "../../domain/mode/ultraqa/call-result.ts";

const DONE = "suggested";
const suggestions = defineStore({ name: "ultraqa-suggestion", scope: "session", open: (table) => table });

export default policy({
  id: "modes/ultraqa-suggestion",
  summary: "Tells the person of ultraqa when tests fail and no mode is on, once in a session.",
  why: "Somebody who does not know the mode asks for the same tests again and again.",
  origin: "oh-my-claudecode",
  stage: "delegation",
  filter: { kinds: ["shell"] },
  messages: {
    suggestion:
      "The tests have failed. `/ultraqa --goal tests` makes the agent go on until they succeed. (This is said once in a session.)",
  },
  examples: {
    hit: ["the first call of `npm test` in a session that fails"],
    pass: [
      "the second one",
      "a call of `npm test` that fails while a mode is on",
      "a call of `npm run build` that fails",
    ],
  },
  uses: suggestions,
  on: {
    "tool.failed"(event, ctx, done) {
      if (done.get(DONE) !== undefined || !isFailedTest(event, ctx.places.userHome)) return undefined;
      return ctx.store(modeRuns).of(event.session).length === 0 ? ctx.notice("suggestion") : undefined;
    },
  },
  settled: {
    "tool.failed"(_event, _fate, ctx, done) {
      if (ctx.said("suggestion") !== undefined) done.set(DONE, true);
    },
  },
});
