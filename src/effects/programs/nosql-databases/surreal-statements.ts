import type { Command } from "../../../shell/command.ts";
import { type Effect, effect, type Scene } from "../../effect.ts";
import { unreadScript } from "../../languages/scripts/long-scripts.ts";
import { INSTEAD } from "../../languages/sql/effects.ts";
import { isCut, type SqlToken, sqlTokens } from "../../languages/sql/tokens.ts";
import { inputText } from "../../line/line-text.ts";
import { readLoosely } from "../../loose-options.ts";

/** SurrealQL says REMOVE for DROP, and DELETE without FROM. */
export function surrealStatements(command: Command, scene: Scene): readonly Effect[] {
  const [verb] = readLoosely(command.argv.slice(1), "conn endpoint e user u pass p ns db").operands;
  if (verb?.text !== "sql") return [];
  const tokens = sqlTokens(inputText(command, scene) ?? "", {});
  if (isCut(tokens)) return [unreadScript(command)];
  return statements(tokens).flatMap((words) => {
    const [first, second, third] = words;
    if (first === "REMOVE" && third !== undefined)
      return [
        effect("destroy-database", command, `removes the ${second?.toLowerCase()} ${third}`, {
          target: third,
          instead: INSTEAD,
        }),
      ];
    const all = first === "DELETE" && words.length <= 3 && !second?.includes(":");
    return all
      ? [effect("destroy-database", command, "deletes every record", { target: second ?? "", instead: INSTEAD })]
      : [];
  });
}

function statements(tokens: readonly SqlToken[]): readonly (readonly string[])[] {
  const found: string[][] = [[]];
  for (const { type, text } of tokens) {
    if (text === ";") found.push([]);
    else found.at(-1)?.push(type === "word" && found.at(-1)?.length !== 2 ? text.toUpperCase() : text);
  }
  return found;
}
