import { policy } from "../../core/policy.ts";
import { askedToThink } from "../../domain/thinking/asked-to-think.ts";

export default policy({
  id: "detection/think-mode",
  summary: "Tells the agent when a person's prompt asks for thorough thinking.",
  why: "The agent answers at once where somebody wrote that the problem needs more thought.",
  origin: "oh-my-claudecode",
  stage: "advice",
  messages: {
    asked:
      'The person asked for thorough thinking ("{words}"): the whole problem, its alternatives and its risks count before the answer does.',
  },
  examples: {
    hit: ["the prompt `ultrathink: why do the tests hang?`", "the prompt `Think hard about the migration.`"],
    pass: [
      "the prompt `I think this is fine`",
      "the prompt `What does ultrathink do?`",
      "a prompt that a machine wrote",
    ],
  },
  on: {
    "prompt.submit"(event, ctx) {
      if (event.agentId !== "" || !event.fromPerson) return undefined;
      const words = askedToThink(event.prompt);
      return words === undefined ? undefined : ctx.note("asked", { words });
    },
  },
});
