import path from "node:path";
import type { FileInfo } from "../../core/ports.ts";

/** CLAUDE_PLUGIN_ROOT is set for hooks that the plugin runs. */
export const SKILL_ENV = ["CLAUDE_PLUGIN_ROOT", "PATH"];

/**
 * The slash command of the skill `session`: the plugin's has a prefix, a person's own does not. Empty when neither is
 * installed, because an unknown command would never reach the model.
 */
export function skillCommand(
  ctx: { env(name: string): string | undefined; readonly places: { readonly userHome: string } },
  info: (file: string) => FileInfo | undefined,
): string {
  const isThere = (...parts: [string, ...string[]]): boolean => info(path.join(...parts))?.kind === "file";
  const roots = [
    ctx.env("CLAUDE_PLUGIN_ROOT") ?? "",
    // The client puts a plugin's bin folder on the PATH of the commands that an agent runs.
    ...(ctx.env("PATH") ?? "")
      .split(":")
      .flatMap((one) => (/\/plugins?\/.*\/bin\/?$|\/plugin\/bin\/?$/.test(one) ? [path.dirname(one)] : [])),
  ].filter((root) => path.isAbsolute(root));
  if (roots.some((root) => isThere(root, "skills", "dehydrate", "SKILL.md"))) return "/hookwright:session";
  const own = path.join(ctx.places.userHome, ".claude");
  if (isThere(own, "skills", "session", "SKILL.md") || isThere(own, "commands", "session.md")) return "/session";
  return "";
}
