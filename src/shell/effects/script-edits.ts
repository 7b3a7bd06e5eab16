import { kept } from "../../core/kept.ts";
import { unlabelled } from "./script-parts.ts";
import type { Call, Script } from "./script-tree.ts";
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
