import { type Command, known } from "../command.ts";
import { type Effect, effect, effectsOfEach, type Scene } from "./effect.ts";
import { fileText } from "./line-text.ts";
import { readSql } from "./sql.ts";
import type { SqlDialect } from "./sql-tokens.ts";

export const INSTEAD = "run it against a copy, or take a backup first";

const MAX_FILES = 4;

export function sqlEffects(
  text: string,
  dialect: SqlDialect,
  command: Command,
  scene: Scene,
  files = 0,
): readonly Effect[] {
  return effectsOfEach(readSql(text, dialect), (found) => {
    if (found.what === "shell") return scene.nested(found.text, command);
    if (found.what === "file") {
      const read = files < MAX_FILES ? fileText(known(found.text), command, scene) : undefined;
      return read === undefined ? [] : sqlEffects(read, dialect, command, scene, files + 1);
    }
    const unsure = /[\uf000-\uf0ff]/.test(found.target);
    const why = found.why.replace(/[\uf000-\uf0ff]/g, "…");
    const extra = { target: found.target, instead: INSTEAD, ...(unsure && { certainty: "possible" as const }) };
    return [effect("destroy-database", command, why, extra)];
  });
}
