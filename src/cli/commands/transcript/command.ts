import type { CliCommand } from "../../command.ts";

export const transcriptCommand: CliCommand = {
  name: "transcript",
  summary: "Checks a transcript for messages that the model's server would refuse, and writes a repaired copy.",
  usage: "transcript check FILE [--repair OUT] [--json]",
  details: [
    "FILE is a transcript of Claude Code (JSON lines, in ~/.claude/projects); it is only read. Reported are messages of",
    "thinking models that do not begin with thinking, messages without text and without a tool part, blank texts beside",
    "other parts, and lines that are no JSON. Half a last line is no mistake: the agent is writing it.",
    "",
    "OUT is a new file. It is a copy of FILE, byte for byte, in which a message that lacks text says `[user interrupted]`",
    "and one that lacks thinking repeats the nearest earlier thinking. That has no signature, as only the server can sign.",
    "",
    "The exit code is 1 when something was found, also when the copy repairs it. Messages of a session whose thinking was",
    "switched off are reported as well.",
  ].join("\n"),
  allowPositionals: true,
  options: {
    repair: { type: "string", value: "OUT", description: "Write a repaired copy to this new file." },
    json: { type: "boolean", description: "Print one JSON object." },
  },
  async run(context) {
    const { runTranscript } = await import("./run.ts");
    return runTranscript(context);
  },
};
