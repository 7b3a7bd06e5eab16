import type { CliCommand } from "../../command.ts";
import { distFolder } from "../../installation/current-build.ts";

export const replayCommand: CliCommand = {
  name: "replay",
  summary: "Decides recorded events again, with another configuration or build, and shows what would change.",
  usage: "replay [--since T] [--session S] [--config FILE | --policy ID=MODE | --profile P,…] [OPTION]… [--json]",
  details: [
    "  hookwright replay --since 7d --profile safety,plan        what one more profile would have said last week",
    "  hookwright replay --policy safety/secret-leak=observe     what would pass without this policy",
    "  hookwright replay --config new.yml --fail-on newly-denied fails if a new configuration denies more",
    "  hookwright replay --transcripts ~/.claude/projects        what Hookwright would have said before it was installed",
    "",
    "Clock, environment, files, git and tmux answer as they did then, and the state is built up again from the recorded",
    "events, in a scratch database. Nothing is written, sent or started, except the folder of --save-fixtures. An event that",
    "needs something that was not recorded is counted as undecidable, never as the same.",
    "",
    "A time T is 90s, 15m, 1h, 2d or 1w ago, or a date such as 2026-01-02 or 2026-01-02T15:00. For --fail-on a KIND is",
    "newly-denied, newly-asked, newly-allowed, newly-held, changed-context, undecidable or not-replayable.",
  ].join("\n"),
  options: {
    since: {
      type: "string",
      value: "T",
      description: "Only events from this time on; earlier ones rebuild the state.",
    },
    session: {
      type: "string",
      value: "S",
      description: "Only this session: its id, or the part of it that the journal shows.",
    },
    config: { type: "string", value: "FILE", description: "Use this file in place of your own configuration." },
    policy: {
      type: "string",
      multiple: true,
      value: "ID=MODE",
      description: "Give this policy the mode off, observe or enforce.",
    },
    profile: { type: "string", value: "P,…", description: "Exactly these profiles, whatever the configuration says." },
    transcripts: {
      type: "string",
      value: "DIR",
      description: "Replay the transcripts of Claude Code below this folder.",
    },
    fixtures: { type: "string", value: "DIR", description: "Replay the events that were saved in this folder." },
    "save-fixtures": {
      type: "string",
      value: "DIR",
      description: "Save the events with their answers, to replay them later.",
    },
    "fail-on": { type: "string", value: "KIND,…", description: "End with exit code 1 if there is any of these." },
    json: { type: "boolean", description: "One JSON object per difference; the last line is the summary." },
  },
  async run(context) {
    const { runReplay } = await import("./run.ts");
    return runReplay(context, { dist: distFolder });
  },
};
