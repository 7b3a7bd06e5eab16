import { parsePayload } from "../payload.ts";

/**
 * Copilot CLI also runs the hooks in the `.claude/settings.json` of a project that it trusts. Its variable alone does not
 * tell, because an agent that was started from its shell has it as well; Claude Code gives its events no time.
 */
export function isFromCopilot(env: Readonly<Record<string, string>>, body: Buffer): boolean {
  if (env.COPILOT_CLI !== "1") return false;
  const payload = parsePayload(body);
  return typeof payload !== "string" && Object.hasOwn(payload, "timestamp");
}
