import { HOLE } from "./texts.ts";
import type { Call, Node } from "./tree.ts";

/** The part of `Values` that is needed here. */
interface Names {
  lastGiven(name: string): Node | undefined;
}
type TextOf = (node: Node | undefined) => string | undefined;

const REVERSES = /^(?:reverse|reversed|array_reverse|toReversed)$/;
/** Of one list: names in it may stand for lists with further names. */
const MOST_STEPS = 500;

/** The items of a list that is written out: names are followed, lists in lists taken apart, reversals done. */
export function itemsOf(start: Node | undefined, values: Names): readonly Node[] | undefined {
  let steps = 0;
  const items = (node: Node | undefined): readonly Node[] | undefined => {
    if (!node || ++steps > MOST_STEPS) return undefined;
    switch (node.t) {
      case "list":
        return node.items.flatMap((item) => items(item) ?? [item]);
      case "name":
        return items(values.lastGiven(node.text));
      case "index":
        return node.reversed ? items(node.of)?.toReversed() : undefined;
      case "member":
        return REVERSES.test(node.name) ? items(node.of)?.toReversed() : undefined;
      case "call":
        return ofCall(node);
      default:
        return undefined;
    }
  };
  /** `list.reverse()`; `reverse("a", "b")`, `reversed(list)`. */
  const ofCall = ({ callee, args }: Call): readonly Node[] | undefined => {
    if (callee.t === "member") return args.length === 0 ? items(callee) : undefined;
    const isReversed = callee.t === "name" && REVERSES.test(callee.text);
    return isReversed ? items({ t: "list", items: args })?.toReversed() : undefined;
  };
  return items(start);
}

/**
 * The text that a call of `join` makes: `" ".join(list)` in Python, `list.join(" ")` in JavaScript and Ruby,
 * `join(" ", list)` in Perl and PHP.
 */
export function joinedList({ callee, args }: Call, values: Names, textOf: TextOf): string | undefined {
  const of = callee.t === "member" ? callee.of : undefined;
  const own = of && itemsOf(of, values);
  const [by, list] = own ? [args[0], own] : of ? [of, itemsOf(args[0], values)] : [args[0], itemsOfRest(args, values)];
  if (!list) return undefined;
  const between = by ? (textOf(by) ?? "") : ",";
  return list.map((item) => textOf(item) ?? HOLE).join(between);
}

function itemsOfRest([, ...rest]: readonly Node[], values: Names): readonly Node[] | undefined {
  return rest.length === 0 ? undefined : itemsOf({ t: "list", items: rest }, values);
}
