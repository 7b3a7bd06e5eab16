import { HookwrightError } from "../core/errors.ts";
import { CLAUDE_CODE } from "./claude-code/declaration.ts";
import { claudeCodeInstaller } from "./claude-code/install.ts";
import { CODEX } from "./codex/declaration.ts";
import { codexInstaller } from "./codex/install.ts";
import { COPILOT_CLI } from "./copilot-cli/declaration.ts";
import { copilotInstaller } from "./copilot-cli/install.ts";
import type { Declaration } from "./declaration.ts";
import { DROID } from "./droid/declaration.ts";
import { droidInstaller } from "./droid/install.ts";
import { GEMINI_CLI } from "./gemini-cli/declaration.ts";
import { geminiInstaller } from "./gemini-cli/install.ts";
import type { Installer } from "./installer.ts";
import { OPENCODE } from "./opencode/declaration.ts";
import { opencodeInstaller } from "./opencode/install.ts";
import { PI } from "./pi/declaration.ts";
import { piInstaller } from "./pi/install.ts";
import { QWEN_CODE } from "./qwen-code/declaration.ts";
import { qwenInstaller } from "./qwen-code/install.ts";

export interface InstallableAgent {
  readonly declaration: Declaration;
  readonly installer: Installer;
}

/** The agents that `init` knows, the usual one first. */
export const INSTALLABLE: readonly InstallableAgent[] = [
  { declaration: CLAUDE_CODE, installer: claudeCodeInstaller },
  { declaration: CODEX, installer: codexInstaller },
  { declaration: COPILOT_CLI, installer: copilotInstaller },
  { declaration: DROID, installer: droidInstaller },
  { declaration: GEMINI_CLI, installer: geminiInstaller },
  { declaration: QWEN_CODE, installer: qwenInstaller },
  { declaration: OPENCODE, installer: opencodeInstaller },
  { declaration: PI, installer: piInstaller },
];

export const INSTALLABLE_NAMES: readonly string[] = INSTALLABLE.map(({ declaration }) => declaration.id);

export function installableAgent(agent: string): InstallableAgent {
  const found = INSTALLABLE.find(({ declaration }) => declaration.id === agent);
  if (!found) throw new HookwrightError("HW_UNKNOWN_AGENT", { agent, known: INSTALLABLE_NAMES.join(", ") });
  return found;
}
