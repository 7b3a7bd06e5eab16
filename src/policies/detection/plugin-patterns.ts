import type { EventOf } from "../../core/event.ts";
import { policy, type SettledContext } from "../../core/policy.ts";
import { oneLine } from "../../core/text/one-line.ts";
import { below } from "../../domain/claims/file-names.ts";
import { CHECK_JOB, isOwnSource } from "../../domain/code-tools/order.ts";
import { toolsFor, type WantedTools } from "../../domain/code-tools/tools.ts";
import { commitProblem } from "../../domain/commit-messages/conventional.ts";
import { messagesOnLine } from "../../domain/commit-messages/messages-on-line.ts";
import { shellOf } from "../../effects/shell-of-event.ts";

const FORM = "`type(scope): what it changes`, with at most 72 characters in the first line";

export default policy({
  id: "detection/plugin-patterns",
  summary: "Formats and checks a file after an edit, and looks at the messages of commits.",
  why: "What a formatter or a linter would find is found late, and a commit message without its form is hard to correct.",
  origin: "oh-my-claudecode",
  stage: "delegation",
  defaultMode: "off",
  needsTrust: true,
  filter: { kinds: ["edit", "shell"] },
  options: (z) =>
    z.object({
      format: z
        .boolean()
        .default(true)
        .describe("Run the formatter after an edit: prettier, black, gofmt or rustfmt, where it is installed.")
        .meta({ tighter: "none" }),
      lint: z
        .boolean()
        .default(true)
        .describe("Run the linter after an edit: eslint, ruff, golangci-lint or cargo clippy, where it is installed.")
        .meta({ tighter: "none" }),
      commits: z
        .enum(["off", "note", "deny"])
        .default("note")
        .describe("What `git commit -m` with a message that is no conventional commit gets.")
        .meta({ tighter: "up", order: ["off", "note", "deny"] }),
      requireScope: z.boolean().default(false).describe("A commit message needs a scope.").meta({ tighter: "up" }),
      requireBody: z.boolean().default(false).describe("A commit message needs a body.").meta({ tighter: "up" }),
    }),
  messages: {
    unusual: 'The commit message "{subject}" is no conventional commit: {problem}. Wanted is {form}.',
    denied: 'The commit message "{subject}" is no conventional commit: {problem}. Commit again with {form}.',
  },
  examples: {
    hit: ["`git commit -m 'Fixed the login'`", "an Edit of a file that the linter complains about"],
    pass: [
      "`git commit -m 'fix(login): keep the session'`",
      "a file without a formatter",
      "a file outside of the project",
    ],
  },
  on: {
    "tool.before"(event, ctx) {
      const { commits } = ctx.options;
      if (commits === "off") return undefined;
      for (const message of messagesOnLine(shellOf(event, ctx.places.userHome).commands)) {
        const problem = commitProblem(message, ctx.options);
        if (problem === undefined) continue;
        const data = { subject: oneLine(message.trim().split("\n")[0] ?? "", 80), problem, form: FORM };
        return commits === "deny"
          ? ctx.deny("denied", data, "after the message is corrected")
          : ctx.note("unusual", data);
      }
      return undefined;
    },
  },
  settled: {
    "tool.after"(event, _fate, ctx) {
      for (const file of event.tool.kind === "edit" ? event.writes : []) checkLater(file, event, ctx, ctx.options);
    },
  },
});

/** The agent does not wait for it; what fails is told with a later call. */
function checkLater(
  file: string,
  { agent, session, cwd }: EventOf<"tool.after">,
  ctx: SettledContext,
  wanted: WantedTools,
): void {
  const { project } = ctx.actor;
  // In a linked worktree the agent works outside of the project's own folder.
  const name = below(project, file) ?? below(cwd, file);
  const { format, lint } = wanted;
  if (name === undefined || !isOwnSource(name) || toolsFor(file, wanted).length === 0) return;
  ctx.job(CHECK_JOB, { agent, session, file, project, cwd, format, lint });
}
