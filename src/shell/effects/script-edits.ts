import { kept } from "../../core/kept.ts";
import { ACTIONS } from "./script-actions.ts";
import { unlabelled } from "./script-parts.ts";
import type { Call, Node, Script } from "./script-tree.ts";
import { HOLE, type Values } from "./script-values.ts";

/** Take a file's name, and give what is in it. */
const READERS =
  /(?:^|\.)(?:readFileSync|readFile|readTextFile|readTextFileSync|file_get_contents|File\.read|File\.readlines|IO\.read|IO\.readlines|file)$/;
/** The same, called on the name. */
const OWN_READERS = /^(?:read_text|read_bytes)$/;
const OPENERS = /^(?:open|io\.open|File\.open|File\.new|fopen)$/;
const ONLY_READS = /^(?:r[bt]?)?$/;

const found = kept<Script, ReadonlySet<string>>();

/** Is a file that the script writes one it has read? Then that is an edit, as `sed -i` is one. */
export function isEdited(file: string, script: Script, values: Values): boolean {
  let read = found.get(script);
  if (!read) {
    read = filesRead(script, values);
    found.set(script, read);
  }
  return read.has(file);
}

function filesRead({ nodes }: Script, values: Values): ReadonlySet<string> {
  const files = new Set<string>();
  for (const node of nodes) {
    const named = node.t === "call" ? nameRead(node, values) : undefined;
    const text = named && values.text(named);
    if (text !== undefined && !text.includes(HOLE)) files.add(text);
  }
  return files;
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

/** The name that a file is put in the place of: the second argument, or the only one where the file is a path itself. */
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

function isPath(node: Node, values: Values, depth = 0): boolean {
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
