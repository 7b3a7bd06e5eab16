import { type Command, textOf, type Word } from "../command.ts";
import { type OptionSpec, readOptions } from "../options.ts";
import type { Effect, Family, Scene } from "./effect.ts";
import { succeededBefore } from "./succeeded.ts";

/** createdb and dropdb, and what both need to know to reach a server. */
const CREATES: OptionSpec = {
  short: "eD:E:l:O:S:T:h:p:U:wWfi",
  long: "echo tablespace: encoding: locale: owner: strategy: template: host: port: username: no-password password maintenance-db: force if-exists interactive",
};
const REACHES = "h host p port U username maintenance-db".split(" ");
const STATEMENT = /^\s*(create|drop)\s+(?:database|schema|table|user|role)\s+(?:if\s+exists\s+)?(["`\w.-]+)/i;
const MAKERS: Readonly<Record<string, string>> = { dropdb: "createdb", dropuser: "createuser" };

/** Without what the line itself made before: it cannot be made where there is one already. */
export function unlessMade(family: Family): Family {
  return (command, scene) => {
    const effects = family(command, scene);
    return effects.length > 0 && effects.every((one) => isMade(one, scene)) ? [] : effects;
  };
}

function isMade({ kind, by }: Effect, scene: Scene): boolean {
  if (kind !== "destroy-database") return false;
  const { program = "" } = by;
  const maker = MAKERS[program] ?? program;
  const earlier = succeededBefore(by, scene.shell).filter(
    (one) => one.program === maker && launched(one) === launched(by),
  );
  return earlier.length > 0 && earlier.some((one) => (maker === program ? isOpposite(one, by) : isSame(one, by)));
}

/** `createdb x`, `dropdb x` */
function isSame(one: Command, other: Command): boolean {
  const [made, lost] = [one, other].map(({ argv }) => readOptions(argv.slice(1), CREATES, true));
  const name = textOf(made?.operands[0]);
  if (!made || !lost || made.doubtful || name === undefined || name !== textOf(lost.operands[0])) return false;
  const reached = ({ given }: typeof made) =>
    REACHES.map((option) => given.get(option)?.map((word) => word?.text)).join();
  return reached(made) === reached(lost) && settings(one) === settings(other);
}

/** The same client with the same words but for one, which makes the thing here and drops it there. */
function isOpposite(one: Command, other: Command): boolean {
  if (one.argv.length !== other.argv.length || settings(one) !== settings(other)) return false;
  const different = one.argv.flatMap((word, at) => (word.text === other.argv[at]?.text ? [] : [at]));
  const [at, more] = different;
  if (at === undefined || more !== undefined || !one.argv.every(({ known }) => known)) return false;
  const [made, lost] = [one.argv[at], other.argv[at]].map((word) => word && statement(word));
  if (made?.verb === "create" && lost?.verb === "drop") return made.name === lost.name;
  return one.argv[at]?.text === "create" && other.argv[at]?.text === "drop";
}

/** One statement alone: after a failed one a client may go on. */
function statement({ text }: Word): { verb: string; name: string } | undefined {
  const [, verb = "", name = ""] = STATEMENT.exec(text) ?? [];
  const rest = text.trim().replace(/;$/, "");
  return name === "" || rest.includes(";") || (rest.includes(",") && /^\s*drop/i.test(rest))
    ? undefined
    : { verb: verb.toLowerCase(), name: name.toLowerCase() };
}

function settings({ assignments }: Command): string {
  return assignments.map(({ name, value }) => `${name}=${"text" in value ? value.text : ""}`).join(" ");
}

/** What starts it, without its own words: `docker exec db`. */
function launched({ via, argv }: Command): string {
  if (!via) return "";
  const own = via.argv.slice(0, Math.max(0, via.argv.length - argv.length));
  return `${launched(via)} ${own.map(({ text }) => text).join(" ")}`;
}
