import { itemsOf } from "./lists.ts";
import { unlabelled } from "./parts.ts";
import type { Call, Node } from "./tree.ts";
import type { Values } from "./values.ts";

/** What a call starts: a program and its words, or one line for a shell. */
export function startedBy({ args }: Call, values: Values): readonly Node[] | Node | undefined {
  const [first, second] = args.map((arg) => unnamed(unlabelled(arg, "args"), values));
  if (!first) return undefined;
  if (first.t === "list" && first.items.length > 1) return first.items;
  if (second?.t === "list") return [first, ...second.items];
  if (second?.t === "object") {
    const given = second.items.find((item) => item.t === "op" && item.left.t === "name" && item.left.text === "args");
    if (given?.t === "op" && given.right.t === "list") return [first, ...given.right.items];
  }
  const plain = args.filter((arg) => arg.t === "string" || arg.t === "name");
  if (plain.length > 1 && plain.length === args.length) return args;
  // A program alone, with nothing to do, is no command line worth reading.
  return first;
}

/** A list that was given a name first, made of a text, or put together of two. */
function unnamed(node: Node, values: Values): Node {
  const items = itemsOf(node, values);
  if (items) return { t: "list", items };
  if (node.t === "op" && node.op === "+") {
    const sides = [unnamed(node.left, values), unnamed(node.right, values)];
    // Of what is no list nobody knows how many words it is.
    if (sides.some(({ t }) => t === "list"))
      return {
        t: "list",
        items: sides.flatMap((side) => (side.t === "list" ? side.items : [{ t: "other" } as const])),
      };
  }
  if (node.t === "call" && /(?:^|\.)split$/.test(values.path(node.callee))) {
    const source =
      node.callee.t === "member" && values.text(node.callee.of) !== undefined ? node.callee.of : node.args[0];
    return source ?? node;
  }
  return node.t === "name" ? (values.lastGiven(node.text) ?? node) : node;
}
