import path from "node:path";
import { policy } from "../../core/policy.ts";
import { editedText } from "../../domain/comments/edited-text.ts";
import { listOf, newEmptyComments } from "../../domain/comments/new-comments.ts";
import { isWithin } from "../../domain/loss/harmless.ts";

export default policy({
  id: "validation/comment-checker",
  summary: "Tells the agent which comments it has just added that give no reason, no condition and no reference.",
  why: "Comments that repeat the code beside them have to be read and kept up to date, and hide the ones that matter.",
  origin: "oh-my-claudecode",
  stage: "advice",
  defaultMode: "off",
  filter: { kinds: ["edit"] },
  messages: {
    found:
      "New in {file}, {comments} with neither a reason nor a condition nor a reference:\n{list}\nRemove those that repeat the code or only separate parts of it. Keep those that somebody asked for or that a reader needs.",
  },
  examples: {
    hit: ["Edit adds `// increment the counter` above `counter++`", "Write makes a file with `# ------` in it"],
    pass: [
      "a comment that was in the file before",
      "`// Retried once, because the first call wakes the server.`",
      '`"http://example.org"`, which is no comment',
      "`// eslint-disable-next-line`, a licence, a task for later, `// given` in a test",
    ],
  },
  on: {
    "tool.after"(event, ctx) {
      const edited = editedText(event);
      const found = edited && newEmptyComments(edited);
      if (!found || found.length === 0) return undefined;
      const { project } = ctx.actor;
      const file = isWithin(edited.file, project) ? path.relative(project, edited.file) : edited.file;
      const comments = found.length === 1 ? "one comment" : `${found.length} comments`;
      return ctx.note("found", { file, comments, list: listOf(found, edited.isWhole) }, file);
    },
  },
});
