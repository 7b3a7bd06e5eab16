import type { Command } from "../../../shell/command.ts";
import { type Effect, effect, type Scene } from "../../effect.ts";
import { unreadScript } from "../../languages/scripts/long-scripts.ts";
import { isCut, sqlTokens } from "../../languages/sql/tokens.ts";
import { inputText, textWithPlaceholders } from "../../line/line-text.ts";
import { readLoosely } from "../../loose-options.ts";

/** `MATCH (n) DETACH DELETE n`: a pattern without a condition is every node. */
export function cypherStatements(command: Command, scene: Scene): readonly Effect[] {
  const { operands } = readLoosely(command.argv.slice(1), "a address u username p password d database f file");
  const texts = operands.length > 0 ? operands.map(textWithPlaceholders) : [inputText(command, scene)];
  return texts.flatMap((text) => {
    const tokens = sqlTokens(text ?? "", { backslash: true });
    if (isCut(tokens)) return /\bdelete\b/i.test(text ?? "") ? [unreadScript(command)] : [];
    const words = tokens.map((token) => (token.type === "word" ? token.text.toUpperCase() : token.text));
    const all =
      words[0] === "MATCH" &&
      words.includes("DELETE") &&
      !words.includes("WHERE") &&
      !words.includes("LIMIT") &&
      !words.includes("{");
    return all ? [effect("destroy-database", command, "deletes every node that it matches")] : [];
  });
}
