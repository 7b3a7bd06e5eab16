import { ANY_WORDS, knownText, type MutableCommand, type Word } from "../command.ts";
import { expandRedirects } from "../expand/assignments.ts";
import {
  type Context,
  type Definition,
  inside,
  type Outcome,
  type ReaderOptions,
  TOP_LEVEL,
} from "../expand/context.ts";
import { Expansion } from "../expand/expand.ts";
import { type Flow, NOTHING, type SubstitutionResult, sequence } from "../expand/flow.ts";
import { literalOutput, scriptOutput } from "../expand/output.ts";
import { CollectorBudget, OutputCollector, redirectsOutput } from "../expand/possible-output.ts";
import {
  assign,
  assignUnknown,
  defineFunction,
  type Env,
  forget,
  join,
  startEnv,
  UNKNOWN,
} from "../expand/variables.ts";
import { Scripts } from "../launch/scripts.ts";
import { checkShortened, shortenText } from "../parse/oversize.ts";
import { changesOfNode } from "../parse/state-changes.ts";
import type { Node, Parts, Script } from "../parse/syntax.ts";
import { TOO_DEEP, Unreadable } from "../parse/syntax.ts";
import { MAX_BYTES } from "../parse/text-guard.ts";
import { Placeholders } from "../placeholders.ts";
import { whereAbsent } from "./absent-files.ts";
import { reachedFrom, readChain, readIf } from "./branches.ts";
import { readCase, readCount, readFor, weaken } from "./loops.ts";
import { stdinOf } from "./new-command.ts";
import { inputWithin, readWhile } from "./read-loops.ts";
import { readSimple, redirectionCommand, withRedirectionFailure } from "./simple-command.ts";
import { NODE_STEPS, WorkBudget } from "./work-budget.ts";

const [MAX_DEPTH, MAX_FUNCTIONS, MAX_LOOPED] = [200, 300, 100];

/** Walks the syntax tree as a shell would, tracks what is certain of variables and folders, and lists the commands. */
export class Reader extends WorkBudget {
  readonly commands: MutableCommand[] = [];
  readonly parse: (text: string) => Script;
  readonly placeholders = new Placeholders();
  readonly scripts: Scripts;
  readonly collectorBudget = new CollectorBudget();
  /** The words that loops assign to their variables. */
  readonly loops = new Map<string, readonly Word[]>();
  flow: Flow = NOTHING;
  /** The line changes the meaning of its exit status, so nothing can be concluded from it. */
  statusUnreliable = false;
  readonly #start: Env;
  readonly #defined: Definition[] = [];
  readonly #called = new Set<Node>();

  constructor(options: ReaderOptions) {
    super();
    this.parse = options.parse;
    this.scripts = new Scripts(options.files);
    // The agent runs the line as `sh -c line`, without arguments.
    this.#start = { ...startEnv(options.cwd ?? "", options.variables ?? {}), positional: [] };
  }

  /** Why the text cannot be read, or undefined. */
  read(text: string): string | undefined {
    try {
      const shortened = text.length > MAX_BYTES ? shortenText(text) : undefined;
      this.flow = this.script(this.parse(shortened?.text ?? text), this.#start, TOP_LEVEL).flow;
      this.#listUncalled(0);
      if (shortened) checkShortened(shortened, this.commands);
      return undefined;
    } catch (error) {
      this.commands.length = 0;
      this.flow = NOTHING;
      if (error instanceof Unreadable) return error.message;
      if (error instanceof RangeError) return TOO_DEEP;
      throw error;
    }
  }

  /** Of two loops with the same variable no words are known, since the loop of a command is not recorded. */
  noteLoop(name: string, items: readonly Word[] | undefined): void {
    const sure = items && items.length <= MAX_LOOPED && !this.loops.has(name);
    this.loops.set(name, sure ? items : [ANY_WORDS]);
  }

  deeper(context: Context): Context {
    if (context.depth >= MAX_DEPTH) throw new Unreadable(TOO_DEEP);
    return { ...context, depth: context.depth + 1 };
  }

  /** Reads the commands inside `$(…)`. */
  output(script: Script, env: Env, context: Context, scope: "arithmetic" | undefined): SubstitutionResult {
    const here = scope ? inside(context, scope) : context;
    const start = this.commands.length;
    const collector = new OutputCollector(this.collectorBudget);
    const within = { ...inside(here, "substitution", ""), collector };
    const { flow } = this.script(script, { ...env, errexit: "maybe" }, within);
    const printed = scriptOutput(script, this.commands.slice(start));
    return {
      flow: { kind: "shell", item: flow },
      text: knownText(printed),
      maybe: collector.word()?.shape?.replace(/\n+$/, ""),
    };
  }

  /** Reads the commands inside `<(…)`. */
  process(script: Script, env: Env, context: Context, source: string): Flow {
    const start = this.commands.length;
    const collector = new OutputCollector(this.collectorBudget);
    const { flow } = this.script(script, env, { ...inside(context, "process-substitution", ""), collector });
    this.scripts.recordProcess(source, scriptOutput(script, this.commands.slice(start)) ?? collector.word());
    return { kind: "maybe", items: [flow], absorbs: "all" };
  }

  script(script: Script, env: Env, context: Context): Outcome {
    let at = env;
    let dead = false;
    let last: Outcome = { ok: env, fail: env, flow: NOTHING };
    const items: Flow[] = [];
    const errexit: Env["errexit"][] = [];
    for (const [index, { node, joined, background }] of script.statements.entries()) {
      errexit.push(at.errexit);
      const around = dead ? reachedFrom(undefined, at, context) : context;
      // Only the first statement reads the input.
      const isSame = index === 0 || (joined === context.joined && !context.stdin);
      const here = isSame ? around : { ...around, joined, stdin: undefined };
      if (background) {
        const { flow } = this.node(node, at, { ...here, background: true, stdin: undefined });
        items.push({ kind: "maybe", items: [flow], absorbs: "all" });
        last = { ok: at, fail: at, flow };
        continue;
      }
      last = this.node(node, at, here);
      items.push(last.flow);
      const next = join(last.ok, last.fail);
      dead ||= next === undefined;
      at = next ?? at;
    }
    const [only, more] = items;
    const flow = only && more === undefined && errexit[0] === "off" ? only : sequence(items, errexit);
    return dead ? { ok: undefined, fail: undefined, flow } : { ok: last.ok, fail: last.fail, flow };
  }

  node(node: Node, env: Env, context: Context): Outcome {
    this.step(NODE_STEPS);
    switch (node.kind) {
      case "simple":
        return readSimple(this, node, env, context);
      case "chain":
        return readChain(this, node, env, context);
      case "pipeline":
        return this.#pipeline(node, env, context);
      case "subshell": {
        const stdin = inputWithin(node.body, context);
        const { flow } = this.script(node.body, env, { ...inside(context, "subshell"), stdin });
        return { ok: env, fail: env, flow: { kind: "shell", item: flow } };
      }
      case "group":
        return this.script(node.body, env, { ...inside(context, "group"), stdin: inputWithin(node.body, context) });
      case "if":
        return readIf(this, node.branches, node.otherwise, env, context);
      case "while":
        return readWhile(this, node, env, context);
      case "for":
      case "select":
        return readFor(this, node, env, context);
      case "count":
        return readCount(this, node, env, context);
      case "case":
        return readCase(this, node, env, context);
      case "test": {
        const expansion = new Expansion(this, env, context);
        const [word] = node.words.map((parts) => expansion.single(parts));
        const { env: after, flows, risky } = expansion;
        const told = node.looksFor ? whereAbsent(word, node.looksFor === "none", after) : { ok: after, fail: after };
        return { ...told, flow: { kind: "nothing", before: flows, risky } };
      }
      case "function": {
        if (this.#defined.length >= MAX_FUNCTIONS) throw new Unreadable("more than 300 functions");
        this.#defined.push({ at: this.commands.length, name: node.name, body: node.body, context });
        const after = defineFunction(env, node.name, node.body);
        return { ok: after, fail: after, flow: NOTHING };
      }
      case "coproc": {
        const { flow } = this.node(node.body, env, {
          ...inside(context, "coproc"),
          background: true,
          collector: undefined,
        });
        const after = assign(env, node.name ?? "COPROC", UNKNOWN);
        return { ok: after, fail: after, flow: { kind: "maybe", items: [flow], absorbs: "all" } };
      }
      case "redirected":
        return this.#redirected(node, env, context);
    }
  }

  /** Reads the body of a function with the arguments of a call. */
  call(name: string, body: Node, args: readonly string[] | undefined, env: Env, context: Context): Outcome {
    this.#called.add(body);
    const inner = { ...this.deeper(inside(context, "function", "")), calls: [...context.calls, { name, body }] };
    const found = changesOfNode(body);
    const { ok, fail, flow } = this.node(body, { ...env, positional: args }, inner);
    const restore = (after: Env | undefined): Env | undefined => {
      if (!after) return after;
      const kept = found.jumps ? weaken(after, found) : after;
      return assignUnknown({ ...kept, positional: env.positional }, found.locals);
    };
    if (!found.jumps) return { ok: restore(ok), fail: restore(fail), flow };
    const after = restore(join(join(ok, fail), env));
    return { ok: after, fail: after, flow: { kind: "maybe", items: [flow], absorbs: "return" } };
  }

  /** Lists the commands of functions that are never called, at the position of their definition. */
  #listUncalled(from: number): void {
    for (const { at, name, body, context } of this.#defined.splice(from).toReversed()) {
      if (this.#called.has(body)) continue;
      const end = this.commands.length;
      const defined = this.#defined.length;
      const env = { ...forget(this.#start), functions: new Map() };
      this.node(body, env, { ...inside(context, "function", ""), calls: [{ name, body }], uncalled: true });
      this.#listUncalled(defined);
      this.commands.splice(at, 0, ...this.commands.splice(end));
    }
  }

  /** Reads the commands inside words whose values are not needed. */
  words(words: readonly Parts[], env: Env, context: Context): Expansion {
    const expansion = new Expansion(this, env, context);
    for (const word of words) expansion.evaluate(word);
    return expansion;
  }

  #pipeline(node: Extract<Node, { kind: "pipeline" }>, env: Env, context: Context): Outcome {
    const [only, more] = node.items;
    const negated = node.negated ? !context.negated : context.negated;
    const turn = ({ ok, fail, flow }: Outcome): Outcome =>
      node.negated ? { ok: fail, fail: ok, flow: { kind: "not", item: flow } } : { ok, fail, flow };
    if (only && more === undefined) return turn(this.node(only, env, node.negated ? { ...context, negated } : context));
    const flows: Flow[] = [];
    let stdin: Context["stdin"];
    let { upstream } = context;
    for (const [index, item] of node.items.entries()) {
      const joined = (index === 0 ? undefined : node.operators[index - 1]) ?? context.joined;
      const start = this.commands.length;
      const goesOn = index < node.items.length - 1;
      const collector = goesOn ? new OutputCollector(this.collectorBudget) : context.collector;
      const here = { ...inside(context, "pipeline", joined), negated, stdin, upstream, collector };
      flows.push(this.node(item, env, here).flow);
      if (!goesOn) break;
      const single = item.kind === "simple" && this.commands.length === start + 1 ? this.commands[start] : undefined;
      stdin = (single && literalOutput(single, stdin)) ?? collector?.word();
      if (stdin) this.countPiped(stdin.text.length);
      upstream = this.commands.slice(start);
    }
    return turn({ ok: env, fail: env, flow: { kind: "pipeline", items: flows, pipefail: env.pipefail } });
  }

  #redirected(node: Extract<Node, { kind: "redirected" }>, env: Env, context: Context): Outcome {
    const expansion = new Expansion(this, env, context);
    const slot = redirectionCommand(this, node.at, env, context);
    const start = this.commands.length;
    slot.command.redirections = expandRedirects(expansion, node.redirects);
    const leaves = redirectsOutput(slot.command) ? new OutputCollector(this.collectorBudget) : undefined;
    // `done < <(…)` has the same input as a loop at the end of a pipeline.
    const isFed = slot.command.redirections.some(({ operator, target }) => operator === "<" && target?.text[0] === "<");
    const upstream = isFed ? this.commands.slice(start) : context.upstream;
    const stdin = stdinOf(this, slot.command, context);
    const within = { ...context, stdin, upstream, collector: leaves ?? context.collector };
    const outcome = this.node(node.node, expansion.env, within);
    this.scripts.recordOutput(slot.command, leaves?.word());
    const command = slot.flow(expansion);
    const risky = command.risky || command.fragile;
    const flow: Flow = { kind: "redirected", command, item: outcome.flow, risky };
    return withRedirectionFailure({ ...outcome, flow }, command.risky, expansion.env);
  }
}
