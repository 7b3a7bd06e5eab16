import { posix } from "node:path";
import type { Node } from "../parse/syntax.ts";

export type Value =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[] }
  | { readonly kind: "unset" }
  /**
   * - place: a path among temporary files, with a placeholder for each unknown part
   * - fresh: a name that no existing file has, with placeholders as well
   * - defaultText: the value unless somebody has set the variable before
   */
  | { readonly kind: "unknown"; readonly place?: string; readonly fresh?: string; readonly defaultText?: string }
  /** The variable has attributes (integer, upper case, reference, …) that change assigned values: never known again. */
  | { readonly kind: "attributed" };

export type Switch = "on" | "off" | "maybe";

/** What is known of the state of a shell at one point of the line. Immutable, since branches keep their own. */
export interface Env {
  readonly variables: ReadonlyMap<string, Value>;
  readonly exported: ReadonlySet<string>;
  /** The value is undefined where it is not known whether there is such a function. */
  readonly functions: ReadonlyMap<string, Node | undefined>;
  /** With the text of each, where it is known. */
  readonly aliases: ReadonlyMap<string, string | undefined>;
  readonly positional: readonly string[] | undefined;
  /** `$0`, where the line sets it: `bash -c '$0 x' name`. */
  readonly zero?: string | undefined;
  /** The file that is being sourced, as the line names it. */
  readonly source?: string | undefined;
  /** The folders that may be current; undefined when it may be any. */
  readonly cwds: readonly string[] | undefined;
  /** Folders that the line has created, absolute or relative to where it starts: `cd` into them succeeds. */
  readonly made?: readonly string[] | undefined;
  /** Files that do not exist or are empty, absolute or relative to where the line starts. */
  readonly absent?: readonly string[] | undefined;
  /** This state is only reached after a failure of something that hardly ever fails. */
  readonly unlikely?: boolean | undefined;
  readonly errexit: Switch;
  readonly pipefail: Switch;
  readonly nounset: Switch;
  /** `>` does not overwrite existing files. */
  readonly noclobber?: Switch | undefined;
  readonly braces: boolean;
  /** IFS has its default value: words are split at blanks. */
  readonly defaultIfs: boolean;
  /** Anything may have been assigned: even variables that the line never mentions are not known. */
  readonly forgotten: boolean;
}

export const UNKNOWN: Value = { kind: "unknown" };
const MAX_VARIABLES = 100;
const MAX_FOLDERS = 4;
/** Variables that the shell itself uses, even if nothing was assigned to them. */
const SPECIAL: ReadonlySet<string> = new Set(["IFS", "PWD", "CDPATH"]);

/** Variables whose values the shell computes, whatever is assigned to them. */
const DYNAMIC =
  /^(?:_|RANDOM|SRANDOM|SECONDS|LINENO|PPID|UID|EUID|EPOCH\w+|HISTCMD|FUNCNAME|GROUPS|DIRSTACK|PIPESTATUS|SHELLOPTS|OPTIND|OPTARG|COMP_\w+|BASH\w*)$/;

export function startEnv(cwd: string, variables: Readonly<Record<string, string>>): Env {
  const values = Object.entries(variables).map(([name, text]): [string, Value] => [name, { kind: "text", text }]);
  return {
    variables: new Map(values),
    exported: new Set(Object.keys(variables)),
    functions: new Map(),
    aliases: new Map(),
    positional: undefined,
    cwds: [cwd],
    errexit: "off",
    pipefail: "off",
    nounset: "off",
    braces: true,
    defaultIfs: true,
    forgotten: false,
  };
}

export function lookUp(env: Env, name: string): Value {
  if (DYNAMIC.test(name)) return UNKNOWN;
  const value = env.variables.get(name);
  if (value) return value.kind === "attributed" ? UNKNOWN : value;
  if (name === "IFS" && env.defaultIfs) return { kind: "text", text: " \t\n" };
  if (name === "PWD" && !env.forgotten) {
    const [only, other] = env.cwds ?? [];
    if (only?.startsWith("/") && other === undefined) return { kind: "text", text: only };
  }
  return UNKNOWN;
}

/** The separators that the line has assigned to IFS, if there are no blanks among them. */
export function customIfs(env: Env): string | undefined {
  const value = env.variables.get("IFS");
  return value?.kind === "text" && /^\S+$/.test(value.text) ? value.text : undefined;
}

/** Assigning to a variable with attributes may fail and end the shell: it may be read-only or an integer. */
export function hasAttributes(env: Env, name: string): boolean {
  return env.variables.get(name)?.kind === "attributed";
}

export function assign(before: Env, name: string, value: Value): Env {
  const env = withoutElements(before, name);
  const old = env.variables.get(name);
  if (old?.kind === "attributed") return env;
  if (!old && value === UNKNOWN && !SPECIAL.has(name)) return env;
  if (!old && env.variables.size >= MAX_VARIABLES) return forget(env);
  const variables = new Map(env.variables).set(name, value);
  return { ...env, variables, defaultIfs: env.defaultIfs && name !== "IFS" };
}

/** Elements are stored as variables named `name[key]`: the key is a number, or any text for associative arrays. */
export function assignElement(env: Env, name: string, key: string | undefined, value: Value): Env {
  const isMap = env.variables.get(`${name}[]`)?.kind === "text";
  const old = env.variables.get(name);
  if (key === undefined || !(isMap ? KEY : NUMBER).test(key) || (old?.kind === "attributed" && !isMap))
    return assign(env, name, UNKNOWN);
  if (env.variables.size >= MAX_VARIABLES) return forget(env);
  const variables = new Map(env.variables).set(`${name}[${key}]`, value);
  // The array as a whole is not known.
  if (!isMap) variables.set(name, UNKNOWN);
  return { ...env, variables };
}

const KEY = /^[\w.:/-]+$/;
const NUMBER = /^(?:0|[1-9]\d{0,5})$/;

/** `declare -A name`: an associative array. */
export function assignMap(env: Env, name: string, entries: readonly (readonly [string, Value])[]): Env {
  const variables = new Map(assign(env, name, { kind: "attributed" }).variables);
  variables.set(`${name}[]`, { kind: "text", text: "" });
  let next: Env = { ...env, variables };
  for (const [key, value] of entries) next = assignElement(next, name, key, value);
  return next;
}

function withoutElements(env: Env, name: string): Env {
  const prefix = `${name}[`;
  const gone: string[] = [];
  for (const key of env.variables.keys()) if (key.startsWith(prefix)) gone.push(key);
  if (gone.length === 0) return env;
  const variables = new Map(env.variables);
  for (const key of gone) variables.delete(key);
  return { ...env, variables };
}

/** The assignments of `env A=1 B=2 command`, for that command. */
export function assignAll(env: Env, values: readonly (readonly [name: string, value: Value])[]): Env {
  if (values.length === 0) return env;
  const next =
    values.length > MAX_VARIABLES ? forget(env) : values.reduce((at, [name, value]) => assign(at, name, value), env);
  return exportNames(
    next,
    values.map(([name]) => name),
  );
}

export function assignUnknown(env: Env, names: Iterable<string>): Env {
  let next = env;
  for (const name of names) next = assign(next, name, UNKNOWN);
  return next;
}

/** The state after `X=1 command`: X has its former value if the command surely did not assign it. */
export function withoutPrefix(after: Env, before: Env, names: readonly string[], sure: boolean): Env {
  const next = assignUnknown({ ...after, exported: before.exported }, names);
  if (!sure) return next;
  const variables = new Map(next.variables);
  for (const name of names) {
    const value = before.variables.get(name);
    if (value) variables.set(name, value);
    else variables.delete(name);
  }
  return { ...next, variables, defaultIfs: before.defaultIfs };
}

/** The state after something that may have assigned anything. HOME is assumed to stay. */
export function forget(env: Env): Env {
  const variables = new Map(
    [...env.variables].filter(([name, value]) => value.kind === "attributed" || name === "HOME"),
  );
  return {
    ...env,
    variables,
    positional: undefined,
    cwds: undefined,
    errexit: "maybe",
    pipefail: "maybe",
    nounset: "maybe",
    noclobber: undefined,
    defaultIfs: false,
    forgotten: true,
  };
}

export function exportNames(env: Env, names: Iterable<string>): Env {
  return { ...env, exported: new Set([...env.exported, ...names]) };
}

export function defineFunction(env: Env, name: string, body: Node | undefined): Env {
  return { ...env, functions: new Map(env.functions).set(name, body) };
}

export function changeFolder(env: Env, target: string | undefined): Env {
  if (target === undefined) return { ...env, cwds: undefined };
  if (target.startsWith("/")) return { ...env, cwds: [posix.normalize(target)] };
  return { ...env, cwds: env.cwds?.map((cwd) => posix.join(cwd || ".", target)) };
}

/** The initial state of a shell that is started as a program: only exported variables, no functions. */
export function childEnv(env: Env): Env {
  const variables = new Map([...env.variables].filter(([name]) => env.exported.has(name)));
  return {
    ...startEnv("", {}),
    variables,
    exported: env.exported,
    cwds: env.cwds,
    forgotten: env.forgotten,
  };
}

/** What is known after either of two branches; undefined is a branch that ends the shell. */
export function join(a: Env | undefined, b: Env | undefined): Env | undefined {
  if (!a || !b || a === b) return a ?? b;
  const same = (x: Switch, y: Switch): Switch => (x === y ? x : "maybe");
  return {
    variables: a.variables === b.variables ? a.variables : joinValues(a, b),
    exported: a.exported === b.exported ? a.exported : new Set([...a.exported].filter((name) => b.exported.has(name))),
    functions: a.functions === b.functions ? a.functions : joinFunctions(a, b),
    aliases: new Map([...a.aliases, ...b.aliases]),
    positional: sameList(a.positional, b.positional) ? a.positional : undefined,
    cwds: a.unlikely === b.unlikely ? joinFolders(a.cwds, b.cwds) : a.unlikely ? b.cwds : a.cwds,
    made: a.made === b.made ? a.made : undefined,
    absent: a.absent === b.absent ? a.absent : undefined,
    zero: a.zero === b.zero ? a.zero : undefined,
    source: a.source === b.source ? a.source : undefined,
    noclobber: a.noclobber === b.noclobber ? a.noclobber : undefined,
    errexit: same(a.errexit, b.errexit),
    pipefail: same(a.pipefail, b.pipefail),
    nounset: same(a.nounset, b.nounset),
    braces: a.braces && b.braces,
    defaultIfs: a.defaultIfs && b.defaultIfs,
    forgotten: a.forgotten || b.forgotten,
  };
}

function joinValues(a: Env, b: Env): ReadonlyMap<string, Value> {
  const joined = new Map<string, Value>();
  for (const name of new Set([...a.variables.keys(), ...b.variables.keys()])) {
    const [left, right] = [a.variables.get(name), b.variables.get(name)];
    if (left?.kind === "attributed" || right?.kind === "attributed") joined.set(name, { kind: "attributed" });
    else joined.set(name, left && right && sameValue(left, right) ? left : UNKNOWN);
  }
  return joined;
}

function sameValue(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (a.kind === "text") return b.kind === "text" && a.text === b.text;
  if (a.kind === "list") return b.kind === "list" && sameList(a.items, b.items);
  if (a.kind === "unknown")
    return b.kind === "unknown" && a.place === b.place && a.fresh === b.fresh && a.defaultText === b.defaultText;
  return a.kind === b.kind;
}

function joinFunctions(a: Env, b: Env): ReadonlyMap<string, Node | undefined> {
  const names = new Set([...a.functions.keys(), ...b.functions.keys()]);
  return new Map(
    [...names].map((name) => [
      name,
      a.functions.get(name) === b.functions.get(name) ? a.functions.get(name) : undefined,
    ]),
  );
}

function joinFolders(a: Env["cwds"], b: Env["cwds"]): Env["cwds"] {
  if (!a || !b || a === b) return a && b;
  const both = [...new Set([...a, ...b])];
  return both.length <= MAX_FOLDERS ? both : undefined;
}

function sameList(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  return a === b || (a?.length === b?.length && a?.every((item, index) => item === b?.[index]) === true);
}
