import type { Word } from "../command.ts";
import { type Context, inside, type Outcome } from "../expand/context.ts";
import type { Flow } from "../expand/flow.ts";
import { type Env, join } from "../expand/variables.ts";
import { changesOf, sizeOf } from "../parse/state-changes.ts";
import { isParts, type Node, type Script } from "../parse/syntax.ts";
import { hasPlaceholder } from "../placeholders.ts";
import { readLoop, weaken } from "./loops.ts";
import type { Reader } from "./reader.ts";

type While = Extract<Node, { kind: "while" }>;

/** `while read x; do …`: if its input is known, the loop is read once for each line of the input. */
export function readWhile(reader: Reader, node: While, env: Env, context: Context): Outcome {
  const { test, body, until } = node;
  const lines = until ? undefined : linesFor(test, context.stdin);
  if (!lines || !reader.mayUnroll(lines.length, sizeOf(test) + sizeOf(body)))
    return readLoop(reader, [test, body], env, context, until);
  const here = inside(context, "loop", "");
  const found = changesOf(body);
  const steady = !found.everything && !found.moves && found.names.size === 0;
  const jumpy = found.jumps && !steady;
  const flows: Flow[] = [];
  let at = env;
  for (const text of lines) {
    const told = reader.script(test, at, { ...here, stdin: { text: `${text}\n`, known: true } });
    const done = reader.script(body, told.ok ?? at, here);
    flows.push(told.flow, done.flow);
    // A round that may end anywhere leaves an unknown state, so each round begins with the state before the loop.
    if (!jumpy) at = join(done.ok, done.fail) ?? at;
  }
  // There may be more input than is known, and further rounds begin with another state.
  if (jumpy || !context.stdin?.known) flows.push(readLoop(reader, [test, body], env, context).flow);
  const after = weaken(weaken(env, changesOf(test)), found);
  return { ok: after, fail: after, flow: { kind: "maybe", items: flows, absorbs: "break" } };
}

/** The input of a group or subshell is passed on to a `read` that is its first command, and to no other command. */
export function inputWithin(body: Script, { stdin }: Context): Word | undefined {
  const first = body.statements[0]?.node;
  return stdin?.known && first && readsPlainly(firstOf(first)) ? stdin : undefined;
}

function linesFor(test: Script, stdin: Word | undefined): readonly string[] | undefined {
  const [statement, more] = test.statements;
  if (!stdin || !statement || more || !readsPlainly(firstOf(statement.node))) return undefined;
  const text = stdin.known ? stdin.text : stdin.shape;
  if (text === undefined) return undefined;
  const lines = text.split("\n");
  // For a last line without a newline `read` assigns and fails, which `read x || [ -n "$x" ]` takes into account.
  const last = lines.pop() ?? "";
  const all = last !== "" && statement.node.kind === "chain" ? [...lines, last] : lines;
  const whole = all.filter((line) => !hasPlaceholder(line));
  return whole.length > 0 ? whole : undefined;
}

function firstOf(node: Node): Node {
  return node.kind === "chain" && node.items[0] ? firstOf(node.items[0]) : node;
}

/** `read`, `read -r a b`: reads a line that ends at the newline. */
function readsPlainly(node: Node): boolean {
  if (node.kind !== "simple" || node.redirects.length > 0) return false;
  const [program, ...words] = node.words.map((word) => {
    const [only, other] = isParts(word) ? word : [];
    return only?.kind === "text" && other === undefined ? only.text : undefined;
  });
  return program === "read" && words.every((word) => /^(?:-[ers]+|[A-Za-z_]\w*)$/.test(word ?? ""));
}
