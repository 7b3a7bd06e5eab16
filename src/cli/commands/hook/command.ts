import type { CliCommand } from "../../command.ts";

/** The launcher runs the client for `hook` before this command line is loaded; only the help text is used from here. */
export const hookCommand: CliCommand = {
  name: "hook",
  summary: "Decides one event: JSON on standard input, the answer on standard output.",
  usage: "hook [--agent claude-code] [--event NAME] [--profile P,…] [--no-daemon] [--reply exit|json]",
  details: [
    "Agents call this; you can too. A payload without hook_event_name but with tool_name is a PreToolUse.",
    "",
    "Exit codes: with --reply exit, a denial ends with 2 (reason on stderr, decision on stdout), everything else with 0.",
    "With --reply json, a denial ends with 0 and is in the JSON, except for events where an agent reads only the exit",
    "code. Wrong arguments end with 1.",
  ].join("\n"),
  options: {
    agent: { type: "string", description: "The agent whose JSON is read and written (default claude-code)." },
    event: { type: "string", value: "NAME", description: "The event, in case the input cannot be read." },
    profile: { type: "string", value: "P,…", description: "Exactly these profiles, whatever the configuration says." },
    "no-daemon": { type: "boolean", description: "Decide in this process and start no daemon." },
    reply: {
      type: "string",
      value: "exit|json",
      description: "How a denial is reported: by exit code or JSON (default exit).",
    },
    via: { type: "string", value: "NAME", description: "The registration that calls (written by `init`)." },
    "deadline-ms": { type: "string", value: "N", description: "How long the caller waits (default 4000)." },
  },
  run({ err }) {
    err("hookwright hook is run through bin/hookwright.mjs.");
    return 1;
  },
};
