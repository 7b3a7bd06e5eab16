import { type Command, knownText, type MutableCommand, type Redirection, type Word } from "../command.ts";
import { assignmentWord, expandRedirects, readAssignment } from "../expand/assignments.ts";
import type { Context, Outcome } from "../expand/context.ts";
import { Expansion } from "../expand/expand.ts";
import type { Flow } from "../expand/flow.ts";
import { possibleOutput, redirectsOutput } from "../expand/possible-output.ts";
import { wordValue } from "../expand/values.ts";
import {
  assignAll,
  changeFolder,
  childEnv,
  type Env,
  exportNames,
  forget,
  join,
  UNKNOWN,
  withoutPrefix,
} from "../expand/variables.ts";
import type { Launch } from "../launch/launch.ts";
import { aliased, unwrap } from "../launch/unwrap.ts";
import { HANDLE_DATA } from "../parse/oversize.ts";
import { isParts, MAX_WORDS, type SimpleNode, type Span, TOO_WORDY, Unreadable } from "../parse/syntax.ts";
import { builtinEffect } from "./builtins.ts";
import { addCommand, doubt, setWords, stdinOf } from "./new-command.ts";
import type { Reader } from "./reader.ts";
import { ASSIGNMENT_STEPS } from "./work-budget.ts";

type CommandFlow = Extract<Flow, { kind: "command" }>;

export function readSimple(reader: Reader, node: SimpleNode, env: Env, context: Context): Outcome {
  const command = addCommand(reader, node.at, env, context);
  const start = reader.commands.length;
  const expansion = new Expansion(reader, env, context);
  const argv: Word[] = [];
  for (const word of node.words) {
    if (isParts(word)) expansion.wordInto(word, argv);
    else argv.push(assignmentWord(expansion, word));
  }
  if (node.assignments.length > 0) reader.step(node.assignments.length * ASSIGNMENT_STEPS);
  // The shell makes assignments without a command at once, and those for a command after its redirections.
  const bare = node.words.length === 0;
  if (bare) command.assignments = node.assignments.map((assignment) => readAssignment(expansion, assignment));
  if (node.redirects.length > 0) command.redirections = expandRedirects(expansion, node.redirects);
  const before = expansion.env;
  if (!bare && node.assignments.length > 0)
    command.assignments = node.assignments.map((assignment) => readAssignment(expansion, assignment));
  for (const { name, value } of command.assignments)
    reader.placeholders.assign(name, "text" in value ? value.shape : undefined);
  setWords(command, argv, env);
  reader.scripts.record(command, context.stdin);
  if (reader.commands.length > start) command.inner = reader.commands.slice(start);
  const base = baseFlow(command, expansion);
  if (argv.length === 0) {
    const after = expansion.env;
    const statusOfBefore = expansion.outputs === 1 && !base.risky && !base.fragile;
    return withRedirectionFailure({ ok: after, fail: after, flow: { ...base, statusOfBefore } }, base.risky, env);
  }
  // `X=1 command` sets X only for the command.
  const prefixed = command.assignments.length > 0;
  const inner = prefixed
    ? exportNames(
        expansion.env,
        command.assignments.map(({ name }) => name),
      )
    : before;
  const done = invoke(reader, { command, base, env: before, inner, context, inShell: true, functions: true });
  const outcome = withRedirectionFailure(done, base.risky, before);
  if (!prefixed || outcome.ok === before) return outcome;
  const names = command.assignments.map(({ name }) => name);
  const restore = (after: Env | undefined) => after && withoutPrefix(after, before, names, command.program === "read");
  return { ...outcome, ok: restore(outcome.ok), fail: restore(outcome.fail) };
}

/** Adds the case that a redirection fails, so that the command does not start. */
export function withRedirectionFailure(outcome: Outcome, risky: boolean, before: Env): Outcome {
  return risky ? { ...outcome, fail: join(outcome.fail, before) } : outcome;
}

/** An entry in the list of commands that has the redirections of a compound command. */
export function redirectionCommand(reader: Reader, at: Span, env: Env, context: Context) {
  const command = addCommand(reader, at, env, context);
  command.wraps = true;
  return { command, flow: (expansion: Expansion): CommandFlow => baseFlow(command, expansion) };
}

interface Call {
  readonly command: MutableCommand;
  readonly base: CommandFlow;
  /** The state of the shell, and `inner` as the command sees it, with its own assignments. */
  readonly env: Env;
  readonly inner: Env;
  readonly context: Context;
  readonly inShell: boolean;
  readonly functions: boolean;
}

function invoke(reader: Reader, call: Call): Outcome {
  const { command, base, env } = call;
  const name = knownText(command.argv[0]);
  if (command.program === undefined && call.inShell) {
    // It may be eval, exit or any other builtin.
    const after = forget(env);
    return { ok: after, fail: after, flow: { ...base, escape: "exit" } };
  }
  if (name !== undefined && call.functions && env.functions.has(name)) return callFunction(reader, call, name);
  const args = command.argv.slice(1);
  const stdin = stdinOf(reader, command, call.context);
  const known = name !== undefined && call.inShell ? builtinEffect(name, args, call.inner, stdin) : undefined;
  const effect = known && hasNoEffect(name, call.context) ? { ...known, ok: env, fail: env } : known;
  if (effect?.statusUnreliable) reader.statusUnreliable = true;
  const own: Outcome = {
    ok: effect ? effect.ok : env,
    fail: effect ? effect.fail : env,
    flow: effect ? { ...base, escape: worse(base.escape, effect.escape), status: effect.status } : base,
  };
  const alias = name !== undefined && call.inShell && call.functions ? call.inner.aliases.get(name) : undefined;
  if (alias !== undefined)
    return launchAll(reader, withoutAlias(call, name ?? ""), own, [aliased(alias, args)], "alias");
  const launches = unwrap(command, stdin, (word, as) => reader.scripts.start(word, command, as));
  if (launches.length > 0) return launchAll(reader, call, own, launches, name ?? "");
  // A command that only prints its words may have any number of them, unless its output is used.
  if (command.argv.length > MAX_WORDS && (call.context.collector || !HANDLE_DATA.has(command.program ?? "")))
    throw new Unreadable(TOO_WORDY);
  call.context.collector?.add(possibleOutput(command, stdin, (word) => reader.scripts.textOf(word, command.cwd)));
  return own;
}

/** `return` outside a function, `break` and `continue` outside a loop: the shell goes on. */
function hasNoEffect(name: string | undefined, { calls, within }: Context): boolean {
  if (name === "return") return calls.length === 0;
  return (name === "break" || name === "continue") && !within.includes("loop");
}

/** Inside the text of an alias its name is not expanded again. */
function withoutAlias(call: Call, name: string): Call {
  const aliases = new Map([...call.inner.aliases].filter(([one]) => one !== name));
  return { ...call, inner: { ...call.inner, aliases } };
}

function callFunction(reader: Reader, call: Call, name: string): Outcome {
  const { command, context, inner, base } = call;
  const body = inner.functions.get(name);
  if (!body || context.calls.some((call) => call.body === body)) {
    doubt(command, "script");
    command.program = undefined;
    doubt(command, "program");
    const after = forget(inner);
    return { ok: after, fail: after, flow: { ...base, escape: "exit" } };
  }
  command.wraps = true;
  // It starts no program, even if there is one of that name.
  command.program = "";
  const args = command.argv.slice(1).map(knownText);
  const given = args.filter((arg) => arg !== undefined);
  const positional = given.length === args.length ? given : undefined;
  const collector = redirectsOutput(command) ? undefined : context.collector;
  const outcome = reader.call(name, body, positional, inner, { ...context, via: command, stdin: undefined, collector });
  return { ...outcome, flow: { ...base, inner: outcome.flow, passesStatus: true, inPlace: true } };
}

function launchAll(reader: Reader, call: Call, own: Outcome, launches: readonly Launch[], name: string): Outcome {
  const { command } = call;
  const flows: Flow[] = [];
  let { ok, fail } = own;
  let escapes = own.flow.kind === "command" ? own.flow.escape : call.base.escape;
  for (const launch of launches) {
    const outcome = launchOne(reader, call, launch);
    if (outcome) flows.push(outcome.flow);
    command.wraps ||= outcome !== undefined;
    if (outcome && launch.sameShell && launch.passesStatus) ({ ok, fail } = outcome);
    if (launch.words || (launch.script?.known && outcome)) continue;
    // A script that is not fully on the line may do anything, also to this shell if it runs in it.
    doubt(command, "script");
    if (!launch.sameShell || name === "trap") continue;
    ok = fail = forget(call.inner);
    escapes = "exit";
  }
  if (name === "exec") {
    ok = fail = undefined;
    escapes = "exit";
  }
  const [only, more] = flows;
  const [launch] = launches;
  const passesStatus = launch?.passesStatus === true && !command.uncertain.includes("script") && more === undefined;
  const inner: Flow | undefined = passesStatus ? only : { kind: "maybe", items: flows, absorbs: "none" };
  const base = own.flow.kind === "command" ? own.flow : call.base;
  return { ok, fail, flow: { ...base, escape: escapes, inner, passesStatus, inPlace: launch?.sameShell === true } };
}

/** Undefined when the launch runs a script whose text is not known. */
function launchOne(reader: Reader, call: Call, launch: Launch): Outcome | undefined {
  const { command, context } = call;
  const deeper = reader.deeper(context);
  const within = command.program === "trap" ? [...context.within, "trap" as const] : context.within;
  const remote = context.remote || launch.remote;
  const collector = redirectsOutput(command) ? undefined : context.collector;
  const inner: Context = { ...deeper, within, via: command, remote, joined: "", collector };
  // A trap runs later, in an unknown state.
  const own = command.program === "trap" ? forget(call.inner) : call.inner;
  const outer = launch.sameShell ? own : childEnv(call.inner);
  const env = assignAll(
    launchEnv(outer, launch),
    launch.assignments.map(({ name, value }) => [name, "text" in value ? wordValue(value) : UNKNOWN]),
  );
  if (launch.words) return startWords(reader, call, launch, env, inner);
  if (!launch.script || !(launch.script.known || launch.script.shape)) return undefined;
  return startScript(reader, call, launch, env, inner);
}

function launchEnv(env: Env, launch: Launch): Env {
  if (launch.remote) return { ...env, variables: new Map(), cwds: undefined, forgotten: true };
  return launch.folder ? changeFolder(env, knownText(launch.folder)) : env;
}

function startWords(reader: Reader, call: Call, launch: Launch, env: Env, context: Context): Outcome {
  // A launcher inside a launcher gets all remaining words again.
  reader.step((launch.words?.length ?? 0) >> 1);
  const command = addCommand(reader, call.command.at, env, context);
  command.assignments = launch.assignments;
  setWords(command, launch.words ?? [], env, launch.doubts);
  // The started command has the input of its launcher.
  const stdin = launch.detachedInput ? { text: "", known: true } : stdinOf(reader, call.command, call.context);
  const inner = { ...context, stdin };
  const base: CommandFlow = { ...call.base, command, before: [], risky: false, fragile: false, escape: "none" };
  return invoke(reader, {
    command,
    base,
    env,
    inner: env,
    context: inner,
    inShell: launch.sameShell,
    functions: false,
  });
}

function startScript(reader: Reader, call: Call, launch: Launch, env: Env, context: Context): Outcome | undefined {
  const text = reader.placeholders.withPossible(launch.script?.shape ?? launch.script?.text ?? "");
  reader.countNested(text.length);
  const args = launch.args?.map(knownText);
  const given = args?.filter((arg) => arg !== undefined);
  const positional = launch.sameShell ? env.positional : given?.length === args?.length ? given : undefined;
  const { errexit, pipefail } = launch.switches;
  const source = knownText(launch.file);
  const sourced = launch.file ? { ...env, source } : env;
  const start: Env = launch.sameShell
    ? sourced
    : {
        ...env,
        source,
        positional,
        zero: knownText(launch.zero ?? launch.file),
        errexit: errexit ? "on" : "off",
        pipefail: pipefail ? "on" : "off",
      };
  let tree: ReturnType<typeof reader.parse>;
  try {
    tree = reader.parse(text);
  } catch (error) {
    // A text that is not bash, for a shell that may not be bash. The command gets the doubt `script`.
    if (error instanceof Unreadable && error.message.startsWith("syntax")) return undefined;
    throw error;
  }
  const first = reader.commands.length;
  // A script of one command has the input of its shell, unless the input is the script itself.
  const stdin = stdinOf(reader, call.command, call.context);
  const reads = stdin !== launch.script && tree.statements.length === 1 ? stdin : undefined;
  const outcome = reader.script(tree, start, { ...context, position: call.command.at, stdin: reads });
  for (const one of reader.commands.slice(first)) for (const each of launch.doubts) doubt(one, each);
  if (!launch.sameShell) return { ...outcome, flow: { kind: "shell", item: outcome.flow } };
  const back = (after: Env | undefined) => after && { ...after, source: env.source };
  return launch.file ? { ...outcome, ok: back(outcome.ok), fail: back(outcome.fail) } : outcome;
}

function baseFlow(command: Command, expansion: Expansion): CommandFlow {
  return {
    kind: "command",
    command,
    before: expansion.flows,
    inner: undefined,
    passesStatus: false,
    inPlace: false,
    escape: expansion.risky ? "fail" : "none",
    status: undefined,
    risky: command.redirections.some(mayFail),
    fragile: expansion.risky,
    statusOfBefore: false,
  };
}

function mayFail({ operator, target, body }: Redirection): boolean {
  if (body) return false;
  if (!target?.known) return true;
  return !(target.text === "/dev/null" || (/^[<>]&$/.test(operator) && /^[012-]$/.test(target.text)));
}

function worse(a: CommandFlow["escape"], b: CommandFlow["escape"] | undefined): CommandFlow["escape"] {
  return b === undefined || b === "none" ? a : b;
}
