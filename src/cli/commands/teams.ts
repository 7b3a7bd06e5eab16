import { HookwrightError } from "../../core/errors.ts";
import type { Command } from "../command.ts";

export const teams: Command = {
  name: "teams",
  summary: "Shows teams of agents, hands one to another session, or takes members out that are gone.",
  usage: "teams status [TEAM] [--json] | resume TEAM [MESSAGE…] | cleanup TEAM | events [TEAM]",
  details: [
    "`resume` makes a session the lead of a team, for instance after a restart: the team's file names the session that may",
    "add teammates. It needs --force while the session before is still running; --kill then also ends that one, after what",
    "it shows was kept. `cleanup` takes out members whose session has ended, never the lead. `events` prints the audit trail.",
  ].join("\n"),
  allowPositionals: true,
  options: {
    "session-id": {
      type: "string",
      value: "ID",
      description: "resume: the new lead; usually known from the environment.",
    },
    force: {
      type: "boolean",
      description: "resume: although the lead lives. cleanup: although nobody knows who does.",
    },
    kill: { type: "boolean", description: "resume --force: end the session before, once what it shows is kept." },
    lines: { type: "string", value: "N", description: "events: how many of the last ones; 20 when not given." },
    json: { type: "boolean", description: "Print data as JSON." },
  },
  changes: ({ args }) => args[0] === "resume" || args[0] === "cleanup",
  async run(context) {
    const [action, team, ...words] = context.args;
    if (action === "status" && words.length === 0) return (await import("../teams/status.ts")).status(context, team);
    if (action === "events" && words.length === 0) return (await import("../teams/events.ts")).events(context, team);
    if (action === "resume" && team !== undefined)
      return (await import("../teams/resume.ts")).resume(context, team, words);
    if (action === "cleanup" && team !== undefined && words.length === 0) {
      return (await import("../teams/cleanup.ts")).cleanup(context, team);
    }
    const detail = "Say `status`, `resume TEAM`, `cleanup TEAM` or `events`.";
    throw new HookwrightError("HW_USAGE", { detail, command: "teams" });
  },
};
