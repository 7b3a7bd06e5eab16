import path from "node:path";
import type { FileInfo } from "../../core/ports.ts";

/** Set for hooks that the plugin runs. */
export const SKILL_ENV = ["CLAUDE_PLUGIN_ROOT", "PATH"];

/**
 * How the skill `session` is called here: the plugin's by its full name, a person's own by its bare one. Empty when there
 * is neither: an unknown command would never reach the model.
 */
export function skillCommand(
  ctx: { env(name: string): string | undefined; readonly places: { readonly userHome: string } },
  info: (file: string) => FileInfo | undefined,
): string {
  const isThere = (...parts: [string, ...string[]]): boolean => info(path.join(...parts))?.kind === "file";
  const roots = [
    ctx.env("CLAUDE_PLUGIN_ROOT") ?? "",
    // The client puts the programs of a plugin on the path of the commands an agent runs.
    ...(ctx.env("PATH") ?? "")
      .split(":")
      .flatMap((one) => (/\/plugins?\/.*\/bin\/?$|\/plugin\/bin\/?$/.test(one) ? [path.dirname(one)] : [])),
  ].filter((root) => path.isAbsolute(root));
  if (roots.some((root) => isThere(root, "skills", "dehydrate", "SKILL.md"))) return "/hookwright:session";
  const own = path.join(ctx.places.userHome, ".claude");
  if (isThere(own, "skills", "session", "SKILL.md") || isThere(own, "commands", "session.md")) return "/session";
  return "";
}
