import { type Command, knownWord, type Word } from "../../shell/command.ts";
import { type OptionReading, type OptionSpec, readOptions } from "../../shell/options.ts";
import { unlessMade } from "../across-commands/made-databases.ts";
import { type Effect, effect, type Family, pathsOf, type Scene } from "../effect.ts";
import { INSTEAD, sqlEffects, sqlFromDisk } from "../languages/sql/effects.ts";
import { MONGO } from "../languages/sql/mongo.ts";
import { REDIS, REDIS_WIRE } from "../languages/sql/redis.ts";
import type { SqlDialect } from "../languages/sql/tokens.ts";
import { fileText, inputText, onDisk, textWithHoles } from "../line/line-text.ts";
import { has, named, type Tool, toolFamily, valuesOf } from "../tool.ts";

/** A client that sends SQL to a server. */
interface Client extends OptionSpec {
  readonly dialect: SqlDialect;
  /** Options that hold SQL. */
  readonly text: string;
  readonly files?: string;
  /** Operands from this one on are SQL. */
  readonly from?: number;
  /** Options with one dash and a whole word, as `-header`. */
  readonly wordy?: true;
}

const POSTGRES: SqlDialect = { meta: "\\" };
const MYSQL: SqlDialect = { backslash: true, hash: true, meta: "\\", schemaCommits: true };
const PSQL: Client = {
  dialect: POSTGRES,
  short: "aAbc:d:eEf:F:h:HlL:nNo:p:P:qR:sStT:U:v:VwWxXzZ0129?",
  long: "command: dbname: file: host: port: username: set: variable: output: log-file: pset: field-separator: record-separator: table-attr: no-psqlrc quiet tuples-only no-align single-transaction no-password password echo-all csv html expanded list",
  text: "c command",
  files: "f file",
};
const MYSQL_CLIENT: Client = {
  dialect: MYSQL,
  short: "ABbCD:e:EfGHh:iI#:LlnNoOP:p::qrR:S:sStT::u:UvVwWX",
  long: "execute: user: host: port: database: socket: password:: protocol: default-character-set: defaults-file: defaults-extra-file: init-command: batch silent raw force verbose skip-column-names table vertical ssl-mode: ssl-ca: delimiter: comments",
  text: "e execute init-command",
};
const CLICKHOUSE: Client = {
  dialect: { backslash: true },
  short: "q:h:u:d:mnC:",
  long: "query: queries-file: host: port: user: password: database: format: multiquery multiline secure",
  text: "q query",
  files: "queries-file",
  from: 0,
};
const CASSANDRA: Client = {
  dialect: {},
  short: "e:f:k:u:p:C",
  long: "execute: file: keyspace: username: password: ssl",
  text: "e execute",
  files: "f file",
};
const CLIENTS: Readonly<Record<string, Client>> = {
  psql: PSQL,
  pgcli: { ...PSQL, text: "c command e execute" },
  ...{ usql: PSQL, ysqlsh: PSQL },
  cockroach: {
    dialect: POSTGRES,
    short: "e:d:u:f:",
    long: "execute: database: user: file: url: host: insecure certs-dir:",
    text: "e execute",
    files: "f file",
  },
  mysql: MYSQL_CLIENT,
  mariadb: MYSQL_CLIENT,
  mycli: MYSQL_CLIENT,
  "clickhouse-client": CLICKHOUSE,
  clickhouse: CLICKHOUSE,
  sqlcmd: {
    dialect: { brackets: true },
    short: "S:U:P:d:Q:q:i:o:h:s:w:t:l:v:EIbCNGWkrx",
    long: "query: initial-query: input-file: server: database-name: user-name: password:",
    text: "Q q query initial-query",
    files: "i input-file",
  },
  ...Object.fromEntries(
    ["hive", "beeline", "trino", "presto", "spark-sql", "impala-shell"].map((name) => [
      name,
      {
        dialect: {},
        short: "e:f:u:n:p:q:i:",
        long: "execute: query: file: server: catalog:",
        text: "e q execute query",
        files: "f file",
      },
    ]),
  ),
  cqlsh: CASSANDRA,
  ycqlsh: CASSANDRA,
  sqlite3: { dialect: { meta: "." }, text: "cmd", from: 1, wordy: true },
  litecli: { dialect: { meta: "." }, short: "e:D:", long: "execute: database:", text: "e execute" },
  duckdb: { dialect: { meta: "." }, text: "cmd c s", from: 1, wordy: true },
  snowsql: {
    dialect: { brackets: true },
    short: "q:f:a:u:d:s:w:r:c:o:",
    long: "query: filename:",
    text: "q query",
    files: "f filename",
  },
  influx: { dialect: {}, text: "execute", wordy: true },
  sqlplus: { dialect: {}, text: "" },
  db2: { dialect: {}, text: "", from: 0 },
};

function sqlClient(client: Client): Family {
  return (command, scene) => {
    const words = command.argv.slice(1);
    const options = client.wordy ? wordy(words, client.text) : readOptions(words, client, true);
    const operands = client.from === undefined ? [] : options.operands.slice(client.from);
    const inMemory = client.wordy && options.operands[0]?.text === ":memory:";
    const given = valuesOf(options, client.text);
    const files = client.files ? valuesOf(options, client.files) : [];
    if (has(options, "l list")) return [];
    const readsInput = given.length + operands.length + files.length === 0;
    const texts = [
      ...given.map(textWithHoles),
      ...operands.map(textWithHoles),
      ...files.map((file) => fileText(file, command, scene)),
      ...(readsInput ? [inputText(command, scene)] : []),
    ];
    const found = [
      ...texts.flatMap((text) => (text === undefined ? [] : sqlEffects(text, client.dialect, command, scene))),
      ...onDisk(readsInput ? undefined : files, command, scene).flatMap((path) =>
        sqlFromDisk(path, client.dialect, command, scene),
      ),
    ];
    // Nothing lasts there, but what it starts is real.
    if (inMemory) return found.filter(({ kind }) => kind !== "destroy-database");
    if (found.length === 0 && texts.every((text) => text === undefined)) return fed(command);
    const database = client.wordy && found.length > 0 ? options.operands[0] : undefined;
    const [place] = database ? pathsOf(database, command, scene) : [];
    return found.map((one) => atFile(one, place?.path ?? ""));
  };
}

const TEMPORARY = /^(?:(?:\/private)?(?:\/var)?\/tmp|\/dev\/shm)\//;

/** A database that is a file may lie where nothing is kept. */
function atFile(one: Effect, path: string): Effect {
  return one.kind === "destroy-database" && TEMPORARY.test(path) ? { ...one, path } : one;
}

/** Statements that another program makes: `… | grep ^DROP | mysql`, `psql -c "select 'drop table …'" | psql`. */
function fed(command: Command): readonly Effect[] {
  const source = command.upstream.find(({ program = "", argv, args }) => {
    if (/^e?grep$/.test(program))
      return !args.includes("-v") && argv.some(({ text }) => /\b(?:drop|truncate)\b/i.test(text));
    const makes = Object.hasOwn(CLIENTS, program) || program === "awk" || program === "sed";
    return makes && argv.some(({ text }) => /\b(?:drop|truncate)\s+(?:table|database|schema)\b/i.test(text));
  });
  if (!source) return [];
  const why = "runs statements that drop tables";
  return [effect("destroy-database", command, why, { certainty: "possible", instead: INSTEAD })];
}

function wordy(words: readonly Word[], takesValue: string): Pick<OptionReading, "given" | "operands"> {
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

const PG_RESTORE: OptionSpec = {
  short: "acCd:eF:f:h:I:j:lL:n:N:OP:p:RsS:t:T:U:vVwWx1",
  long: "data-only clean create dbname: exit-on-error file: format: function: host: if-exists index: jobs: list no-owner port: schema: schema-only superuser: table: trigger: username: use-list: verbose single-transaction",
};

function pgRestore(command: Command): readonly Effect[] {
  const options = readOptions(command.argv.slice(1), PG_RESTORE, true);
  const [database] = valuesOf(options, "d dbname");
  if (!database || !has(options, "c clean") || has(options, "l list")) return [];
  const why = `drops what is in ${database.text} before it restores`;
  return [effect("destroy-database", command, why, { target: database.text, instead: INSTEAD })];
}

const destroys = (rules: Tool["rules"], more: Partial<Tool> = {}): Family =>
  toolFamily({ kind: "destroy-database", rules, ...more });

const LOGIN = "u user h host P port S socket U username p W password O maintenance-db d dbname";

/** `-h` is the host here, so help is only `--help`. */
const dropsNamed = (what: string): Family => {
  return (command) => {
    const reading = readOptions(
      command.argv.slice(1),
      {
        short: "efih:p:U:wW",
        long: "echo force interactive if-exists host: port: username: no-password password maintenance-db:",
      },
      true,
    );
    const [name] = reading.operands;
    if (!name) return [];
    const certainty = name.known ? {} : { certainty: "possible" as const };
    return [
      effect("destroy-database", command, `drops the ${what} ${name.text}`, {
        target: name.text,
        instead: INSTEAD,
        ...certainty,
      }),
    ];
  };
};

function mysqladmin(command: Command): readonly Effect[] {
  const { operands } = readOptions(command.argv.slice(1), { ...MYSQL_CLIENT }, true);
  const at = operands.findIndex(({ text }) => text === "drop" || text === "shutdown");
  if (at < 0) return [];
  if (operands[at]?.text === "shutdown")
    return [effect("destroy-infrastructure", command, "shuts the database server down")];
  const target = operands[at + 1]?.text ?? "";
  return [effect("destroy-database", command, `drops the database ${target}`, { target, instead: INSTEAD })];
}

export const DATABASES: Readonly<Record<string, Family>> = {
  ...Object.fromEntries(Object.entries(CLIENTS).map(([name, client]) => [name, unlessMade(sqlClient(client))])),
  influx: (command, scene) => [...sqlClient(CLIENTS.influx ?? PSQL)(command, scene), ...INFLUX(command, scene)],
  ...named("mongosh mongo", MONGO),
  mongorestore: destroys([["**", "drops the collections it restores", { needs: "drop", unless: "dryRun" }]]),
  ...named("redis-cli valkey-cli keydb-cli", REDIS),
  ...named("nc ncat netcat telnet", REDIS_WIRE),
  dropdb: unlessMade(dropsNamed("database")),
  dropuser: unlessMade(dropsNamed("user")),
  pg_dropcluster: destroys([["*", "removes the database cluster {}"]]),
  pg_resetwal: destroys([["**", "deletes the write-ahead log of the database", { unless: "n dry-run" }]]),
  pg_restore: pgRestore,
  ...named("mysqladmin mariadb-admin", unlessMade(mysqladmin)),
  ...named(
    "kafka-topics kafka-topics.sh",
    destroys([["**", "deletes a topic with its messages", { needs: "delete" }]], { kind: "destroy-database" }),
  ),
  rabbitmqctl: destroys([
    ["reset|force_reset", "resets the message broker"],
    ["delete_queue|purge_queue|delete_vhost", "removes the messages of {}"],
  ]),
  turso: destroys(
    [
      ["db destroy", "destroys the database {}"],
      ["group destroy", "destroys the group {}"],
    ],
    { values: LOGIN },
  ),
};

function INFLUX(command: Command, scene: Scene): readonly Effect[] {
  return destroys(
    [
      ["bucket|org|user delete", "deletes {}"],
      ["delete", "deletes the points of a bucket"],
      ["restore", "replaces all stored data with a backup", { needs: "full" }],
    ],
    {
      values: "n name o org t token host bucket b start stop i id",
    },
  )(command, scene);
}
