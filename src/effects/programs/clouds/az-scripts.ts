import type { Command } from "../../../shell/command.ts";
import type { Effect, Scene } from "../../effect.ts";
import { textWithPlaceholders } from "../../line/line-text.ts";

/** `az vm run-command invoke --scripts "a" "b"`: every word up to the next option is a line. */
export function azScripts(command: Command, scene: Scene): readonly Effect[] {
  const words = command.argv.slice(1);
  const at = words.findIndex(({ text }) => text === "--scripts" || text === "--script");
  if (at < 0 || !command.args.includes("run-command")) return [];
  const rest = words.slice(at + 1);
  const end = rest.findIndex(({ text }) => /^-{1,2}[a-z]/.test(text));
  const lines = (end < 0 ? rest : rest.slice(0, end)).map((word) => textWithPlaceholders(word) ?? "");
  return scene.nested(lines.filter((line) => !line.startsWith("@")).join("\n"), { ...command, remote: true });
}
