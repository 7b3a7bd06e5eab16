import { posix } from "node:path";
import { ACTIONS } from "./actions.ts";
import type { ScriptToken } from "./tokens.ts";

export function moduleName(text: string): string {
  return text.replace(/^node:/, "").replace(/^(?:fs-extra|graceful-fs|fs\/promises)$/, "fs");
}

/** import a.b as c, d; from a import b as c */
export function pythonImports(tokens: readonly ScriptToken[], aliases: Map<string, string>): void {
  for (let at = 0; at < tokens.length; at++) {
    if (tokens[at]?.text !== "import" || tokens[at]?.type !== "name") continue;
    const from = sourceBefore(tokens, at);
    // from a import *
    if (from !== "" && tokens[at + 1]?.text === "*")
      for (const known of ACTIONS.python.keys())
        if (known.startsWith(from)) aliases.set(known.slice(from.length), known);
    let name = "";
    let next = at + 1;
    for (; next < tokens.length; next++) {
      const { type, text } = tokens[next] ?? { type: "line", text: "" };
      if (text === "as") aliases.set(tokens[++next]?.text ?? "", from + name);
      else if (type === "name" || text === ".") name += text;
      else if (text === "," || type === "line" || text === ";" || text === ")") {
        if (from !== "" && name !== "" && tokens[next - 2]?.text !== "as") aliases.set(name, from + name);
        name = "";
        if (text === ";" || type === "line") break;
      } else if (text !== "(") break;
    }
    if (from !== "" && name !== "" && tokens.at(-2)?.text !== "as") aliases.set(name, from + name);
    // What this one has gone over belongs to no other.
    at = next - 1;
  }
}

/** In tokens: what belongs to an import or a loop stands right before it. */
const LONGEST_WAY_BACK = 60;

function sourceBefore(tokens: readonly ScriptToken[], at: number): string {
  let name = "";
  let back = at - 1;
  const first = Math.max(0, at - LONGEST_WAY_BACK);
  for (; back >= first && (tokens[back]?.type === "name" || tokens[back]?.text === "."); back--) {
    if (tokens[back]?.text === "from") return `${name}.`;
    name = (tokens[back]?.text ?? "") + name;
  }
  return "";
}

/** In tokens: more names than these are imported by nobody at once. */
const LONGEST_IMPORT = 400;

/** import x, { a as b } from "m"; import * as x from "m" */
export function jsImports(tokens: readonly ScriptToken[], aliases: Map<string, string>): void {
  tokens.forEach((token, at) => {
    if (token.text !== "import" || token.type !== "name") return;
    if (tokens[at + 1]?.text === "(") {
      importedLater(tokens, at, aliases);
      return;
    }
    let end = at + 1;
    while (end < tokens.length && end <= at + LONGEST_IMPORT && tokens[end]?.type !== "string") end++;
    if (tokens[end]?.type !== "string" || tokens[end - 1]?.text !== "from") return;
    noteNames(tokens.slice(at + 1, end - 1), moduleName(tokens[end]?.text ?? ""), aliases);
  });
}

/** import("m").then(x => …), import("m").then(({ a: b }) => …) */
function importedLater(tokens: readonly ScriptToken[], at: number, aliases: Map<string, string>): void {
  const module = tokens[at + 2];
  const called = tokens.slice(at + 3, at + 7).map(({ text }) => text);
  if (module?.type !== "string" || called.join("") !== ").then(") return;
  const rest = tokens.slice(at + 7, at + 7 + LONGEST_IMPORT);
  const end = rest.findIndex(({ text }) => text === "=>");
  if (end > 0) noteNames(rest.slice(0, end), moduleName(module.text), aliases);
}

function noteNames(tokens: readonly ScriptToken[], module: string, aliases: Map<string, string>): void {
  let inBraces = false;
  let original = "";
  for (const { type, text } of tokens) {
    if (text === "{") inBraces = true;
    else if (text === "," || text === "*") original = "";
    else if (type === "name" && text !== "as" && text !== "async") {
      original ||= text;
      aliases.set(text, inBraces ? `${module}.${original}` : module);
    }
  }
}

const LISTS = /^(?:glob|iglob|rglob|listdir|scandir|iterdir|walk|readdirSync|readdir|globSync|Dir|children|entries)$/;

/** What a loop over a folder, a pattern or a list puts into its names. */
export function noteLoops(tokens: readonly ScriptToken[], loops: Map<string, readonly string[]>): void {
  tokens.forEach((token, at) => {
    if ((token.text === "in" || token.text === "of") && token.type === "name") {
      const first = Math.max(0, at - LONGEST_WAY_BACK);
      const texts = listed(tokens.slice(at + 1, at + 14), loops, /^[:{\n]$|^(?:if|do)$/);
      for (
        let back = at - 1;
        back >= first && (tokens[back]?.type === "name" || /^[,(]$/.test(tokens[back]?.text ?? ""));
        back--
      ) {
        if (/^(?:for|const|let|var)$/.test(tokens[back]?.text ?? "")) break;
        if (tokens[back]?.type === "name" && texts) loops.set(tokens[back]?.text ?? "", texts);
      }
    }
    // each { |f| … }, forEach(f => …), foreach (glob("*") as $f)
    const names =
      token.text === "=>" && tokens[at - 1]?.type === "name"
        ? tokens[at - 1]
        : token.text === "|" || token.text === "as"
          ? tokens[at + 1]
          : undefined;
    if (names?.type !== "name") return;
    const before = tokens.slice(Math.max(0, at - 16), at);
    const temporary = before.some((one) =>
      /^(?:TemporaryDirectory|NamedTemporaryFile|mktmpdir|Tempfile)$/.test(one.text),
    );
    const texts = temporary ? ["/tmp/\uf0ff"] : listed(before, loops);
    if (texts && !loops.has(names.text)) loops.set(names.text, texts);
  });
}

function listed(
  tokens: readonly ScriptToken[],
  loops: ReadonlyMap<string, readonly string[]>,
  stop?: RegExp,
): readonly string[] | undefined {
  const end = stop ? tokens.findIndex((token) => token.type !== "string" && stop.test(token.text)) : -1;
  const own = end < 0 ? tokens : tokens.slice(0, end);
  const lister = own.findLastIndex((token) => token.type === "name" && LISTS.test(token.text));
  const strings = own
    .slice(Math.max(lister, 0))
    .filter((token) => token.type === "string")
    .map((token) => token.text);
  if (lister < 0) return stop && /^[[(]$/.test(own[0]?.text ?? "") && strings.length > 0 ? strings : undefined;
  const name = own[lister]?.text ?? "";
  // These give names without their folder.
  if (/^(?:listdir|readdir|readdirSync|children|entries)$/.test(name)) return ["*"];
  const [pattern] = strings;
  if (/^(?:iglob|glob|rglob|globSync|Dir)$/.test(name)) {
    const base = own.slice(0, lister).findLast((token) => token.type === "string")?.text;
    // for name in ("a", "b"): for p in Path(".").rglob(name)
    const patterns = pattern === undefined ? (loops.get(own[lister + 2]?.text ?? "") ?? ["*"]) : [pattern];
    return patterns.map((one) => posix.join(base ?? "", one));
  }
  return [posix.join(pattern ?? own.slice(0, lister).findLast((token) => token.type === "string")?.text ?? "", "*")];
}
