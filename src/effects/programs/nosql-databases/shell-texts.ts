import type { Command } from "../../../shell/command.ts";
import { type Effect, effect, type Scene } from "../../effect.ts";
import { INSTEAD } from "../../languages/sql/effects.ts";
import { inputText, textWithPlaceholders } from "../../line/line-text.ts";
import { readLoosely, valuesOf } from "../../loose-options.ts";

/** HBase's shell is read from its input: `disable 't'; drop 't'`. */
export function hbaseTexts(command: Command, scene: Scene): readonly Effect[] {
  if (command.args[0] !== "shell") return [];
  const text = inputText(command, scene) ?? "";
  const found = /(?:^|[;\n])\s*(drop|drop_all|truncate|truncate_preserve|drop_namespace)\s+'([^'\n]+)'/.exec(text);
  return found
    ? [effect("destroy-database", command, `removes the table ${found[2]}`, { target: found[2] ?? "" })]
    : [];
}

/** `echo flush_all | nc host 11211`: memcached has no other client. */
export function memcachedTexts(command: Command, scene: Scene): readonly Effect[] {
  return /^\s*flush_all\b/m.test(inputText(command, scene) ?? "")
    ? [effect("destroy-database", command, "empties memcached", { target: "flush_all" })]
    : [];
}

/** Calls of ArangoDB's and Couchbase's shells. */
export function arangoTexts(command: Command, scene: Scene): readonly Effect[] {
  const reading = readLoosely(
    command.argv.slice(1),
    "javascript.execute-string server.endpoint server.username server.database",
  );
  const [given] = valuesOf(reading, "javascript.execute-string");
  const text = (given ? textWithPlaceholders(given) : inputText(command, scene)) ?? "";
  return /\bdb\.(?:_dropDatabase|_drop|_truncate|\w+\.(?:drop|truncate))\(/.test(text)
    ? [effect("destroy-database", command, "drops data of the database", { instead: INSTEAD })]
    : [];
}

/** FoundationDB's shell: `clear key`, `clearrange from to`. */
export function foundationTexts(command: Command, scene: Scene): readonly Effect[] {
  const [text] = valuesOf(readLoosely(command.argv.slice(1), "exec C"), "exec");
  return /\bclear(?:range)?\b/.test(textWithPlaceholders(text) ?? inputText(command, scene) ?? "")
    ? [effect("destroy-database", command, "clears a range of keys")]
    : [];
}
