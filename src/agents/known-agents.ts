import type { Adapter } from "./adapter.ts";
import { claudeCode } from "./claude-code/adapter.ts";
import { codex } from "./codex/adapter.ts";
import { copilotCli } from "./copilot-cli/adapter.ts";
import { isFromCopilot } from "./copilot-cli/cross-reading.ts";
import { droid } from "./droid/adapter.ts";
import { geminiCli } from "./gemini-cli/adapter.ts";
import { opencode } from "./opencode/adapter.ts";
import { pi } from "./pi/adapter.ts";
import { qwenCode } from "./qwen-code/adapter.ts";

/** Every agent that calls us, by a command or through a plugin of ours. */
const AGENTS: readonly Adapter[] = [claudeCode, codex, copilotCli, droid, geminiCli, opencode, pi, qwenCode];

const BY_ID: ReadonlyMap<string, Adapter> = new Map(AGENTS.map((adapter) => [adapter.id, adapter]));

export const AGENT_NAMES: readonly string[] = [...BY_ID.keys()];

/** The agent that sends an event, which need not be the one that the hook was registered for. */
export function senderOf(registered: string, env: Readonly<Record<string, string>>, body: Buffer): Adapter | undefined {
  return registered === claudeCode.id && isFromCopilot(env, body) ? copilotCli : agentNamed(registered);
}

export function agentNamed(id: string): Adapter | undefined {
  return BY_ID.get(id);
}
