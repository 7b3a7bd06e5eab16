import path from "node:path";

/** Where pi keeps a person's settings. */
export function agentFolder(env: Readonly<Record<string, string | undefined>>, userHome: string): string {
  const named = env.PI_CODING_AGENT_DIR ?? "";
  if (named === "~" || named.startsWith("~/")) return path.join(userHome, named.slice(1));
  return path.isAbsolute(named) ? named : path.join(userHome, ".pi", "agent");
}

/** Our extension in a folder of pi. pi loads every file in `extensions`. */
export function extensionIn(folder: string): string {
  return path.join(folder, "extensions", "hookwright.js");
}
