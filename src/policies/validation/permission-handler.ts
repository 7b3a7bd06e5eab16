import { policy } from "../../core/policy.ts";
import { GROUP_NAMES, groupsText } from "../../domain/approvals/groups.ts";
import { insideProject } from "../../domain/approvals/inside-project.ts";
import { groupWith } from "../../domain/approvals/listed-command.ts";
import { plainCommand } from "../../domain/approvals/plain-command.ts";

export default policy({
  id: "validation/permission-handler",
  summary: "Approves shell commands of the kinds that the person has listed, when the agent would ask for permission.",
  why: "A person who is asked about every `git status` soon says yes to everything.",
  origin: "oh-my-claudecode",
  stage: "delegation",
  options: (z) =>
    z.object({
      approve: z
        .array(z.enum(GROUP_NAMES))
        .default([])
        .describe(
          `Groups of commands that are approved without a question. ${groupsText()} A command is approved only when it is a single one and every word of it is known: with any other option or character, a path outside of the project, a pipe or a redirection the person is asked as before, and also when another policy would stop the command, warn of it or has stopped it in this session.`,
        )
        .meta({ tighter: "person" }),
    }),
  messages: { listed: "Approved without a question: `{command}` is of the group `{group}` in the person's list." },
  examples: {
    hit: ["a permission request for `git log --oneline -5`, with `permissions: { approve: [git-read] }`"],
    pass: [
      "any command while the list is empty, as it is by default",
      "a permission request for `git branch -D old`, `git diff --output=f`, `npm run build:deploy` or `ls /etc`",
      "a permission request for `git status; git push`",
      "a command that `safety` would ask about",
    ],
  },
  on: {
    "permission.request"(event, ctx) {
      const groups = ctx.options.approve;
      if (groups.length === 0) return undefined;
      const words = plainCommand(event, ctx.places.userHome);
      const group = words && groupWith(words, groups, insideProject(event.cwd, ctx));
      return group && ctx.approve("listed", { group, command: words.join(" ") });
    },
  },
});
