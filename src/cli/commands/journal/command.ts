import type { CliCommand } from "../../command.ts";
import { processTerminal } from "../../terminal/confirm.ts";

const POLL_MS = 200;

export const journalCommand: CliCommand = {
  name: "journal",
  summary: "Lists recorded events: what each was about, and the answer.",
  usage: "journal [stats|export|forget] [--follow] [--search WORDS] [--session S] [--denied] [OPTION]… [--json]",
  details: [
    "  hookwright journal                            the newest entries",
    "  hookwright journal --follow                   new entries as they come, until Ctrl-C",
    "  hookwright journal --id 12                    everything that was recorded of one entry",
    "  hookwright journal --search 'rm build'        entries whose command, prompt or reason has these words",
    "  hookwright journal stats --since 7d           counts per day, policy and agent",
    "  hookwright journal export --out FILE          writes matching entries as JSON lines to a new file",
    "  hookwright journal forget --session S         deletes entries permanently; a person must confirm:",
    "                                                --session S, --before T or --all",
    "",
    'In --search every word must be there; "two words" stand side by side, and a word that ends with * may go on.',
    "",
    "A time T is 90s, 15m, 1h, 2d or 1w ago, or a date such as 2026-01-02 or 2026-01-02T15:00.",
  ].join("\n"),
  allowPositionals: true,
  options: {
    follow: { type: "boolean", description: "Print new entries as they come. With --limit N, the newest N first." },
    session: {
      type: "string",
      value: "S",
      description: "Only this session: its id, or the part of it that the list shows.",
    },
    denied: { type: "boolean", description: "Only what was denied." },
    event: { type: "string", value: "NAME", description: "Only this event, such as PreToolUse or tool.before." },
    policy: { type: "string", value: "ID", description: "Only where this policy said something or failed." },
    since: { type: "string", value: "T", description: "Only from this time on." },
    search: { type: "string", value: "WORDS", description: "Only entries with these words, in any order." },
    id: { type: "string", value: "N", description: "Only this entry, in full." },
    limit: { type: "string", value: "N", description: "The newest N entries (default 50, with --json all)." },
    out: { type: "string", value: "FILE", description: "export: write to this new file instead of standard output." },
    format: { type: "string", value: "F", description: "export: jsonl (the default) or csv." },
    before: { type: "string", value: "T", description: "forget: entries that are older than this time." },
    all: { type: "boolean", description: "forget: all entries." },
    json: { type: "boolean", description: "One JSON object per line." },
  },
  async run(context) {
    const { runJournal } = await import("./run.ts");
    const stop = new AbortController();
    if (context.options.follow) for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => stop.abort());
    return runJournal(context, { terminal: processTerminal, signal: stop.signal, pollMs: POLL_MS });
  },
};
