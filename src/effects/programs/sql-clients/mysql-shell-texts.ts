import type { Command } from "../../../shell/command.ts";
import { type Effect, effect, type Scene } from "../../effect.ts";
import { INSTEAD, sqlEffects } from "../../languages/sql/effects.ts";
import { inputText, textWithPlaceholders } from "../../line/line-text.ts";
import { has, readLoosely, valuesOf } from "../../loose-options.ts";

/** MySQL's shell speaks SQL, JavaScript and Python. */
export function mysqlShellTexts(command: Command, scene: Scene): readonly Effect[] {
  const reading = readLoosely(command.argv.slice(1), "e execute u user h host P port D schema f file uri p password");
  const [given] = valuesOf(reading, "e execute");
  const text = (given ? textWithPlaceholders(given) : inputText(command, scene)) ?? "";
  const drops = /\b(?:dropSchema|drop_schema|dropCollection|drop_collection)\(\s*["'](\w+)/.exec(text);
  if (drops)
    return [effect("destroy-database", command, `drops ${drops[1]}`, { target: drops[1] ?? "", instead: INSTEAD })];
  const other = has(reading, "js javascript py python");
  return other ? [] : sqlEffects(text, { backslash: true, hash: true, meta: "\\" }, command, scene);
}
