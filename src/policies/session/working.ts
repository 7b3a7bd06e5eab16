import { policy } from "../../core/policy.ts";
import { lifecycle } from "../../domain/lifecycle/store.ts";

export default policy({
  id: "session/working",
  summary: "Records that an agent is working as soon as a prompt is sent.",
  why: "A person who watches several agents needs to see which of them are busy.",
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
