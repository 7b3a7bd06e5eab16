import { deletedAddress } from "../../line/addresses.ts";
import type { Call, Node } from "./tree.ts";
import type { Values } from "./values.ts";

const DELETES = /^del(?:ete)?$/i;

/** Whatever the library is called: `x.delete(address)`, or a call that is given the method and the address. */
export function deletedByRequest({ callee, args }: Call, values: Values): string | undefined {
  const own = callee.t === "member" && DELETES.test(callee.name);
  const parts = args.flatMap(valuesIn);
  // Looked at first: what a text stands for is worked out for few calls.
  if (!own && !parts.some((part) => part.t === "string" && DELETES.test(part.text))) return undefined;
  const texts = parts.flatMap((part) => values.text(part) ?? []);
  return deletedAddress(own ? ["DELETE", ...texts] : texts);
}

/** The arguments, of those with labels what stands behind the label. */
function valuesIn(node: Node): readonly Node[] {
  if (node.t === "object") return node.items.flatMap((item) => (item.t === "op" ? valuesIn(item) : []));
  return node.t === "op" && /^(?:=|:|=>)$/.test(node.op) ? valuesIn(node.right) : [node];
}
