import type { CliCommand } from "../../command.ts";

export const skillsCommand: CliCommand = {
  name: "skills",
  summary: "Skills that were learned: short texts that the agent is told when a prompt has one of their triggers.",
  usage: "skills [list | show NAME | add NAME | promote [ID] | remove NAME | prune] [OPTIONS]",
  details: [
    "  list                          all skills, how often and when each was used, and its quality",
    "  show NAME                     print a skill",
    "  add NAME --problem TEXT --solution TEXT --trigger WORD …",
    "                                write a new skill",
    "  add -                         write the skill on standard input: Markdown with front matter (name, triggers)",
    "  promote                       what could become a skill: what agents have found out, and what ralph has learned",
    "  promote ID                    write that as a skill, with the given options instead of its own values",
    "  promote NAME                  move a skill of this project to your own, for all projects",
    "  remove NAME                   remove a skill's file",
    "  prune                         remove skills that were written by themselves and not used for 90 days",
    "",
    "Skills are Markdown files in .omc/skills of the project, and your own in ~/.claude/local-skills, ~/.omc/skills and",
    "~/.claude/skills/omc-learned. You may edit them. Of two with the same id, the one of the project counts. A file is never",
    "overwritten, and secrets with a known form are written as [masked].",
    "",
    "A person calls a skill by its name: `/NAME REQUEST`. In a terminal, Claude Code itself refuses a name that it does not",
    "know: type a blank before the slash, or `/omc:skill NAME REQUEST` with the plugin.",
  ].join("\n"),
  allowPositionals: true,
  options: {
    problem: { type: "string", value: "TEXT", description: "What goes wrong, or when the skill is of use." },
    solution: { type: "string", value: "TEXT", description: "What to do then." },
    description: { type: "string", value: "TEXT", description: "One line about it; the problem unless given." },
    trigger: {
      type: "string",
      value: "WORDS",
      multiple: true,
      description: "Words in a prompt that bring it; repeatable.",
    },
    tag: { type: "string", value: "WORD", multiple: true, description: "What it is about; repeatable." },
    name: { type: "string", value: "NAME", description: "With `promote ID`: how it is called." },
    fuzzy: { type: "boolean", description: "Words that are similar to a trigger bring it too." },
    global: { type: "boolean", description: "Your own skills, for all projects, instead of this project's." },
    days: { type: "string", value: "N", description: "With `prune`: another number of days." },
    "dry-run": { type: "boolean", description: "With `prune`: only show what would be removed." },
    json: { type: "boolean", description: "Print the result as JSON." },
  },
  changes: ({ args, options }) =>
    ["add", "remove"].includes(args[0] ?? "") ||
    (args[0] === "promote" && args.length > 1) ||
    (args[0] === "prune" && !options["dry-run"]),
  async run(context) {
    const { runSkills } = await import("./run.ts");
    return runSkills(context, { now: Date.now, input: process.stdin });
  },
};
