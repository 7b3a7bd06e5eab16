import type { Command } from "../shell/command.ts";
import type { Effect, Scene } from "./effect.ts";
import { tableNamesOf } from "./families.ts";
import { genericEffects, isOthers } from "./unknown-tools.ts";

/** Tables of programs that look after data or machines, where `thing delete name` is worth a question. */
export const SERVICE_TABLES: readonly string[] =
  "databases stores dataTools storage migrations containers clouds platforms".split(" ");

/** Tables for whose programs the generic check would be wrong, and why. */
export const EXEMPT_TABLES: Readonly<Record<string, string>> = {
  deleting: "their words are files",
  replacing: "their words are files",
  putting: "their words are files",
  emptying: "their words are files and edits",
  unpacking: "their words are archives and files",
  compiled: "their words are sources",
  system: "their words are processes, services, accounts and files",
  schedules: "their words are times and jobs",
  packages: "what they remove is installed again",
  givenShells: "their words are addresses",
  runners: "their words are packages and scripts",
  git: "what it removes is a file, a name or a commit, each with a rule of its own",
  gitPatches: "their words are files",
  otherVcs: "what they remove is a file, a name or a commit, each with a rule of its own",
  otherScripts: "their words are for the script that they run",
  interpreters: "their words are for the script that they run",
  requests: "their words are addresses and data",
  powershell: "their text is read as a language of its own",
  oldWindows: "their text is read as a language of its own",
  windowsTools: "their options begin with a slash, and each has a rule of its own",
};

/** Programs of the other tables for which it would be wrong, by why. */
export const EXEMPT_PROGRAMS: readonly (readonly [why: string, programs: string])[] = [
  [
    "every word is a statement or the name of a database, and is read as such",
    `psql pgcli usql ysqlsh mysql mariadb mycli clickhouse clickhouse-client sqlcmd hive beeline trino presto spark-sql
    impala-shell cqlsh ycqlsh sqlite3 litecli duckdb snowsql sqlplus db2 mongosh mongo redis-cli valkey-cli keydb-cli
    cypher-shell arangosh mysqlsh cbq isql-fb fdbcli hbase sqlite-utils surreal`,
  ],
  ["every word is the name of what the program itself drops", "dropdb dropuser ldapdelete"],
  [
    "they take options and files, no subcommands",
    "mongorestore pg_restore memcflush memflush pt-archiver lftp fab dsh",
  ],
  ["their words are an address", "nc ncat netcat telnet"],
  ["their words are a command, which is read by itself", "wsl wsl.exe"],
  ["without its option for live data it works in a sandbox, and with it there are rules", "stripe"],
  [
    "images, networks and stopped containers are made again, and what holds data has a rule",
    "docker podman nerdctl buildah docker-compose podman-compose",
  ],
  [
    "their words are tasks of the project",
    `npm pnpm yarn bun deno node tsx ts-node php python python3 py ruby symfony mvn mvnw gradle gradlew sbt lein
    rush lerna mix rebar3 rake fastlane manage.py django-admin flask artisan console sail hanami stack cabal swift dart
    flutter`,
  ],
  [
    "their words are packages",
    `twine flit hatch rye gem conan pod luarocks opam nimble jsr elm gleam maturin choco anaconda ansible-galaxy cli`,
  ],
];

const exempt = new Set(EXEMPT_PROGRAMS.flatMap(([, programs]) => programs.split(/\s+/)));

/** Whether the words of a program say nothing to anyone but its own rules. */
export function isExempt(program: string): boolean {
  if (exempt.has(program) || isOthers(program)) return true;
  return tableNamesOf(program).every((table) => Object.hasOwn(EXEMPT_TABLES, table));
}

/**
 * A program that some family knows, with a line that none of its rules fits: knowing the program must not make the
 * guard blinder than not knowing it.
 */
export function unmatchedLine(program: string, command: Command, scene: Scene): readonly Effect[] {
  if (isExempt(program)) return [];
  const isService = tableNamesOf(program).some((table) => SERVICE_TABLES.includes(table));
  return genericEffects(command, scene, isService ? "service" : "known");
}
