import type { Command } from "../../../shell/command.ts";
import { type Effect, effect, type Scene } from "../../effect.ts";
import { scriptOf } from "../../git/command.ts";
import { quotedWords } from "../../line/line-text.ts";

/** Google's repo, which runs a command in every project of a checkout. */
export function repoCheckouts(command: Command, scene: Scene): readonly Effect[] {
  const [action, ...words] = command.argv.slice(1);
  if (action?.text === "abandon" && words.length > 0)
    return [effect("rewrite-history", command, "deletes a branch in every project", { target: words[0]?.text ?? "" })];
  if (action?.text === "sync" && words.some(({ text }) => text === "--force-sync"))
    return [effect("discard-uncommitted", command, "replaces projects with their work", { target: "sync" })];
  if (action?.text !== "forall") return [];
  const at = words.findIndex((word) => /^-[a-z]*c$/.test(word.text)) + 1;
  const [text, more] = at > 0 ? words.slice(at) : [];
  if (!text) return [];
  const line = more ? quotedWords(words.slice(at)) : scriptOf(text);
  return scene.nested(`cd "$REPO_PATH"\n${line}`, command);
}
