import { policy } from "../../core/policy.ts";
import { lifecycle } from "../../domain/lifecycle/store.ts";

export default policy({
  id: "session/working",
  summary: "Notes that an agent works from the moment a prompt is sent.",
  why: "Who watches several agents must see at a glance which of them are busy.",
  origin: "workflow engine",
  stage: "recorder",
  messages: {},
  examples: {
    hit: ["a prompt: the session counts as working"],
    pass: ["between two calls and after a failed call the agent still works, so nothing is noted then"],
  },
  uses: lifecycle,
  on: {},
  settled: {
    "prompt.submit"(_event, _fate, ctx, store) {
      if (store.activity() !== "working") store.set("working", ctx.now());
    },
  },
});
