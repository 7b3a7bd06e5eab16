import type { Command, Word } from "../../shell/command.ts";
import { isGeneratedName } from "../../shell/expand/temporary-names.ts";
import { type OptionSpec, readOptions } from "../../shell/options.ts";
import { hasPlaceholder, PLACEHOLDERS } from "../../shell/placeholders.ts";
import type { Shell } from "../../shell/shell.ts";
import { type Effect, type Family, KNOWN_HARMLESS, type Scene } from "../effect.ts";
import { lineIndex } from "../line/line-index.ts";
import { succeededBefore } from "../line/succeeded.ts";

/** createdb, dropdb and psql, and what all need to know to reach a server. */
const CREATES: OptionSpec = {
  short: "eD:E:l:O:S:T:h:p:U:wWfi",
  long: "echo tablespace: encoding: locale: owner: strategy: template: host: port: username: no-password password maintenance-db: force if-exists interactive",
};
const SENDS: OptionSpec = {
  short: "c:d:h:p:U:qXAtw",
  long: "command: dbname: host: port: username: quiet no-psqlrc no-password",
};
const ADMIN: OptionSpec = { short: "fsh:P:u:p::S:", long: "force silent host: port: user: password:: socket:" };
const STATEMENT =
  /^\s*(create|drop)\s+(database|schema|table|user|role)\s+(?:if\s+exists\s+)?(["`\w.\uf000-\uf0ff-]+)(.*)$/is;
const REACHES = "h host p port U username maintenance-db".split(" ");
/** Further back nobody looks: long lines must stay cheap. */
const MAX_EARLIER = 50;
/** Variables that select another server. */
const LEADS = /^(?:PG|MYSQL)/;

/** Drops losses of databases and users that the line itself created, which fails if they exist already. */
export function unlessCreatedByLine(family: Family): Family {
  return (command, scene) => {
    const effects = family(command, scene);
    return effects.length > 0 && effects.every((one) => isCreated(one, scene)) ? KNOWN_HARMLESS : effects;
  };
}

function isCreated({ kind, by }: Effect, { shell }: Scene): boolean {
  if (kind !== "destroy-database") return false;
  const { positions } = lineIndex(shell);
  const end = positions.get(by) ?? 0;
  // A trap runs after the whole line.
  const until = by.within.includes("trap") ? undefined : end;
  const lost = by.within.includes("trap") ? withValues(by, shell) : by;
  const isMaker = (one: Command, mayHaveFailed: boolean) =>
    launched(one) === launched(by) &&
    settings(one) === settings(by) &&
    (isSame(one, lost, mayHaveFailed) || isOpposite(one, lost, mayHaveFailed)) &&
    !shell.commands.slice((positions.get(one) ?? 0) + 1, until).some(leadsElsewhere);
  return (
    succeededBefore(by, shell).some((one) => isMaker(one, false)) ||
    shell.commands.slice(Math.max(0, end - MAX_EARLIER), end).some((one) => isMaker(one, true))
  );
}

/** The object that is created or dropped, and its server. */
interface Thing {
  readonly verb: string;
  readonly what: string;
  readonly name: string;
  /** The name is generated, so nothing older has it, even if the creation failed. */
  readonly fresh: boolean;
  readonly server: string;
}

/** `createdb x` and `dropdb x`, the same sent by psql, or both done by mysqladmin. */
function isSame(one: Command, other: Command, mayHaveFailed: boolean): boolean {
  const [made, lost] = [thing(one), thing(other)];
  if (made?.verb !== "create" || lost?.verb !== "drop" || (mayHaveFailed && !made.fresh)) return false;
  return made.what === lost.what && made.name === lost.name && made.server === lost.server;
}

function thing(command: Command): Thing | undefined {
  const [, verb, what] = /^(create|drop)(db|user)$/.exec(command.program ?? "") ?? [];
  if (verb !== undefined) return named(command, verb, what === "db" ? "database" : "user");
  if (command.program === "psql") return sent(command);
  return /^(?:mysql|mariadb-)admin$/.test(command.program ?? "") ? administered(command) : undefined;
}

function named({ argv }: Command, verb: string, what: string): Thing | undefined {
  const { operands, given, doubtful } = readOptions(argv.slice(1), CREATES, true);
  const name = sureText(operands[0]);
  if (doubtful || name === undefined) return undefined;
  return { verb, what, name, fresh: isFresh(operands[0]), server: `postgres ${values(given, REACHES)}` };
}

/** A client whose server is set by options alone: a connection string may name another server. */
function sent({ argv }: Command): Thing | undefined {
  const { operands, given, doubtful } = readOptions(argv.slice(1), SENDS, true);
  const [text, more] = [...(given.get("c") ?? []), ...(given.get("command") ?? [])];
  const databases = [...operands, ...(given.get("d") ?? []), ...(given.get("dbname") ?? [])];
  const isLed = databases.some((word) => !/^[\w-]+$/.test(sureText(word)?.replace(PLACEHOLDERS, "") ?? "="));
  const found = text && more === undefined && !doubtful && !isLed ? statement(text) : undefined;
  // A table of the same name may be in another database.
  return found?.what !== "database" ? undefined : { ...found, server: `postgres ${values(given, REACHES)}` };
}

function administered({ argv }: Command): Thing | undefined {
  const { operands, given, doubtful } = readOptions(argv.slice(1), ADMIN, true);
  const [verb, , more] = operands;
  const name = sureText(operands[1]);
  if (doubtful || !verb?.known || name === undefined || more) return undefined;
  const server = `mysql ${values(given, [...given.keys()].filter((key) => !/^(?:f|force|s|silent)$/.test(key)).sort())}`;
  return { verb: verb.text, what: "database", name, fresh: isFresh(operands[1]), server };
}

function values(given: ReturnType<typeof readOptions>["given"], options: readonly string[]): string {
  return options.map((option) => `${option}=${given.get(option)?.map((word) => word?.text)}`).join();
}

/** The same client with the same words but for one, which makes the thing here and drops it there. */
function isOpposite(one: Command, other: Command, mayHaveFailed: boolean): boolean {
  if (one.program !== other.program || one.argv.length !== other.argv.length) return false;
  const [mine, its] = [one.argv.map(sureText), other.argv.map(sureText)];
  const different = mine.flatMap((text, at) => (text === its[at] ? [] : [at]));
  const [at, more] = different;
  if (at === undefined || more !== undefined || mine.includes(undefined)) return false;
  const [made, lost] = [one.argv[at], other.argv[at]].map((word) => word && statement(word));
  if (made?.verb === "create" && lost?.verb === "drop")
    return made.name === lost.name && (made.fresh || !mayHaveFailed);
  return !mayHaveFailed && mine[at] === "create" && its[at] === "drop";
}

/** One statement alone: after a failed one a client may go on. */
function statement(word: Word): Omit<Thing, "server"> | undefined {
  const text = (sureText(word) ?? "").trim().replace(/;$/, "");
  const [, verb = "", what = "", name = "", rest = ""] = STATEMENT.exec(text) ?? [];
  if (name === "" || text.includes(";") || (text.includes(",") && /^drop/i.test(text))) return undefined;
  const fresh = isFresh(word) && !hasPlaceholder(rest);
  const plain = name.toLowerCase().replace(/^"([^"]*)"$/, "$1");
  return { verb: verb.toLowerCase(), what: what.toLowerCase(), name: plain, fresh };
}

/** With a private character for each unknown piece; only where one of them makes the name a new one. */
export function sureText(word: Word | undefined): string | undefined {
  if (!word || word.known) return word?.text;
  return word.fresh && !word.many && !word.glob ? word.shape : undefined;
}

export function isFresh(word: Word | undefined): boolean {
  return word?.known ? isGeneratedName(word.text) : word?.fresh === true;
}

export function settings({ assignments }: Command): string {
  return assignments.map(({ name, value }) => `${name}=${"text" in value ? value.text : ""}`).join(" ");
}

/** `export PGHOST=…`: the same words mean another server from here on. */
function leadsElsewhere({ program, argv, assignments }: Command): boolean {
  if (argv.length === 0) return assignments.some(({ name }) => LEADS.test(name));
  return /^(?:export|declare|typeset|readonly)$/.test(program ?? "") && argv.some(({ text }) => LEADS.test(text));
}

/** What starts it, without its own words: `docker exec db`. */
export function launched({ via, argv }: Command): string {
  if (!via) return "";
  // A trap and a call of a function start nothing elsewhere.
  if (via.program === "trap" || via.program === "") return launched(via);
  const own = via.argv.slice(0, Math.max(0, via.argv.length - argv.length));
  return `${launched(via)} ${own.map(({ text }) => text).join(" ")}`;
}

const VARIABLE = /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?::?\?[^{}$`]*)?\})$/;

/** For a trap: a variable that the line sets only once has that value whenever the trap runs. */
function withValues(command: Command, shell: Shell): Command {
  const argv = command.argv.map((word) => {
    const [, bare, braced] = (word.known ? undefined : VARIABLE.exec(word.text)) ?? [];
    const name = bare ?? braced;
    return (name === undefined ? undefined : onlyValue(name, shell)) ?? word;
  });
  return { ...command, argv };
}

function onlyValue(name: string, { commands, loops }: Shell): Word | undefined {
  const given = commands.flatMap(({ assignments }) => assignments.filter((one) => one.name === name));
  const [only, more] = given;
  if (!only || more || only.append || !("text" in only.value) || loops.has(name)) return undefined;
  // Whatever else speaks of the name may set it: read, unset, a reference; or a script that is not on the line.
  const named = new RegExp(`(?<![$\\w{])${name}\\b`);
  const mayChange = commands.some(
    ({ program, argv, uncertain }) =>
      uncertain.includes("program") ||
      /^(?:eval|source|\.)$/.test(program ?? "") ||
      argv.some(({ text }) => named.test(text) && !(program === "export" && text === name)),
  );
  return mayChange ? undefined : only.value;
}
