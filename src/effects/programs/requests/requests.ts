import type { Command, Word } from "../../../shell/command.ts";
import { type Effect, effect, type Scene } from "../../effect.ts";
import { sqlEffects } from "../../languages/sql/effects.ts";
import { deletedAddress, deletedAt, isWholeResource } from "../../line/addresses.ts";
import { textWithPlaceholders } from "../../line/line-text.ts";
import { readLoosely, valuesOf } from "../../loose-options.ts";

/** Databases that take statements over HTTP. */
const TAKES_SQL = /:8123\b|:8086\/query\b|:9000\/exec\b|:4000\/v1\/sql\b|:4001\/db\/execute\b|:8000\/sql\b/;
/** What a service calls a mutation that takes something away for good, in either order of its two words. */
const THING =
  "(?:project|volume|service|environment|database|repository|app|instance|cluster|site|bucket|server|machine)";
const THING_FIRST = new RegExp(`${THING}(?:delete|destroy|remove|terminate)$`, "i");
const THING_LAST = new RegExp(`${THING}$`, "i");
const TAKING = /^(?:delete|destroy|remove|terminate)/i;
const OPTIONS =
  "X request H header u user A user-agent b cookie d data data-raw data-binary data-urlencode data-ascii json o output w write-out url m max-time connect-timeout retry cacert cert key a auth session timeout verify proxy";

/** What a request deletes: by its method, its address or its body. */
export function requests(command: Command, scene: Scene): readonly Effect[] {
  const isCurl = command.program === "curl";
  const reading = readLoosely(
    command.argv.slice(1),
    isCurl ? OPTIONS : "a auth o output session timeout verify proxy A auth-type",
  );
  const [method] = isCurl ? valuesOf(reading, "X request") : reading.operands;
  const addresses = [...reading.operands, ...valuesOf(reading, "url")];
  const bodies = isCurl
    ? valuesOf(reading, "d data data-raw data-binary data-urlencode data-ascii json")
    : reading.operands.slice(2);
  const emptied = addresses.find(({ text }) => /\/_delete_by_query\b/.test(text));
  if (emptied && bodies.some(({ text }) => text.includes("match_all")))
    return [effect("destroy-database", command, "deletes every document", { target: emptied.text })];
  const solr = addresses.find(({ text }) => /\/solr\/\S+/.test(text));
  if (
    solr &&
    [solr, ...bodies].some(({ text }) => /<query>\*:\*<\/query>|deleteInstanceDir=true|action=DELETE\b/.test(text))
  )
    return [effect("destroy-database", command, "deletes every document", { target: solr.text })];
  const server = addresses.find(({ text }) => TAKES_SQL.test(text));
  if (server) return [...bodies, ...asked(server)].flatMap((word) => sqlEffects(statement(word), {}, command, scene));
  const graph = addresses.find(({ text }) => /\/graphql\b/.test(text));
  const mutation = graph && bodies.find(({ text }) => takesAway(text));
  if (mutation)
    return [effect("destroy-infrastructure", command, `deletes data with ${graph.text}`, { target: graph.text })];
  if (method?.text.toUpperCase() !== "DELETE") return [];
  return addresses.filter(({ text }) => isWholeResource(text)).map(({ text }) => deletedAt(text, command));
}

function takesAway(text: string): boolean {
  const words: readonly string[] = text.match(/\w+/g) ?? [];
  return (
    words.includes("mutation") &&
    words.some((word) => THING_FIRST.test(word) || (TAKING.test(word) && THING_LAST.test(word)))
  );
}

/** `q=DROP …` of a form is the statement. */
function statement(word: Word): string {
  return (textWithPlaceholders(word) ?? "").replace(/^(?:q|query|sql)=/, "");
}

/** Statements in the address itself. */
function asked({ text }: Word): readonly Word[] {
  const [, query] = /[?&](?:q|query)=([^&]*)/.exec(text) ?? [];
  return query === undefined ? [] : [{ text: query.replace(/\+|%20/g, " ").replaceAll("%3B", ";"), known: true }];
}

export function wgetRequests(command: Command): readonly Effect[] {
  const reading = readLoosely(
    command.argv.slice(1),
    "method header body-data body-file O output-document user password",
  );
  const words = [...valuesOf(reading, "method"), ...reading.operands];
  const address = deletedAddress(words.map(({ text }) => text));
  return address === undefined ? [] : [deletedAt(address, command)];
}
