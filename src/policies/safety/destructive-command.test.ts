import { shell } from "../../testing/events.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./destructive-command.ts";

const denied = { says: "deny", message: "refused" } as const;
const asked = { says: "ask", message: "question" } as const;

testPolicy(policy, {
  hit: [
    { name: "the home folder", event: shell("rm -rf ~"), ...denied, text: "deletes" },
    {
      name: "a folder of the project",
      event: shell("rm -rf src"),
      ...asked,
      text: "deletes src with everything in it",
    },
    {
      name: "a kind that the person set to once",
      event: shell("rm notes.txt"),
      options: { "delete-file": "once" },
      says: "deny",
      message: "warning",
    },
    { name: "a line nobody can read", event: shell('echo "never closed'), says: "ask", message: "unreadable" },
  ],
  pass: [
    { name: "a folder that a build makes", event: shell("rm -rf node_modules") },
    { name: "what stands in a message", event: shell("git commit -m 'rm -rf ~'") },
  ],
});
