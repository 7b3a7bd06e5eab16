import { prompt } from "../../testing/events.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./think-mode.ts";

const asked = { says: "note", message: "asked" } as const;

testPolicy(policy, {
  hit: [
    { name: "one word", event: prompt("ultrathink: why do the tests hang?"), ...asked, text: '("ultrathink")' },
    { name: "think hard", event: prompt("Think hard about the migration."), ...asked, text: '("Think hard")' },
    { name: "think deeply", event: prompt("Fix it, but think deeply first"), ...asked, text: '("think deeply")' },
    { name: "another language", event: prompt("Denk gründlich nach."), ...asked, text: '("Denk gründlich")' },
    { name: "with a skill", event: prompt("/plan ultrathink about the cache"), ...asked },
    { name: "again, because it is asked again", after: [prompt("think hard")], event: prompt("think hard"), ...asked },
  ],
  pass: [
    { name: "an opinion", event: prompt("I think this is fine") },
    { name: "in code", event: prompt("Run `ultrathink`") },
    { name: "in a quotation", event: prompt('The prompt says "think hard".') },
    { name: "a question about the word", event: prompt("What does ultrathink do?") },
    { name: "blanks", event: prompt(" \n\t ") },
    { name: "a prompt that a machine wrote", event: prompt("think hard", { source: "task-notification" }) },
    { name: "a notification", event: prompt("<task-notification>think hard</task-notification>") },
    { name: "a prompt of a subagent", event: prompt("think hard", { agent_id: "a1", agent_type: "x" }) },
    { name: "no text at all", event: prompt("") },
  ],
});
