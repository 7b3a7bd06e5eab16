import { type Context, inside, type Outcome } from "../expand/context.ts";
import { Expansion } from "../expand/expand.ts";
import { type Flow, NOTHING, sequence } from "../expand/flow.ts";
import { wordValue } from "../expand/values.ts";
import { assign, assignUnknown, type Env, forget, hasAttributes, join, UNKNOWN } from "../expand/variables.ts";
import { changesOf, changesOfNode, type StateChanges, sizeOf } from "../parse/state-changes.ts";
import type { Node, Script } from "../parse/syntax.ts";
import { reachedFrom } from "./branches.ts";
import type { Reader } from "./reader.ts";

/** A loop with an unknown number of rounds: what it may change is unknown from the first round on. */
export function readLoop(reader: Reader, parts: readonly Script[], env: Env, context: Context, until = false): Outcome {
  const start = parts.reduce((at, part) => weaken(at, changesOf(part)), env);
  let at: Env | undefined = start;
  const flows = parts.map((part) => {
    const here = reachedFrom(at, start, inside(context, "loop", ""));
    const { ok, fail, flow } = reader.script(part, at ?? start, here);
    at = until ? fail : ok;
    return flow;
  });
  return { ok: start, fail: start, flow: { kind: "maybe", items: flows, absorbs: "break" } };
}

type Loop = Extract<Node, { kind: "for" | "select" }>;

/** A loop over words on the line is read round by round, so that its commands have their words. */
export function readFor(reader: Reader, node: Loop, env: Env, context: Context): Outcome {
  const expansion = new Expansion(reader, env, context);
  const words = node.words?.flatMap((word) => expansion.word(word));
  const items = words ?? expansion.env.positional?.map((text) => ({ text, known: true }));
  reader.noteLoop(node.name, items);
  const found = changesOf(node.body);
  const steady = !found.everything && !found.moves && found.names.size === 0;
  const rounds = items?.length ?? Number.POSITIVE_INFINITY;
  const before: readonly Flow[] = [
    ...expansion.flows,
    ...(hasAttributes(expansion.env, node.name) ? [{ ...NOTHING, risky: true }] : []),
  ];
  if (node.kind === "select" || !items || (found.jumps && !steady) || !reader.mayUnroll(rounds, sizeOf(node.body))) {
    const { ok, fail, flow } = readLoop(reader, [node.body], assign(expansion.env, node.name, UNKNOWN), context);
    return { ok, fail, flow: sequence([...before, flow]) };
  }
  let at = expansion.env;
  const flows: Flow[] = [];
  const errexit: Env["errexit"][] = [];
  for (const item of items) {
    errexit.push(at.errexit);
    const outcome = reader.script(node.body, assign(at, node.name, wordValue(item)), inside(context, "loop", ""));
    flows.push(outcome.flow);
    at = join(outcome.ok, outcome.fail) ?? at;
  }
  const sure = !found.jumps && items.every((item) => item.known);
  const flow: Flow = sure ? sequence(flows, errexit) : { kind: "maybe", items: flows, absorbs: "break" };
  const after = sure ? at : (join(at, weaken(expansion.env, found)) ?? at);
  return { ok: after, fail: after, flow: sequence([...before, flow]) };
}

export function readCount(reader: Reader, node: Extract<Node, { kind: "count" }>, env: Env, context: Context): Outcome {
  const { env: after, flows } = reader.words([node.head], env, context);
  const outcome = readLoop(reader, [node.body], assignUnknown(after, changesOfNode(node).names), context);
  return { ...outcome, flow: sequence([...flows, outcome.flow]) };
}

export function readCase(reader: Reader, node: Extract<Node, { kind: "case" }>, env: Env, context: Context): Outcome {
  const word = reader.words([node.word], env, context);
  // The shell expands patterns only until one matches.
  const patterns = reader.words(
    node.branches.flatMap((branch) => branch.patterns),
    word.env,
    context,
  );
  const start = patterns.env === word.env ? word.env : forget(word.env);
  let after: Env | undefined = start;
  let falling: Env | undefined;
  const bodies: Flow[] = [...patterns.flows];
  for (const { body, falls } of node.branches) {
    const { ok, fail, flow } = reader.script(body, join(start, falling) ?? start, inside(context, "case", ""));
    bodies.push(flow);
    after = join(after, join(ok, fail));
    falling = falls ? join(ok, fail) : undefined;
  }
  const flow: Flow = { kind: "maybe", items: bodies, absorbs: "none" };
  return { ok: after, fail: after, flow: sequence([...word.flows, flow]) };
}

/** What is still known after something has run any number of times. */
export function weaken(env: Env, found: StateChanges): Env {
  if (found.everything || [...found.calls].some((name) => env.functions.has(name))) return forget(env);
  const after = assignUnknown(env, found.names);
  return found.moves ? { ...after, cwds: undefined } : after;
}
