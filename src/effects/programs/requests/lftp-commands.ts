import type { Command } from "../../../shell/command.ts";
import { type Effect, effect, type Scene } from "../../effect.ts";
import { inputText, textWithPlaceholders } from "../../line/line-text.ts";
import { readLoosely, valuesOf } from "../../loose-options.ts";

/** lftp runs its own commands on the other side. */
export function lftpCommands(command: Command, scene: Scene): readonly Effect[] {
  const reading = readLoosely(command.argv.slice(1), "e c u p f");
  const given = valuesOf(reading, "e c").map(textWithPlaceholders);
  const texts = given.length > 0 ? given : [inputText(command, scene)];
  const lines = texts.flatMap((text) => (text ?? "").split(/[;\n]|&&/).map((line) => line.trim().split(/\s+/)));
  return lines.flatMap((words) => {
    const [verb, ...rest] = words;
    const removes = verb === "mrm" || verb === "glob" || (verb === "rm" && rest.some((word) => /^-\w*r/.test(word)));
    const mirrors = verb === "mirror" && rest.includes("--delete") && !rest.includes("--dry-run");
    if (!removes && !mirrors) return [];
    const target = rest.at(-1) ?? "";
    return [effect("delete-tree", command, `deletes ${target} on the server`, { target, certainty: "possible" })];
  });
}
