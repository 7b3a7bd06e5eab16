import { type Context, inside, type Outcome } from "../expand/context.ts";
import type { Flow } from "../expand/flow.ts";
import { type Env, join } from "../expand/variables.ts";
import type { Branch, Node, Script } from "../parse/syntax.ts";
import type { Reader } from "./reader.ts";

type Chain = Extract<Node, { kind: "chain" }>;

/** The context of code that is never reached: `x` of `false && x`, everything after `exit`. */
function unreached(context: Context): Context {
  return context.uncalled ? context : { ...context, uncalled: true };
}

/** The context of code that is reached in the state `way`. After an alias or `source` all code may be reached. */
export function reachedFrom(way: Env | undefined, env: Env, context: Context): Context {
  return way === undefined && !env.forgotten && env.aliases.size === 0 ? unreached(context) : context;
}

/** What does not run has no outcome. */
function reachedOutcome(outcome: Outcome, way: Env | undefined): Outcome {
  return way === undefined ? { ok: undefined, fail: undefined, flow: outcome.flow } : outcome;
}

export function readChain(reader: Reader, node: Chain, env: Env, context: Context): Outcome {
  let ok: Env | undefined = env;
  let fail: Env | undefined = env;
  const flows: Flow[] = [];
  for (const [index, item] of node.items.entries()) {
    const operator = index === 0 ? undefined : node.operators[index - 1];
    const way: Env | undefined = operator === "||" ? fail : ok;
    const here = operator === undefined || operator === context.joined ? context : { ...context, joined: operator };
    const outcome = reachedOutcome(reader.node(item, way ?? env, reachedFrom(way, env, here)), way);
    flows.push(outcome.flow);
    if (operator === "&&") fail = join(fail, outcome.fail);
    else fail = outcome.fail;
    ok = operator === "||" ? join(ok, outcome.ok) : outcome.ok;
  }
  return { ok, fail, flow: { kind: "chain", items: flows, operators: node.operators } };
}

export function readIf(
  reader: Reader,
  branches: readonly Branch[],
  otherwise: Script | undefined,
  env: Env,
  context: Context,
): Outcome {
  let at: Env | undefined = env;
  let ok: Env | undefined;
  let fail: Env | undefined;
  const flows: { test: Flow; body: Flow }[] = [];
  const script = (part: Script, way: Env | undefined, here: Context): Outcome =>
    reachedOutcome(reader.script(part, way ?? env, reachedFrom(way, env, here)), way);
  for (const { test, body } of branches) {
    const tested = script(test, at, inside(context, "condition"));
    const done = script(body, tested.ok, inside(context, "condition", ""));
    flows.push({ test: tested.flow, body: done.flow });
    ok = join(ok, done.ok);
    fail = join(fail, done.fail);
    at = tested.fail;
  }
  const rest = otherwise && script(otherwise, at, inside(context, "condition", ""));
  const flow: Flow = { kind: "if", branches: flows, otherwise: rest?.flow };
  return { ok: rest ? join(ok, rest.ok) : join(ok, at), fail: rest ? join(fail, rest.fail) : fail, flow };
}
