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
  // Without a program the assignments come first; with one they are made for it, after its redirections.
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
    return unlessRefused({ ok: after, fail: after, flow: { ...base, statusOfBefore } }, base.risky, env);
  }
  // `X=1 command` sets X for the command alone.
  const prefixed = command.assignments.length > 0;
  const inner = prefixed
    ? exportNames(
        expansion.env,
        command.assignments.map(({ name }) => name),
      )
    : before;
  const done = run(reader, { command, base, env: before, inner, context, inShell: true, functions: true });
  const outcome = unlessRefused(done, base.risky, before);
  if (!prefixed || outcome.ok === before) return outcome;
  const names = command.assignments.map(({ name }) => name);
  const restore = (after: Env | undefined) => after && withoutPrefix(after, before, names, command.program === "read");
  return { ...outcome, ok: restore(outcome.ok), fail: restore(outcome.fail) };
}

/** When a redirection fails nothing of what the command does has happened, not even an exit. */
export function unlessRefused(outcome: Outcome, risky: boolean, before: Env): Outcome {
  return risky ? { ...outcome, fail: join(outcome.fail, before) } : outcome;
}

/** A command that only carries the redirections of a compound one. */
export function bareCommand(reader: Reader, at: Span, env: Env, context: Context) {
  const command = addCommand(reader, at, env, context);
  command.wraps = true;
  return { command, flow: (expansion: Expansion): CommandFlow => baseFlow(command, expansion) };
}

interface Run {
  readonly command: MutableCommand;
  readonly base: CommandFlow;
  /** The shell as it is, and as the command sees it with its own assignments. */
  readonly env: Env;
  readonly inner: Env;
  readonly context: Context;
  readonly inShell: boolean;
  readonly functions: boolean;
}

function run(reader: Reader, the: Run): Outcome {
  const { command, base, env } = the;
  const name = knownText(command.argv[0]);
  if (command.program === undefined && the.inShell) {
    // It may be eval, exit or anything else that works on this very shell.
    const after = forget(env);
    return { ok: after, fail: after, flow: { ...base, escape: "exit" } };
  }
  if (name !== undefined && the.functions && env.functions.has(name)) return callFunction(reader, the, name);
  const args = command.argv.slice(1);
  const stdin = stdinOf(reader, command, the.context);
  const known = name !== undefined && the.inShell ? builtinEffect(name, args, the.inner, stdin) : undefined;
  const effect = known && leavesNothing(name, the.context) ? { ...known, ok: env, fail: env } : known;
  if (effect?.statusUnreliable) reader.statusUnreliable = true;
  const own: Outcome = {
    ok: effect ? effect.ok : env,
    fail: effect ? effect.fail : env,
    flow: effect ? { ...base, escape: worse(base.escape, effect.escape), fixed: effect.fixed } : base,
  };
  const alias = name !== undefined && the.inShell && the.functions ? the.inner.aliases.get(name) : undefined;
  if (alias !== undefined)
    return launchAll(reader, withoutAlias(the, name ?? ""), own, [aliased(alias, args)], "alias");
  const launches = unwrap(command, stdin, (word, as) => reader.scripts.start(word, command, as));
  if (launches.length > 0) return launchAll(reader, the, own, launches, name ?? "");
  // A command that only prints its words may have any number of them, unless its output is used.
  if (command.argv.length > MAX_WORDS && (the.context.collector || !HANDLE_DATA.has(command.program ?? "")))
    throw new Unreadable(TOO_WORDY);
  the.context.collector?.add(possibleOutput(command, stdin, (word) => reader.scripts.textOf(word, command.cwd)));
  return own;
}

/** Outside a function there is nothing to return from, and outside a loop nothing to break: the shell goes on. */
function leavesNothing(name: string | undefined, { calls, within }: Context): boolean {
  if (name === "return") return calls.length === 0;
  return (name === "break" || name === "continue") && !within.includes("loop");
}

/** An alias does not stand for itself. */
function withoutAlias(the: Run, name: string): Run {
  const aliases = new Map([...the.inner.aliases].filter(([one]) => one !== name));
  return { ...the, inner: { ...the.inner, aliases } };
}

function callFunction(reader: Reader, the: Run, name: string): Outcome {
  const { command, context, inner, base } = the;
  const body = inner.functions.get(name);
  if (!body || context.calls.some((call) => call.body === body)) {
    doubt(command, "script");
    command.program = undefined;
    doubt(command, "program");
    const after = forget(inner);
    return { ok: after, fail: after, flow: { ...base, escape: "exit" } };
  }
  command.wraps = true;
  // Whatever it is called, it starts no program of that name.
  command.program = "";
  const args = command.argv.slice(1).map(knownText);
  const given = args.filter((arg) => arg !== undefined);
  const positional = given.length === args.length ? given : undefined;
  const collector = redirectsOutput(command) ? undefined : context.collector;
  const outcome = reader.call(name, body, positional, inner, { ...context, via: command, stdin: undefined, collector });
  return { ...outcome, flow: { ...base, inner: outcome.flow, passes: true, inPlace: true } };
}

function launchAll(reader: Reader, the: Run, own: Outcome, launches: readonly Launch[], name: string): Outcome {
  const { command } = the;
  const flows: Flow[] = [];
  let { ok, fail } = own;
  let escapes = own.flow.kind === "command" ? own.flow.escape : the.base.escape;
  for (const launch of launches) {
    const outcome = start(reader, the, launch);
    if (outcome) flows.push(outcome.flow);
    command.wraps ||= outcome !== undefined;
    if (outcome && launch.here && launch.passes) ({ ok, fail } = outcome);
    if (launch.words || (launch.script?.known && outcome)) continue;
    // Text that is not all on the line can do anything, to this shell too if it runs in it.
    doubt(command, "script");
    if (!launch.here || name === "trap") continue;
    ok = fail = forget(the.inner);
    escapes = "exit";
  }
  if (name === "exec") {
    ok = fail = undefined;
    escapes = "exit";
  }
  const [only, more] = flows;
  const [launch] = launches;
  const passes = launch?.passes === true && !command.uncertain.includes("script") && more === undefined;
  const inner: Flow | undefined = passes ? only : { kind: "maybe", items: flows, absorbs: "none" };
  const base = own.flow.kind === "command" ? own.flow : the.base;
  return { ok, fail, flow: { ...base, escape: escapes, inner, passes, inPlace: launch?.here === true } };
}

/** Undefined when the launch runs text that cannot be seen. */
function start(reader: Reader, the: Run, launch: Launch): Outcome | undefined {
  const { command, context } = the;
  const deeper = reader.deeper(context);
  const within = command.program === "trap" ? [...context.within, "trap" as const] : context.within;
  const remote = context.remote || launch.remote;
  const collector = redirectsOutput(command) ? undefined : context.collector;
  const inner: Context = { ...deeper, within, via: command, remote, joined: "", collector };
  // Whatever a trap finds when it is sprung, it is not what holds now.
  const own = command.program === "trap" ? forget(the.inner) : the.inner;
  const outer = launch.here ? own : childEnv(the.inner);
  const env = assignAll(
    place(outer, launch),
    launch.assignments.map(({ name, value }) => [name, "text" in value ? wordValue(value) : UNKNOWN]),
  );
  if (launch.words) return startWords(reader, the, launch, env, inner);
  if (!launch.script || !(launch.script.known || launch.script.shape)) return undefined;
  return startScript(reader, the, launch, env, inner);
}

function place(env: Env, launch: Launch): Env {
  if (launch.remote) return { ...env, variables: new Map(), cwds: undefined, forgotten: true };
  return launch.folder ? changeFolder(env, knownText(launch.folder)) : env;
}

function startWords(reader: Reader, the: Run, launch: Launch, env: Env, context: Context): Outcome {
  // Launchers inside launchers hand all their words on.
  reader.step((launch.words?.length ?? 0) >> 1);
  const command = addCommand(reader, the.command.at, env, context);
  command.assignments = launch.assignments;
  setWords(command, launch.words ?? [], env, launch.doubts);
  // A shell started this way still reads what its launcher reads.
  const stdin = launch.detachedInput ? { text: "", known: true } : stdinOf(reader, the.command, the.context);
  const inner = { ...context, stdin };
  const base: CommandFlow = { ...the.base, command, before: [], risky: false, fragile: false, escape: "none" };
  return run(reader, { command, base, env, inner: env, context: inner, inShell: launch.here, functions: false });
}

function startScript(reader: Reader, the: Run, launch: Launch, env: Env, context: Context): Outcome | undefined {
  const text = reader.placeholders.withPossible(launch.script?.shape ?? launch.script?.text ?? "");
  reader.countNested(text.length);
  const args = launch.args?.map(knownText);
  const given = args?.filter((arg) => arg !== undefined);
  const positional = launch.here ? env.positional : given?.length === args?.length ? given : undefined;
  const { errexit, pipefail } = launch.switches;
  const source = knownText(launch.file);
  const sourced = launch.file ? { ...env, source } : env;
  const start: Env = launch.here
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
    // A text that is no bash, in a shell that may not be bash: not followed, and said so on the command.
    if (error instanceof Unreadable && error.message.startsWith("syntax")) return undefined;
    throw error;
  }
  const first = reader.commands.length;
  // A script of one command reads what its shell would read, unless that is the script itself.
  const stdin = stdinOf(reader, the.command, the.context);
  const reads = stdin !== launch.script && tree.statements.length === 1 ? stdin : undefined;
  const outcome = reader.script(tree, start, { ...context, fixed: the.command.at, stdin: reads });
  for (const one of reader.commands.slice(first)) for (const each of launch.doubts) doubt(one, each);
  if (!launch.here) return { ...outcome, flow: { kind: "shell", item: outcome.flow } };
  const back = (after: Env | undefined) => after && { ...after, source: env.source };
  return launch.file ? { ...outcome, ok: back(outcome.ok), fail: back(outcome.fail) } : outcome;
}

function baseFlow(command: Command, expansion: Expansion): CommandFlow {
  return {
    kind: "command",
    command,
    before: expansion.flows,
    inner: undefined,
    passes: false,
    inPlace: false,
    escape: expansion.risky ? "fail" : "none",
    fixed: undefined,
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
