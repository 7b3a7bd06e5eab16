import { knownText, knownWord, type Word } from "../command.ts";
import { splitForRead } from "../expand/fields.ts";
import type { Escape } from "../expand/flow.ts";
import { printf } from "../expand/output.ts";
import { isTemporaryFolder } from "../expand/temporary-names.ts";
import { temporaryFolder, unknownWithDefault, wordValue } from "../expand/values.ts";
import {
  assign,
  assignMap,
  assignUnknown,
  changeFolder,
  customIfs,
  defineFunction,
  type Env,
  exportNames,
  forget,
  hasAttributes,
  lookUp,
  UNKNOWN,
  type Value,
} from "../expand/variables.ts";
import { fileTest } from "./absent-files.ts";
import { clone, isCreated, mkdir } from "./created-folders.ts";

/** What a builtin does to the state of its shell. */
export interface Effect {
  readonly ok: Env | undefined;
  readonly fail: Env | undefined;
  readonly escape: Escape;
  /** The exit status, if it is always the same. */
  readonly status?: boolean;
  /** It changes the meaning of the exit status of the line. */
  readonly statusUnreliable?: true;
}

type Builtin = (args: readonly Word[], env: Env, stdin: Word | undefined) => Effect;

/** `stdin` is the input, where it is known. */
export function builtinEffect(
  name: string,
  args: readonly Word[],
  env: Env,
  stdin: Word | undefined,
): Effect | undefined {
  return BUILTINS.get(name)?.(args, env, stdin);
}

const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ["cd", cd],
  [
    "pushd",
    (args, env) => (/^[-+]\d/.test(args[0]?.text ?? "") || args.length !== 1 ? unknownFolder(env) : cd(args, env)),
  ],
  ["popd", (_args, env) => unknownFolder(env)],
  // Not builtins, but they create folders that a later `cd` can enter.
  ["mkdir", (args, env) => ({ ...mkdir(args, env), escape: "none" })],
  ["git", (args, env) => same(clone(args, env))],
  ["true", (_args, env) => ({ ...same(env), fail: undefined, status: true })],
  [":", (_args, env) => ({ ...same(env), fail: undefined, status: true })],
  ["false", (_args, env) => ({ ...same(env), ok: undefined, status: false })],
  ...["test", "["].map((name): [string, Builtin] => [
    name,
    (args, env) => ({ ...fileTest(args, env), escape: "none" }),
  ]),
  ["exit", exit],
  // It may kill this shell, which then ends with a failure.
  ["kill", (_args, env) => ({ ...same(env), escape: "fail" })],
  ["return", () => ({ ok: undefined, fail: undefined, escape: "return" })],
  ["break", jump],
  ["continue", jump],
  ["set", set],
  ["shift", shift],
  ["unset", unset],
  ["export", (args, env) => declare(args, env, true)],
  ["readonly", (args, env) => declare([{ text: "-r", known: true }, ...args], env, false)],
  ...["declare", "typeset", "local"].map((name): [string, Builtin] => [name, (args, env) => declare(args, env, false)]),
  ["read", read],
  ["printf", printInto],
  ["mapfile", lines],
  ["readarray", lines],
  ...["getopts", "let", "wait"].map((name): [string, Builtin] => [name, assigners]),
  ["alias", aliases],
  ["hash", hash],
  ["shopt", (args, env) => ({ ...same(env), ...(changesStatus(args) && { statusUnreliable: true }) })],
  ["enable", (_args, env) => ({ ...same(env), statusUnreliable: true })],
  ["trap", (args, env) => ({ ...same(env), ...(args.length > 1 && { statusUnreliable: true }) })],
]);

function same(env: Env): Effect {
  return { ok: env, fail: env, escape: "none" };
}

function unknownFolder(env: Env): Effect {
  return same({ ...env, cwds: undefined });
}

const ALWAYS_THERE = /^\/(?:(?:var\/)?tmp\/?)?$/;

function cd(args: readonly Word[], env: Env): Effect {
  const operands = args.filter((word, index) => !(word.known && /^-(?:[LPe@]+|-)$/.test(word.text) && index < 3));
  const [first, more] = operands;
  const home = lookUp(env, "HOME");
  const target = first
    ? (knownText(first) ?? temporaryFolder(first, env) ?? first.defaultText)
    : home.kind === "text"
      ? home.text
      : undefined;
  const searched = env.variables.has("CDPATH") && !/^\.{0,2}\//.test(target ?? "");
  const known = more === undefined && target !== "-" && !searched ? target : undefined;
  // The shell assigns these two variables itself.
  const moved = assignUnknown(
    env,
    ["PWD", "OLDPWD"].filter((name) => env.variables.has(name)),
  );
  const works = known !== undefined && (ALWAYS_THERE.test(known) || isTemporaryFolder(known) || isCreated(known, env));
  return { ok: changeFolder(moved, known), fail: works ? undefined : env, escape: "none" };
}

function exit(args: readonly Word[]): Effect {
  const code = knownText(args[0]);
  const status = code !== undefined && /^\d{1,9}$/.test(code) ? Number(code) % 256 === 0 : undefined;
  const exits = status === false ? "fail" : "exit";
  return { ok: undefined, fail: undefined, escape: exits, ...(status !== undefined && { status }) };
}

function jump(args: readonly Word[]): Effect {
  const single = args.length === 0 || knownText(args[0]) === "1";
  return { ok: undefined, fail: undefined, escape: single ? "break" : "exit" };
}

const SWITCHES: Readonly<Record<string, "errexit" | "nounset" | "pipefail" | "noclobber">> = {
  C: "noclobber",
  noclobber: "noclobber",
  e: "errexit",
  u: "nounset",
  errexit: "errexit",
  nounset: "nounset",
  pipefail: "pipefail",
};

function set(args: readonly Word[], env: Env): Effect {
  let next = env;
  for (let at = 0; at < args.length; at++) {
    const text = knownText(args[at]);
    if (text === undefined) return same(forget(env));
    if (!/^[-+]./.test(text) || text === "--")
      return same({ ...next, positional: texts(args.slice(text === "--" ? at + 1 : at)) });
    const on = text.startsWith("-");
    for (const letter of text.slice(1)) {
      const name = letter === "o" ? knownText(args[++at]) : letter;
      if (name === undefined && args[at]) return same(forget(env));
      const option = Object.hasOwn(SWITCHES, name ?? "") ? SWITCHES[name ?? ""] : undefined;
      if (option) next = { ...next, [option]: on ? "on" : "off" };
      if (name === "B" || name === "braceexpand") next = { ...next, braces: on };
      if (/^(?:n|noexec|t|onecmd|k|keyword|posix)$/.test(name ?? "")) return { ...same(next), statusUnreliable: true };
    }
  }
  return same(next);
}

function shift(args: readonly Word[], env: Env): Effect {
  const count = args.length === 0 ? "1" : (knownText(args[0]) ?? "");
  const enough = /^\d{1,6}$/.test(count) && env.positional && env.positional.length >= Number(count);
  return same({ ...env, positional: enough ? env.positional?.slice(Number(count)) : undefined });
}

function unset(args: readonly Word[], env: Env): Effect {
  let next = env;
  const functions = args.some((word) => word.text === "-f");
  for (const word of args) {
    const name = knownText(word);
    if (name === undefined) return same(forget(env));
    if (name.startsWith("-")) continue;
    if (functions || env.functions.has(name)) next = defineFunction(next, name, undefined);
    if (!functions) next = assign(next, name.replace(/\[.*/s, ""), name.includes("[") ? UNKNOWN : { kind: "unset" });
  }
  return same(next);
}

function declare(args: readonly Word[], env: Env, exports: boolean): Effect {
  const flags = args
    .filter((word) => /^[-+]/.test(word.text))
    .map((word) => word.text.slice(1))
    .join("");
  if (/[fFp]/.test(flags)) return same(env);
  let next = /n/.test(flags) && !exports ? forget(env) : env;
  let risky = false;
  for (const word of args) {
    if (/^[-+]/.test(word.text)) continue;
    const [, name, plus, text] = /^([A-Za-z_]\w*)(?:\[.*?\])?(?:(\+?)=(.*))?$/s.exec(word.text) ?? [];
    if (name === undefined) return same(forget(env));
    risky ||= text !== undefined && (flags.includes("i") || hasAttributes(env, name));
    const list: Value = word.items
      ? { kind: "list", items: word.items }
      : unknownWithDefault(plus === "" ? word.defaultText : undefined);
    const value: Value = word.known && plus === "" ? { kind: "text", text: text ?? "" } : list;
    const keyed = word.entries?.map(
      ([key, one]) => [key, one.known ? { kind: "text" as const, text: one.text } : UNKNOWN] as const,
    );
    if (/^g?A$/.test(flags) && plus !== "+" && !hasAttributes(env, name)) next = assignMap(next, name, keyed ?? []);
    else if (/[rilunAcI]/.test(flags) && !(exports && flags === "n")) next = assign(next, name, { kind: "attributed" });
    else if (text !== undefined) next = assign(next, name, value);
    if (exports || flags.includes("x")) next = exportNames(next, [name]);
  }
  return { ...same(next), escape: risky ? "fail" : "none" };
}

/** Builtins that assign unknown values to the variables they are given. */
function assigners(args: readonly Word[], env: Env): Effect {
  if (args.some((word) => !word.known && /^[A-Za-z_$]/.test(word.text) && word.many)) return same(forget(env));
  const found = args.flatMap((word) => word.text.match(/[A-Za-z_]\w*/g) ?? []);
  const touched = found.filter((name) => env.variables.has(name) || name === "IFS");
  const risky = touched.some((name) => hasAttributes(env, name));
  return { ...same(assignUnknown(env, touched)), escape: risky ? "fail" : "none" };
}

function aliases(args: readonly Word[], env: Env): Effect {
  const found = args.map((word): [string, string | undefined] => {
    const [, name = word.text, text] = /^([^=]*)=(.*)$/s.exec(word.text) ?? [];
    return [name, word.known ? text : undefined];
  });
  return same({ ...env, aliases: new Map([...env.aliases, ...found]) });
}

/** `hash -p /bin/rm x`: from here on `x` is that program. */
function hash(args: readonly Word[], env: Env): Effect {
  const [flag, path, ...names] = args;
  if (!flag?.text.startsWith("-p")) return same(env);
  const found = names.map((word): [string, string | undefined] => [word.text, knownText(path)]);
  return same({ ...env, aliases: new Map([...env.aliases, ...found]) });
}

/** `mapfile -t a <<< …`: assigns one element for each line. */
function lines(args: readonly Word[], env: Env, stdin: Word | undefined): Effect {
  const [flag, name, more] = args.map(knownText);
  if (!stdin?.known || flag !== "-t" || more !== undefined || name === undefined || hasAttributes(env, name))
    return assigners(args, env);
  return same(assign(env, name, { kind: "list", items: stdin.text.replace(/\n$/, "").split("\n") }));
}

/** `read a b <<< "x y z"`: the last variable takes the rest of the line. */
function read(args: readonly Word[], env: Env, stdin: Word | undefined): Effect {
  // `read -r -d '' text <<X` reads the whole input.
  const isWhole = args.some(
    (word, at) => /^-[ers]*d$/.test(word.text) && args[at + 1]?.known && args[at + 1]?.text === "",
  );
  const own = isWhole ? args.filter((word) => word.text !== "" && !/^-[ers]*d$/.test(word.text)) : args;
  const isRaw = args.some((word) => /^-[es]*r/.test(word.text));
  const given = own.filter((word) => !/^-[ers]+$/.test(word.text)).map(knownText);
  const variables = given.length === 0 ? ["REPLY"] : given;
  if (/^-[ers]*a$/.test(variables[0] ?? "")) return readList(args, variables[1], env, stdin);
  const plain = variables.every(
    (name) => name !== undefined && /^[A-Za-z_]\w*$/.test(name) && !hasAttributes(env, name),
  );
  const separators = lookUp(env, "IFS");
  const isOdd = separators.kind !== "text" || (stdin?.text.includes("\\") && !isRaw);
  if (!stdin?.known || !plain || isOdd) return assigners(given.length === 0 ? [knownWord("REPLY")] : args, env);
  const [line = ""] = isWhole ? [stdin.text] : stdin.text.split("\n");
  const shares = splitForRead(line, variables.length, separators.text);
  return same(
    variables.reduce((at, name = "", index) => assign(at, name, wordValue(knownWord(shares[index] ?? ""))), env),
  );
}

/** `read -ra a <<< "x y z"`: assigns one element for each word. */
function readList(args: readonly Word[], name: string | undefined, env: Env, stdin: Word | undefined): Effect {
  const mark = env.defaultIfs ? " " : customIfs(env);
  if (
    !stdin?.known ||
    name === undefined ||
    mark === undefined ||
    hasAttributes(env, name) ||
    stdin.text.includes("\\")
  )
    return assigners(args, env);
  const [line = ""] = stdin.text.split("\n");
  const items = mark === " " ? line.trim().split(/\s+/) : line.split(mark);
  return same(assign(env, name, { kind: "list", items: mark.length === 1 ? items : [] }));
}

function printInto(args: readonly Word[], env: Env): Effect {
  const [flag, name, ...rest] = args;
  const printed = knownText(flag) === "-v" ? printf(rest) : undefined;
  const target = knownText(name);
  if (!printed?.known || target === undefined || !/^[A-Za-z_]\w*$/.test(target) || hasAttributes(env, target))
    return assigners(args, env);
  return same(assign(env, target, { kind: "text", text: printed.text }));
}

function changesStatus(args: readonly Word[]): boolean {
  return args.some(
    (word) => !word.known || /^(?:lastpipe|inherit_errexit|expand_aliases|failglob|extdebug)$/.test(word.text),
  );
}

function texts(words: readonly Word[]): readonly string[] | undefined {
  const known = words.map(knownText).filter((text) => text !== undefined);
  return known.length === words.length ? known : undefined;
}
