import type { Command } from "../command.ts";
import { type Effect, effect, effectsOfEach, type Scene } from "./effect.ts";
import { readSql } from "./sql.ts";
import type { SqlDialect } from "./sql-tokens.ts";

export const INSTEAD = "run it against a copy, or take a backup first";

export function sqlEffects(text: string, dialect: SqlDialect, command: Command, scene: Scene): readonly Effect[] {
  return effectsOfEach(readSql(text, dialect), (found) => {
    if (found.what === "shell") return scene.nested(found.text, command);
    const unsure = /[\uf000-\uf0ff]/.test(found.target);
    const why = found.why.replace(/[\uf000-\uf0ff]/g, "…");
    const extra = { target: found.target, instead: INSTEAD, ...(unsure && { certainty: "possible" as const }) };
    return [effect("destroy-database", command, why, extra)];
  });
}
