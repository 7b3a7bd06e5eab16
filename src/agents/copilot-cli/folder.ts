import path from "node:path";

/** Where Copilot CLI keeps what belongs to a person. */
export function copilotFolder(env: Readonly<Record<string, string | undefined>>, userHome: string): string {
  return env.COPILOT_HOME || path.join(userHome, ".copilot");
}

/** The file with our hooks below a folder that Copilot CLI reads them from. It reads every file there. */
export const HOOKS_FILE = path.join("hooks", "hookwright.json");
