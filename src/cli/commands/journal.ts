import type { Command } from "../command.ts";
import { processTerminal } from "../confirm.ts";

const POLL_MS = 200;

export const journal: Command = {
  name: "journal",
  summary: "Shows what happened: every event and what was answered.",
  usage:
    "journal [export|forget] [--follow] [--session S] [--denied] [--event NAME] [--policy ID] [--since T] [--json]",
  details: [
    "  hookwright journal                            the newest entries",
    "  hookwright journal --follow                   new entries as they come, until Ctrl-C",
    "  hookwright journal --id 12                    one entry with everything that was kept of it",
    "  hookwright journal export --out FILE          everything that matches, as JSON lines, into a new file",
    "  hookwright journal forget --session S         deletes, for good and only for a person in a terminal:",
    "                                                --session S, --before T or --all",
    "",
    "A time T is 90s, 15m, 1h, 2d or 1w ago, or a date such as 2026-01-02 or 2026-01-02T15:00.",
  ].join("\n"),
  allowPositionals: true,
  options: {
    follow: { type: "boolean", description: "Print new entries as they come. With --limit N, the newest N first." },
    session: {
      type: "string",
      value: "S",
      description: "Only this session: its name, or as much of it as the list shows.",
    },
    denied: { type: "boolean", description: "Only what was denied." },
    event: { type: "string", value: "NAME", description: "Only this event, by our name or the agent's." },
    policy: { type: "string", value: "ID", description: "Only where this policy said something or failed." },
    since: { type: "string", value: "T", description: "Only from this time on." },
    id: { type: "string", value: "N", description: "Only this entry, in full." },
    limit: { type: "string", value: "N", description: "The newest N entries (default 50, with --json all)." },
    out: { type: "string", value: "FILE", description: "For export: into this new file instead of standard output." },
    before: { type: "string", value: "T", description: "For forget: what is older than this time." },
    all: { type: "boolean", description: "For forget: everything." },
    json: { type: "boolean", description: "One JSON object per line." },
  },
  async run(context) {
    const { runJournal } = await import("../journal/run.ts");
    const stop = new AbortController();
    if (context.options.follow) for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => stop.abort());
    return runJournal(context, { terminal: processTerminal, signal: stop.signal, pollMs: POLL_MS });
  },
};
