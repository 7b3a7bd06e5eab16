import type { Command } from "../../shell/command.ts";
import { type Effect, effect, type Family, type Scene } from "../effect.ts";
import { scriptEffects } from "../languages/scripts/effects.ts";
import { unreadScript } from "../languages/scripts/long.ts";
import { INSTEAD, sqlEffects } from "../languages/sql/effects.ts";
import { isCut, type SqlToken, sqlTokens } from "../languages/sql/tokens.ts";
import { inputText, textWithHoles } from "../line/line-text.ts";
import { both, has, named, type Rule, readLoosely, type Tool, toolEffects, toolFamily, valuesOf } from "../tool.ts";

const destroys = (rules: readonly Rule[], more: Partial<Tool> = {}): Family =>
  toolFamily({ kind: "destroy-database", rules, ...more });

/** WordPress and Drupal by their command lines: tables, sites and SQL. */
const WP: Tool = {
  kind: "destroy-database",
  values: "path url user http ssh skip-plugins fields format",
  rules: [
    ["db reset|drop|clean", "drops the tables of the site"],
    ["site empty|delete", "deletes the site {} with its content"],
    ["post|user|term|comment|media|menu delete", "deletes {} for good", { needs: "force yes all" }],
    ["plugin|theme delete", "deletes {}", { needs: "all" }],
  ],
};
const DRUSH: Tool = {
  kind: "destroy-database",
  values: "uri l root r database target",
  rules: [
    ["** sql-drop|sql:drop", "drops the tables of the site"],
    ["** site-install|site:install|si", "drops the tables and reinstalls", { needs: "y yes" }],
    ["** entity:delete|edel", "deletes {}"],
    ["** sql-sync|sql:sync", "replaces the database {}", { needs: "y yes" }],
  ],
};

/** SQL after these words. */
function asks(tool: Tool, verbs: RegExp, code?: RegExp): Family {
  return (command, scene) => {
    const words = command.argv.slice(1);
    const { operands } = readLoosely(words, tool.values);
    const at = operands.findIndex(({ text }) => verbs.test(text) || code?.test(text));
    const text = textWithHoles(operands[at + 1]);
    const own = toolEffects(tool, command, words);
    if (at < 0) return own;
    if (code?.test(operands[at]?.text ?? ""))
      return [...own, ...scriptEffects(text ?? "", "php", { command, scene, args: [] })];
    return [...own, ...sqlEffects(text ?? inputText(command, scene) ?? "", {}, command, scene)];
  };
}

/** SurrealQL says REMOVE for DROP, and DELETE without FROM. */
function surreal(command: Command, scene: Scene): readonly Effect[] {
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

/** MySQL's shell speaks SQL, JavaScript and Python. */
function mysqlsh(command: Command, scene: Scene): readonly Effect[] {
  const reading = readLoosely(command.argv.slice(1), "e execute u user h host P port D schema f file uri p password");
  const [given] = valuesOf(reading, "e execute");
  const text = (given ? textWithHoles(given) : inputText(command, scene)) ?? "";
  const drops = /\b(?:dropSchema|drop_schema|dropCollection|drop_collection)\(\s*["'](\w+)/.exec(text);
  if (drops)
    return [effect("destroy-database", command, `drops ${drops[1]}`, { target: drops[1] ?? "", instead: INSTEAD })];
  const other = has(reading, "js javascript py python");
  return other ? [] : sqlEffects(text, { backslash: true, hash: true, meta: "\\" }, command, scene);
}

/** HBase's shell is read from its input: `disable 't'; drop 't'`. */
function hbase(command: Command, scene: Scene): readonly Effect[] {
  if (command.args[0] !== "shell") return [];
  const text = inputText(command, scene) ?? "";
  const found = /(?:^|[;\n])\s*(drop|drop_all|truncate|truncate_preserve|drop_namespace)\s+'([^'\n]+)'/.exec(text);
  return found
    ? [effect("destroy-database", command, `removes the table ${found[2]}`, { target: found[2] ?? "" })]
    : [];
}

/** `echo flush_all | nc host 11211`: memcached has no other client. */
function memcached(command: Command, scene: Scene): readonly Effect[] {
  return /^\s*flush_all\b/m.test(inputText(command, scene) ?? "")
    ? [effect("destroy-database", command, "empties memcached", { target: "flush_all" })]
    : [];
}

/** Calls of ArangoDB's and Couchbase's shells. */
function arangosh(command: Command, scene: Scene): readonly Effect[] {
  const reading = readLoosely(
    command.argv.slice(1),
    "javascript.execute-string server.endpoint server.username server.database",
  );
  const [given] = valuesOf(reading, "javascript.execute-string");
  const text = (given ? textWithHoles(given) : inputText(command, scene)) ?? "";
  return /\bdb\.(?:_dropDatabase|_drop|_truncate|\w+\.(?:drop|truncate))\(/.test(text)
    ? [effect("destroy-database", command, "drops data of the database", { instead: INSTEAD })]
    : [];
}

const KAFKA = destroys(
  [
    ["**", "deletes a topic with its messages", { needs: "delete" }],
    [
      "**",
      "shortens how long a topic keeps its messages",
      { needs: "add-config=retention.ms=1 add-config=retention.ms=0 add-config=retention.ms=1000" },
    ],
  ],
  { values: "bootstrap-server zookeeper topic group entity-type entity-name add-config" },
);

const BQ = destroys(
  [
    ["rm", "removes {}"],
    ["load|query", "replaces the rows of {}", { needs: "replace" }],
    ["cp", "replaces the rows of {}", { needs: "f force" }],
  ],
  { values: "project_id location dataset_id", dry: "dry_run" },
);

function bqQuery(command: Command, scene: Scene): readonly Effect[] {
  const [verb, ...texts] = command.argv.slice(1).filter(({ text }) => !text.startsWith("-"));
  const dry = command.args.some((word) => word === "--dry_run" || word === "--dry_run=true");
  if (verb?.text !== "query" || dry) return [];
  return texts.flatMap((text) =>
    sqlEffects(textWithHoles(text) ?? "", { backslash: true, hash: true }, command, scene),
  );
}

const SQL_WORD =
  (name: string, options: string): Family =>
  (command, scene) => {
    const reading = readLoosely(command.argv.slice(1), options);
    if (name !== "" && reading.operands[0]?.text !== name) return [];
    const texts = valuesOf(reading, options).map(textWithHoles);
    const all = texts.length > 0 ? texts : [inputText(command, scene)];
    return all.flatMap((text) => sqlEffects(text ?? "", {}, command, scene));
  };

/** Stores and schedulers beside the common databases. */
export const DATA_TOOLS: Readonly<Record<string, Family>> = {
  wp: asks(WP, /^query$/, /^eval$/),
  drush: asks(DRUSH, /^(?:sqlq|sql-query|sql:query)$/, /^(?:php-eval|php:eval|ev|eval)$/),
  magento: destroys([["setup:uninstall|setup:rollback", "removes the shop's tables"]]),
  craft: destroys([["db/drop-all-tables|db/drop-table-prefix", "drops the tables of the site"]]),
  bq: both(BQ, bqQuery),
  surreal,
  mysqlsh,
  hbase,
  arangosh,
  arangorestore: destroys([["**", "replaces collections", { needs: "overwrite create-database" }]]),
  ...named("nc ncat netcat telnet", memcached),
  "memcached-tool": destroys([["* flush|flush_all", "empties memcached"]]),
  ...named(
    "memcflush memflush",
    destroys([["**", "empties memcached", { needs: "servers s" }]], { values: "servers s" }),
  ),
  "couchbase-cli": destroys(
    [
      [
        "bucket-delete|bucket-flush|scope-delete|collection-manage",
        "removes data of a bucket",
        { unless: "create-collection list-collections" },
      ],
    ],
    { values: "c cluster u username p password bucket" },
  ),
  cbq: SQL_WORD("", "s script"),
  dolt: both(
    SQL_WORD("sql", "q query"),
    toolFamily({
      kind: "discard-uncommitted",
      rules: [
        ["reset", "discards uncommitted rows", { needs: "hard" }],
        ["branch", "deletes a branch", { needs: "D", kind: "rewrite-history" }],
        ["clean|checkout .|table rm", "removes tables"],
      ],
    }),
  ),
  "sqlite-utils": both(destroys([["drop-table|drop-view", "drops {}"]]), (command, scene) =>
    command.argv.slice(2).flatMap((word) => sqlEffects(textWithHoles(word) ?? "", {}, command, scene)),
  ),
  "isql-fb": (command, scene) => sqlEffects(inputText(command, scene) ?? "", {}, command, scene),
  fdbcli: (command, scene) => {
    const [text] = valuesOf(readLoosely(command.argv.slice(1), "exec C"), "exec");
    return /\bclear(?:range)?\b/.test(textWithHoles(text) ?? inputText(command, scene) ?? "")
      ? [effect("destroy-database", command, "clears a range of keys")]
      : [];
  },
  tiup: destroys([["cluster|playground destroy|clean", "destroys the cluster {}"]]),
  ...named(
    "edgedb gel",
    destroys(
      [
        ["database|branch drop|wipe", "drops {}"],
        ["instance destroy", "destroys the instance {}"],
      ],
      { values: "I instance" },
    ),
  ),
  rpk: destroys(
    [
      ["topic delete|trim-prefix", "deletes the topic {}"],
      ["group delete", "deletes the group {}"],
      ["cluster|cloud delete", "deletes {}"],
    ],
    { values: "X config profile" },
  ),
  confluent: destroys([["** delete", "deletes {}"]]),
  ...named("kafka-consumer-groups kafka-consumer-groups.sh kafka-configs kafka-configs.sh", KAFKA),
  ...named(
    "kafka-delete-records kafka-delete-records.sh",
    destroys([["**", "deletes messages", { needs: "offset-json-file" }]]),
  ),
  patronictl: destroys([["remove|reinit", "removes the data of the cluster {}"]], {
    values: "c config-file d dcs-url",
  }),
  airflow: destroys(
    [
      ["db reset", "drops the scheduler's database"],
      ["db clean", "deletes old rows", { needs: "y yes" }],
      ["dags delete", "deletes the history of {}"],
    ],
    { dry: "dry-run" },
  ),
  superset: destroys([["db downgrade", "takes migrations back"]]),
  prefect: destroys([
    ["** reset", "drops the database"],
    ["** delete", "deletes {}"],
  ]),
  dagster: destroys([
    ["run wipe|delete", "deletes runs"],
    ["asset wipe|wipe-partitions-status-cache", "deletes the records of assets"],
  ]),
  mlflow: destroys([
    ["gc", "deletes runs for good"],
    ["experiments|runs delete", "deletes {}"],
  ]),
  "neo4j-admin": destroys([
    ["database delete|load", "replaces the database {}"],
    ["load", "replaces the database"],
  ]),
  cockroach: destroys([["node decommission", "removes nodes from the cluster"]]),
  hdfs: destroys([["namenode", "formats the file system", { needs: "format" }]]),
  "pt-archiver": destroys([["**", "deletes rows", { needs: "purge", unless: "dry-run" }]], {
    values: "source where limit",
  }),
};
