import { HookwrightError } from "../../../core/errors.ts";
import type { CliCommand } from "../../command.ts";

export const teamsCommand: CliCommand = {
  name: "teams",
  summary: "Shows teams of agents, gives a team another lead session, or removes members that have ended.",
  usage: "teams status [TEAM] [--json] | resume TEAM [MESSAGE…] | cleanup TEAM | events [TEAM]",
  details: [
    "`resume` makes a session the lead of a team, for instance after a restart: only the lead may add teammates. While",
    "the lead before is still running it needs --force; with --kill it also saves what that session shows and ends it.",
    "`cleanup` removes members whose session has ended, never the lead. `events` prints the log of the team's events.",
  ].join("\n"),
  allowPositionals: true,
  options: {
    "session-id": {
      type: "string",
      value: "ID",
      description: "resume: the session of the new lead (default: from the environment).",
    },
    force: {
      type: "boolean",
      description: "resume: although the lead still runs. cleanup: although it is unknown who runs.",
    },
    kill: { type: "boolean", description: "resume --force: save what the lead before shows, then end it." },
    lines: { type: "string", value: "N", description: "events: print the last N (default 20)." },
    json: { type: "boolean", description: "Print data as JSON." },
  },
  changes: ({ args }) => args[0] === "resume" || args[0] === "cleanup",
  async run(context) {
    const [action, team, ...words] = context.args;
    if (action === "status" && words.length === 0) return (await import("./status.ts")).showTeamStatus(context, team);
    if (action === "events" && words.length === 0) return (await import("./events.ts")).showEvents(context, team);
    if (action === "resume" && team !== undefined)
      return (await import("./resume.ts")).resumeTeam(context, team, words);
    if (action === "cleanup" && team !== undefined && words.length === 0) {
      return (await import("./cleanup.ts")).cleanup(context, team);
    }
    const detail = "Give `status`, `resume TEAM`, `cleanup TEAM` or `events`.";
    throw new HookwrightError("HW_USAGE", { detail, command: "teams" });
  },
};
