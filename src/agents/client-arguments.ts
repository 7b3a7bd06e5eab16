import type { WantedHooks } from "./installer.ts";
import { type CommandHandler, SHARED_CLIENT } from "./own-handlers.ts";

/** The command that an agent starts for one event. */
export function clientFor(
  agent: string,
  event: string,
  { scope, client, profiles }: Pick<WantedHooks, "scope" | "client" | "profiles">,
  more: readonly string[] = [],
): CommandHandler {
  const start = scope === "project" ? SHARED_CLIENT : client;
  const named = agent === "claude-code" ? [] : ["--agent", agent];
  const args = [...start.args, ...named, "--event", event, ...more, "--via", scope];
  if (profiles.length > 0) args.push("--profile", profiles.join(","));
  return { command: start.command, args };
}
