import { type Command, knownWord, type Word } from "../../../shell/command.ts";
import { type OptionReading, type OptionSpec, readOptions } from "../../../shell/options.ts";
import { type Effect, effect, type Family, pathsOf } from "../../effect.ts";
import { fileText, inputText, onDisk, textWithPlaceholders } from "../../line/line-text.ts";
import { has, valuesOf } from "../../loose-options.ts";
import { INSTEAD, sqlEffects, sqlFromDisk } from "./effects.ts";
import type { SqlDialect } from "./tokens.ts";

/** A client that sends SQL to a server. */
export interface SqlClient extends OptionSpec {
  readonly dialect: SqlDialect;
  /** Options that hold SQL. */
  readonly text: string;
  readonly files?: string;
  /** Operands from this one on are SQL. */
  readonly from?: number;
  /** Options with one dash and a whole word, as `-header`. */
  readonly singleDash?: true;
}

const CLIENTS =
  /^(?:psql|pgcli|usql|ysqlsh|cockroach|mysql|mariadb|mycli|clickhouse|clickhouse-client|sqlcmd|hive|beeline|trino|presto|spark-sql|impala-shell|y?cqlsh|sqlite3|litecli|duckdb|snowsql|influx|sqlplus|db2)$/;

export function sqlClient(client: SqlClient): Family {
  return (command, scene) => {
    const words = command.argv.slice(1);
    const options = client.singleDash ? singleDashOptions(words, client.text) : readOptions(words, client, true);
    const operands = client.from === undefined ? [] : options.operands.slice(client.from);
    const inMemory = client.singleDash && options.operands[0]?.text === ":memory:";
    const given = valuesOf(options, client.text);
    const files = client.files ? valuesOf(options, client.files) : [];
    if (has(options, "l list")) return [];
    const readsInput = given.length + operands.length + files.length === 0;
    const texts = [
      ...given.map(textWithPlaceholders),
      ...operands.map(textWithPlaceholders),
      ...files.map((file) => fileText(file, command, scene)),
      ...(readsInput ? [inputText(command, scene)] : []),
    ];
    const found = [
      ...texts.flatMap((text) => (text === undefined ? [] : sqlEffects(text, client.dialect, command, scene))),
      ...onDisk(readsInput ? undefined : files, command, scene).flatMap((path) =>
        sqlFromDisk(path, client.dialect, command, scene),
      ),
    ];
    // A database in memory is lost anyway, but a command that it starts is real.
    if (inMemory) return found.filter(({ kind }) => kind !== "destroy-database");
    if (found.length === 0 && texts.every((text) => text === undefined)) return fed(command);
    const database = client.singleDash && found.length > 0 ? options.operands[0] : undefined;
    const [place] = database ? pathsOf(database, command, scene) : [];
    return found.map((one) => atFile(one, place?.path ?? ""));
  };
}

const TEMPORARY = /^(?:(?:\/private)?(?:\/var)?\/tmp|\/dev\/shm)\//;

/** A database file may lie in a folder for temporary files. */
function atFile(one: Effect, path: string): Effect {
  return one.kind === "destroy-database" && TEMPORARY.test(path) ? { ...one, path } : one;
}

/** Statements that another program makes: `… | grep ^DROP | mysql`, `psql -c "select 'drop table …'" | psql`. */
function fed(command: Command): readonly Effect[] {
  const source = command.upstream.find(({ program = "", argv, args }) => {
    if (/^e?grep$/.test(program))
      return !args.includes("-v") && argv.some(({ text }) => /\b(?:drop|truncate)\b/i.test(text));
    const makes = CLIENTS.test(program) || program === "awk" || program === "sed";
    return makes && argv.some(({ text }) => /\b(?:drop|truncate)\s+(?:table|database|schema)\b/i.test(text));
  });
  if (!source) return [];
  const why = "runs statements that drop tables";
  return [effect("destroy-database", command, why, { certainty: "possible", instead: INSTEAD })];
}

function singleDashOptions(words: readonly Word[], takesValue: string): Pick<OptionReading, "given" | "operands"> {
  const values = new Set(
    `${takesValue} init separator nullvalue newline vfs database host port username password`.split(" "),
  );
  const given = new Map<string, Word[]>();
  const operands: Word[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? knownWord("");
    const name = word.known ? /^--?([a-zA-Z]\w*)$/.exec(word.text)?.[1] : undefined;
    if (name === undefined) operands.push(word);
    else if (values.has(name)) {
      const value = words[++at] ?? knownWord("");
      const before = given.get(name);
      if (before) before.push(value);
      else given.set(name, [value]);
    }
  }
  return { given, operands };
}
