import { readPatch } from "../../core/text/patch.ts";
import type { Command, Word } from "../../shell/command.ts";

/**
 * What `apply_patch` writes, which takes the patch as a word or as its input. Codex carries out such a line itself and shows it
 * to hooks as a command.
 */
export function patchedWords({ argv, redirections, upstream }: Command): readonly Word[] {
  const texts = [...argv.slice(1), ...redirections.flatMap(({ body }) => body ?? [])];
  const files = texts.flatMap(({ text }) => readPatch(text)).flatMap(({ path, movedTo }) => [path, movedTo ?? path]);
  const words = [...new Set(files)].map((text): Word => ({ text, known: true }));
  const isHidden = words.length === 0 && (texts.some(({ known }) => !known) || upstream.length > 0);
  return isHidden ? [{ text: "", known: false }] : words;
}
