import { posix } from "node:path";
import { type Command, knownWord } from "../../../shell/command.ts";
import { type Effect, effect, effectsOfEach, type Scene } from "../../effect.ts";
import { fileOnDisk, fileText } from "../../line/line-text.ts";
import { readSql } from "./sql.ts";
import type { SqlDialect } from "./tokens.ts";

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
      const file = knownWord(found.text);
      const read = files < MAX_FILES ? fileText(file, command, scene) : undefined;
      if (read !== undefined) return sqlEffects(read, dialect, command, scene, files + 1);
      return sqlFromDisk(fileOnDisk(file, command, scene), dialect, command, scene);
    }
    const unsure = /[\uf000-\uf0ff]/.test(found.target);
    const why = found.why.replace(/[\uf000-\uf0ff]/g, "…");
    const extra = { target: found.target, instead: INSTEAD, ...(unsure && { certainty: "possible" as const }) };
    return [effect("destroy-database", command, why, extra)];
  });
}

/** A file of statements on disk, read only when the effect is judged. Its own includes are not followed. */
export function sqlFromDisk(
  path: string | undefined,
  dialect: SqlDialect,
  command: Command,
  scene: Scene,
): readonly Effect[] {
  return fromDisk(path, command, (text) => sqlEffects(text, dialect, command, scene).some(({ runs }) => !runs));
}

export function fromDisk(
  path: string | undefined,
  command: Command,
  doesHarm: (text: string) => boolean,
): readonly Effect[] {
  if (path === undefined) return [];
  const target = posix.basename(path);
  const why = `runs ${target}, which removes data from the database`;
  return [effect("destroy-database", command, why, { target, instead: INSTEAD, runs: { path, doesHarm } })];
}
