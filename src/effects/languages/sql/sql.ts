import { TOO_LONG } from "../scripts/long-scripts.ts";
import { isCut, mayRemove, type SqlDialect, type SqlToken, sqlTokens } from "./tokens.ts";

/** What an SQL text would destroy, a line that the client hands to a shell, or a file that it reads. */
export type SqlFinding =
  | { readonly what: "loss"; readonly target: string; readonly why: string }
  | { readonly what: "shell"; readonly text: string }
  | { readonly what: "file"; readonly text: string };

type Loss = Extract<SqlFinding, { what: "loss" }>;

/** Objects that hold data or on which data depends. Views, indexes and code can be created again from their source. */
const DROPPABLE =
  /^(?:TABLE|DATABASE|SCHEMA|KEYSPACE|USER|ROLE|LOGIN|TABLESPACE|OWNED|STREAM|BUCKET|MEASUREMENT|SERIES|SHARD|DICTIONARY|SEQUENCE|EXTERNAL|FOREIGN)$/;
const WITH_CASCADE = /^(?:EXTENSION|TYPE|DOMAIN)$/;
/** `DROP …` in ALTER TABLE that leaves the rows as they are. */
const DROPS_NO_DATA =
  /^(?:CONSTRAINT|INDEX|KEY|FOREIGN|PRIMARY|CHECK|DEFAULT|NOT|IDENTITY|EXPRESSION|UNIQUE|TRIGGER|POLICY)$/;
const MAX_DEPTH = 5;
/** A limit on changes in one statement: each is searched in the whole statement. */
const MAX_VERBS = 50;

export function readSql(text: string, dialect: SqlDialect, depth = 0): readonly SqlFinding[] {
  if (depth > MAX_DEPTH) return [];
  const tokens = sqlTokens(text, dialect);
  if (isCut(tokens)) return mayRemove(text) ? [{ what: "loss", target: "", why: TOO_LONG }] : [];
  const made = new Set<string>();
  const findings: SqlFinding[] = [];
  // What may still be taken back.
  let open: Loss[] | undefined;
  for (const statement of statements(tokens)) {
    const [first, second] = statement.map(upper);
    if (first === "BEGIN" || (first === "START" && second === "TRANSACTION")) {
      findings.push(...(open ?? []));
      open = [];
    } else if (/^(?:ROLLBACK|ABORT)$/.test(first ?? "") && second !== "TO") {
      open = undefined;
    } else if (/^(?:COMMIT|END)$/.test(first ?? "")) {
      findings.push(...(open ?? []));
      open = undefined;
    } else {
      noteMade(statement, made);
      for (const found of statementFindings(statement, dialect, made, depth)) {
        const undone =
          found.what === "loss" && open && !(dialect.schemaCommits && /^(?:drops|empties)/.test(found.why));
        if (undone) open?.push(found);
        else findings.push(found);
      }
    }
  }
  return [...findings, ...(open ?? [])];
}

function statements(tokens: readonly SqlToken[]): readonly (readonly SqlToken[])[] {
  const all: SqlToken[][] = [[]];
  for (const token of tokens) {
    // `\gexec` and `\G` end a statement and belong to it; other lines for the client stand alone.
    if (token.type === "meta" && (all.at(-1)?.length ?? 0) === 0) all.push([token], []);
    else if (token.type === "meta") {
      all.at(-1)?.push(token);
      all.push([]);
    } else if (token.type === "end" || (token.type === "word" && /^go$/i.test(token.text))) all.push([]);
    else all.at(-1)?.push(token);
  }
  return all.filter((one) => one.length > 0);
}

function statementFindings(
  statement: readonly SqlToken[],
  dialect: SqlDialect,
  made: ReadonlySet<string>,
  depth: number,
): readonly SqlFinding[] {
  const words = statement.map(upper);
  const [first] = words;
  const meta = statement.find((token) => token.type === "meta")?.text ?? "";
  const shell = /^(?:\\!|\.(?:shell|system))\s*(.+)$/.exec(meta)?.[1];
  if (shell) return [{ what: "shell", text: shell }];
  const file = /^(?:\\(?:i|ir|include|include_relative|\.)|\.read)\s+['"]?([^'";]+)/.exec(meta)?.[1];
  if (file) return [{ what: "file", text: file.trim() }];
  if (/^\\gexec\b/.test(meta)) return generated(statement);
  if (/^\.(?:restore\s|open\s+(?:.*\s)?--?new\b)/.test(meta))
    return [{ what: "loss", target: "", why: "replaces this database with another one" }];
  if (first === "EXPLAIN") return explained(statement, dialect, made, depth);
  if (first === "DO" || first === "EXECUTE" || first === "EXEC") return inStrings(statement, dialect, depth);
  if (first === "COPY" && words.includes("PROGRAM")) {
    const program = statement[words.indexOf("PROGRAM") + 1];
    return program?.type === "string" ? [{ what: "shell", text: program.text }] : [];
  }
  if (first === "WITH") return losses(statement, words, made, ["DELETE", "UPDATE"]);
  return loss(statement, words, 0, made);
}

function losses(
  statement: readonly SqlToken[],
  words: readonly string[],
  made: ReadonlySet<string>,
  verbs: readonly string[],
): readonly SqlFinding[] {
  let seen = 0;
  return words.flatMap((word, at) => {
    const afterFor = /^(?:FOR|ON|DO|KEY)$/.test(words[at - 1] ?? "");
    return verbs.includes(word) && !afterFor && ++seen < MAX_VERBS ? loss(statement, words, at, made) : [];
  });
}

function loss(tokens: readonly SqlToken[], words: readonly string[], at: number, made: ReadonlySet<string>): Loss[] {
  switch (words[at]) {
    case "DROP":
      return dropped(tokens, words, at, made);
    case "TRUNCATE": {
      const name = nameAt(tokens, words, at + 1, /^(?:TABLE|ONLY|IF|EXISTS)$/);
      return made.has(name.toUpperCase()) ? [] : [{ what: "loss", target: name, why: `empties the table ${name}` }];
    }
    case "DELETE":
      return deleted(tokens, words, at, made);
    case "RESET":
    case "PURGE":
      return /^(?:MASTER|BINARY)$/.test(words[at + 1] ?? "")
        ? [{ what: "loss", target: "the binary log", why: "deletes the log that is needed to restore data" }]
        : [];
    case "UPDATE":
      return updated(tokens, words, at, made);
    case "ALTER":
      return altered(tokens, words, at);
    default:
      return [];
  }
}

function dropped(tokens: readonly SqlToken[], words: readonly string[], at: number, made: ReadonlySet<string>): Loss[] {
  const object = words[at + 1] ?? "";
  const kind = object === "EXTERNAL" || object === "FOREIGN" ? (words[at + 2] ?? "") : object;
  const heavy = DROPPABLE.test(kind) || (WITH_CASCADE.test(kind) && words.includes("CASCADE"));
  const view = object === "MATERIALIZED" || /^(?:TEMP|TEMPORARY)$/.test(object);
  if (!heavy || view) return [];
  const name = nameAt(tokens, words, at + 2, /^(?:IF|EXISTS|TABLE|BY|CONCURRENTLY)$/);
  // What is temporary goes with the connection.
  if (made.has(name.toUpperCase()) || /^"?pg_temp/i.test(name)) return [];
  return [
    {
      what: "loss",
      target: name,
      why: `drops ${kind === "OWNED" ? "everything of" : `the ${kind.toLowerCase()}`} ${name}`,
    },
  ];
}

function deleted(tokens: readonly SqlToken[], words: readonly string[], at: number, made: ReadonlySet<string>): Loss[] {
  const scope = scopeOf(words, at);
  const from = scope.words.indexOf("FROM");
  // T-SQL and Oracle may leave FROM out.
  const name = nameAt(tokens, words, from < 0 ? at + 1 : at + from + 1, /^(?:ONLY)$/);
  if (name === "" || made.has(name.toUpperCase()) || !reachesAll(scope)) return [];
  return [{ what: "loss", target: name, why: `deletes every row of ${name}` }];
}

function updated(tokens: readonly SqlToken[], words: readonly string[], at: number, made: ReadonlySet<string>): Loss[] {
  const scope = scopeOf(words, at);
  const name = nameAt(tokens, words, at + 1, /^(?:ONLY|LOW_PRIORITY|IGNORE|OR|REPLACE)$/);
  if (!scope.words.includes("SET") || made.has(name.toUpperCase()) || !reachesAll(scope)) return [];
  return [{ what: "loss", target: name, why: `changes every row of ${name}` }];
}

function altered(tokens: readonly SqlToken[], words: readonly string[], at: number): Loss[] {
  if (words[at + 1] !== "TABLE" && words[at + 1] !== "FOREIGN") return [];
  const name = nameAt(tokens, words, at + 2, /^(?:IF|EXISTS|ONLY|TABLE)$/);
  const scope = scopeOf(words, at);
  const drop = scope.words.findIndex(
    (word, index) => word === "DROP" && !DROPS_NO_DATA.test(scope.words[index + 1] ?? "") && scope.words[index + 1],
  );
  if (drop >= 0) {
    const what = nameAt(tokens, words, at + drop + 1, /^(?:COLUMN|IF|EXISTS|PARTITION)$/);
    return [{ what: "loss", target: `${name}.${what}`, why: `drops ${what} of the table ${name} with its data` }];
  }
  const removes = scope.words.indexOf("DELETE");
  if (removes < 0 || !reachesAll({ words: scope.words.slice(removes) })) return [];
  return [{ what: "loss", target: name, why: `deletes every row of ${name}` }];
}

interface Scope {
  /** The words of one statement or of one bracket, what stands in deeper brackets left out. */
  readonly words: readonly string[];
}

function scopeOf(words: readonly string[], at: number): Scope {
  let depth = 0;
  const own: string[] = [];
  for (const word of words.slice(at)) {
    if (word === ")" && --depth < 0) break;
    // What begins or ends a statement inside brackets is not this statement's.
    own.push(depth > 0 && /^(?:WHERE|FROM|SET|DROP|DELETE|JOIN|OR)$/.test(word) ? "" : word);
    if (word === "(") depth++;
  }
  return { words: own };
}

/** Whether no condition holds anything back. */
function reachesAll({ words }: Scope): boolean {
  const where = words.indexOf("WHERE");
  if (where < 0) return !words.includes("JOIN");
  const rest = words.slice(where + 1);
  const end = rest.findIndex((word) => /^(?:RETURNING|LIMIT|ORDER|OPTION|;)$/.test(word));
  const condition = end < 0 ? rest : rest.slice(0, end);
  return alternatives(condition).some(alwaysTrue);
}

function alternatives(condition: readonly string[]): readonly (readonly string[])[] {
  const parts: string[][] = [[]];
  for (const word of condition) {
    if (word === "OR") parts.push([]);
    else parts.at(-1)?.push(word);
  }
  return parts;
}

function alwaysTrue(words: readonly string[]): boolean {
  const text = words.join(" ");
  if (/^(?:TRUE|NOT FALSE|[1-9]\d*)$/.test(text)) return true;
  const [, bracketed] = /^\( (.*) \)$/.exec(text) ?? [];
  if (bracketed !== undefined) return alwaysTrue(bracketed.split(" "));
  const [, left, right] = /^(\S+) (?:=|= =|< =|> =) (\S+)$/.exec(text) ?? [];
  if (left !== undefined && left === right) return true;
  return /^\S*ID (?:IS NOT NULL|> 0|> = 0|> - 1|LIKE '%')$/.test(text);
}

/** What EXPLAIN ANALYZE explains, it also runs. */
function explained(statement: readonly SqlToken[], dialect: SqlDialect, made: ReadonlySet<string>, depth: number) {
  const words = statement.map(upper);
  const verb = words.findIndex((word) => /^(?:DELETE|UPDATE|WITH)$/.test(word));
  if (verb < 0 || !words.slice(0, verb).includes("ANALYZE")) return [];
  return statementFindings(statement.slice(verb), dialect, made, depth + 1);
}

/** A block of code, or a text made to be run. */
function inStrings(statement: readonly SqlToken[], dialect: SqlDialect, depth: number): readonly SqlFinding[] {
  const shell = statement.some((token) => upper(token) === "XP_CMDSHELL");
  return statement
    .filter((token) => token.type === "string")
    .flatMap((token): readonly SqlFinding[] =>
      shell ? [{ what: "shell", text: token.text }] : readBlock(token.text, dialect, depth + 1),
    );
}

function readBlock(text: string, dialect: SqlDialect, depth: number): readonly SqlFinding[] {
  const tokens = sqlTokens(text, dialect);
  if (isCut(tokens)) return mayRemove(text) ? [{ what: "loss", target: "", why: TOO_LONG }] : [];
  return statements(tokens).flatMap((statement) => {
    const words = statement.map(upper);
    const executes = words.indexOf("EXECUTE");
    const begins = words.findIndex((word) => /^(?:DROP|TRUNCATE|DELETE|UPDATE|ALTER)$/.test(word));
    if (executes >= 0) {
      const written = inStrings(statement.slice(executes), dialect, depth);
      return written.length > 0 ? written : generated(statement);
    }
    return begins < 0 ? [] : loss(statement, words, begins, new Set());
  });
}

/** `SELECT 'DROP TABLE ' || name …`: statements that the text builds. */
function generated(statement: readonly SqlToken[]): readonly SqlFinding[] {
  const built = statement.find(
    (token) =>
      token.type === "string" && /^\s*(?:drop\s+(?:table|schema|database)|truncate|delete\s+from)\b/i.test(token.text),
  );
  return built ? [{ what: "loss", target: "", why: "builds and runs statements that destroy data" }] : [];
}

/** Names that the text itself makes from nothing, so that nothing is lost with them. */
function noteMade(statement: readonly SqlToken[], made: Set<string>): void {
  const words = statement.map(upper);
  if (words[0] !== "CREATE") return;
  const object = words.findIndex((word) => /^(?:TABLE|DATABASE|SCHEMA|USER|ROLE)$/.test(word));
  const temporary = words.slice(0, Math.max(object, 0)).some((word) => /^(?:TEMP|TEMPORARY|UNLOGGED)$/.test(word));
  if (object < 0 || (words[object + 1] === "IF" && !temporary)) return;
  made.add(nameAt(statement, words, object + 1, /^(?:IF|NOT|EXISTS)$/).toUpperCase());
}

/** The name that begins at a place, after words that are no part of it. */
function nameAt(tokens: readonly SqlToken[], words: readonly string[], at: number, skipped: RegExp): string {
  let from = at;
  while (from < tokens.length && tokens[from]?.type === "word" && skipped.test(words[from] ?? "")) from++;
  let name = tokens[from]?.type === "mark" ? "" : (tokens[from]?.text ?? "");
  while (tokens[from + 1]?.text === "." && tokens[from + 2]) {
    name += `.${tokens[from + 2]?.text}`;
    from += 2;
  }
  return name;
}

function upper(token: SqlToken): string {
  if (token.type === "word" || token.type === "number") return token.text.toUpperCase();
  if (token.type === "string") return `'${token.text}'`;
  return token.type === "mark" ? token.text : `"${token.text}"`;
}
