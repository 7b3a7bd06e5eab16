import path from "node:path";

/** Where Gemini CLI keeps what belongs to the person. */
export function geminiFolder(env: Readonly<Record<string, string | undefined>>, userHome: string): string {
  return path.join(env.GEMINI_CLI_HOME || userHome, ".gemini");
}
