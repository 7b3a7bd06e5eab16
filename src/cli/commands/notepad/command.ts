import type { CliCommand } from "../../command.ts";

export const notepadCommand: CliCommand = {
  name: "notepad",
  summary:
    "Notes of a project that outlive a session: what every session is told, a working memory, and your own notes.",
  usage: "notepad [show | add TEXT | prune | clear] [--priority | --manual]",
  details: [
    "  show                          print the notepad, or one of its sections",
    "  add TEXT                      add a note to the working memory, with the time; it is kept for 7 days",
    "  add --priority TEXT           replace the priority context, which every session is told when it begins",
    "  add --manual TEXT             add a note, with the time, to those that are never removed by themselves",
    "  prune                         remove notes of the working memory that are older than 7 days",
    "  clear                         remove all notes of the working memory, or with an option of that section",
    "",
    "The notepad is .omc/notepad.md below the project's root. It is a text file that you may edit: Hookwright changes the",
    "lines of one note and nothing else. Of the priority context 500 characters are told. TEXT may be several words, or `-`",
    "for standard input. Secrets with a known form are written as [masked].",
  ].join("\n"),
  allowPositionals: true,
  options: {
    priority: { type: "boolean", description: "The priority context." },
    manual: { type: "boolean", description: "The notes that are never removed by themselves." },
    json: { type: "boolean", description: "Print the result as JSON." },
  },
  changes: ({ args }) => !["show", undefined].includes(args[0]),
  async run(context) {
    const { runNotepad } = await import("./run.ts");
    return runNotepad(context, { now: Date.now, input: process.stdin });
  },
};
