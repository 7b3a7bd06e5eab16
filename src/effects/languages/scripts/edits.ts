import { ACTIONS } from "./actions.ts";
import { madeOf, unlabelled } from "./parts.ts";
import { HOLE } from "./texts.ts";
import type { Call, Node, Script } from "./tree.ts";
import type { Values } from "./values.ts";

/** Take a file's name, and give what is in it. */
const READERS =
  /(?:^|\.)(?:readFileSync|readFile|readTextFile|readTextFileSync|file_get_contents|File\.read|File\.readlines|IO\.read|IO\.readlines|file)$/;
/** The same, called on the name. */
const OWN_READERS = /^(?:read_text|read_bytes)$/;
const OPENERS = /^(?:open|io\.open|codecs\.open|fs\.openSync|File\.open|File\.new|fopen)$/;
const ONLY_READS = /^(?:r[bt]?)?$/;

/** The node that reads a file first, as a place in the script. */
const found = new WeakMap<Script, ReadonlyMap<string, number>>();
/** What stands in a function is run when it is called, which may be in any order. */
const FUNCTIONS = /^(?:def|function|lambda|fn|sub|=>)$/;

/**
 * Is a file that the script writes one it has read? Then that is an edit, as `sed -i` is one. Opening it for writing
 * empties it, so what is read from it only afterwards is no longer there.
 */
export function readOf(
  file: string,
  by: Call,
  script: Script,
  values: Values,
): "before" | "after" | "for itself" | undefined {
  let read = found.get(script);
  if (!read) {
    read = filesRead(script, values);
    found.set(script, read);
  }
  const at = read.get(file);
  if (at === undefined) return undefined;
  // Inner expressions come first in the list, as they are the first to be run.
  if (at < script.nodes.indexOf(by)) return "before";
  if (script.tokens.some(({ type, text }) => type !== "string" && FUNCTIONS.test(text))) return "before";
  return isPutBack(file, by, script, values) ? "for itself" : "after";
}

/** `open("a", "w").write(open("a").read())`: whoever writes that knows that there is such a file. */
function isPutBack(file: string, by: Call, { nodes }: Script, values: Values): boolean {
  const isHandle = (node: Node): boolean => node === by || (node.t === "name" && values.lastGiven(node.text) === by);
  const isRead = (part: Node): boolean => {
    const named = part.t === "call" ? nameRead(part, values) : undefined;
    return named !== undefined && values.text(named) === file;
  };
  return nodes.some(
    (node) =>
      node.t === "call" &&
      node.callee.t === "member" &&
      isHandle(node.callee.of) &&
      node.args.some((arg) => madeOf(arg, values).some(isRead)),
  );
}

function filesRead({ nodes }: Script, values: Values): ReadonlyMap<string, number> {
  const files = new Map<string, number>();
  nodes.forEach((node, at) => {
    const named = node.t === "call" ? nameRead(node, values) : undefined;
    const text = named && values.text(named);
    if (text === undefined || text.includes(HOLE) || files.has(text)) return;
    const opens = node.t === "call" && OPENERS.test(values.path(node.callee));
    files.set(text, opens ? whenRead(at, nodes) : at);
  });
  return files;
}

/** `with open("a") as f`, `f = open("a")`: nothing is read before the name is used. */
function whenRead(at: number, nodes: Script["nodes"]): number {
  const next = nodes[at + 1];
  const bound =
    next?.t === "op" && next.op === "=" && next.right === nodes[at] && next.left.t === "name" ? next.left : next;
  if (bound?.t !== "name") return at;
  const used = nodes.findIndex((node, index) => index > at + 1 && node.t === "name" && node.text === bound.text);
  return used < 0 ? at : used;
}

function nameRead({ callee, args }: Call, values: Values): Call["args"][number] | undefined {
  if (callee.t === "member" && OWN_READERS.test(callee.name)) return callee.of;
  const path = values.path(callee);
  if (READERS.test(path)) return args[0];
  if (!OPENERS.test(path)) return undefined;
  const mode = args[1] ? values.text(unlabelled(args[1], "mode")) : "";
  // What follows the name may be another option: `encoding="utf-8"`.
  return mode === undefined || ONLY_READS.test(mode) ? args[0] : undefined;
}

/** The file that a call replaces: the second argument, or the only one where the call is a method of a path. */
export function placeTaken({ callee, args }: Call, { language }: Script, values: Values): Node | undefined {
  if (ACTIONS[language].has(values.path(callee))) return args[1];
  // Texts, dates and tables have methods of the same names.
  const [only, more] = args;
  return only && more === undefined && callee.t === "member" && isPath(callee.of, values)
    ? unlabelled(only, "target")
    : undefined;
}

const PATHS = /(?:^|\.)(?:Path|PosixPath|WindowsPath)(?:\.cwd|\.home)?$/;
/** Methods by which one path gives another. */
const OTHER_PATHS = /^(?:resolve|absolute|expanduser|with_name|with_stem|with_suffix|joinpath)$/;

export function isPath(node: Node, values: Values, depth = 0): boolean {
  if (depth > 10) return false;
  if (node.t === "op") return node.op === "/" && isPath(node.left, values, depth + 1);
  if (node.t === "name") {
    const given = values.lastGiven(node.text);
    return given !== undefined && isPath(given, values, depth + 1);
  }
  if (node.t !== "call") return false;
  if (PATHS.test(values.path(node.callee))) return true;
  return node.callee.t === "member" && OTHER_PATHS.test(node.callee.name) && isPath(node.callee.of, values, depth + 1);
}
