import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { CliCommand, CommandContext } from "../../command.ts";
import { distFolder } from "../../installation/current-build.ts";

const SINCE = "30d";

export const tryCommand: CliCommand = {
  name: "try",
  summary: "Shows what Hookwright would have asked about and stopped in your last month of work. Changes nothing.",
  usage: "try [--since T] [--profile P,…] [--json]",
  details: [
    "It reads the sessions that Claude Code keeps on this machine, and decides their tool calls with the profile `safety`.",
    "Hookwright does not have to be installed for it. A time T is 90s, 15m, 1h, 2d or 1w ago, or a date such as 2026-01-02.",
  ].join("\n"),
  options: {
    since: { type: "string", value: "T", description: `Only events from this time on; by default ${SINCE}.` },
    profile: { type: "string", value: "P,…", description: "Exactly these profiles, in place of `safety`." },
    json: { type: "boolean", description: "One JSON object per difference; the last line is the summary." },
  },
  run: (context) => runTry(context, distFolder),
};

export async function runTry(context: CommandContext, dist: string): Promise<number> {
  const { env, options, out } = context;
  const claude = env.CLAUDE_CONFIG_DIR || path.join(env.HOME || os.homedir(), ".claude");
  const transcripts = path.join(claude, "projects");
  if (!fs.existsSync(transcripts)) {
    context.err(
      `hookwright try: there are no sessions of Claude Code in ${transcripts}. Run \`hookwright demo\` to see what it does.`,
    );
    return 1;
  }
  const { runReplay } = await import("../replay/run.ts");
  const request = { since: SINCE, profile: "safety", ...options, transcripts };
  const code = await runReplay({ ...context, options: request }, { dist });
  if (!options.json) out("\nNothing was changed. `hookwright init` puts Hookwright into your agent.");
  return code;
}
