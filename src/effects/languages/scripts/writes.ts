import { posix } from "node:path";
import { ADDRESS } from "./actions.ts";
import { isPath, placeTaken } from "./edits.ts";
import { unlabelled } from "./parts.ts";
import type { Call, Node, Script } from "./tree.ts";
import { actionOf, type Values } from "./values.ts";

/** A file that a call opens for writing or puts something into. */
export interface Written {
  readonly target: Node | undefined;
  /** Nothing is put in. */
  readonly empties: boolean;
}

const FILLS = /^(?:write\w*|dump|print|puts|save\w*|copyfileobj|fwrite|fputs|extractall|to_csv|to_json)$/i;
const READS = /^(?:read\w*|fread|fgets|file_get_contents|getline|gets|each_line|load)$/i;
const OPENERS = /^(?:open|io\.open|codecs\.open|File\.open|File\.new|fopen|fs\.openSync)$/;

/** The file that a call writes, if it does. */
export function writtenBy(node: Call, script: Script, values: Values): Written | undefined {
  switch (actionOf(node, script, values)) {
    case "write":
      return writtenAtOnce(node, script);
    case "open":
      return openedForWriting(node, script, values);
    case "open-flags":
      return openedByFlags(node, script);
    case "replace":
      return { target: placeTaken(node, script, values), empties: false };
    case "download":
      return { target: downloadedTo(node, values), empties: false };
    case "truncate":
      return { target: node.args[0], empties: true };
    case "truncate-handle":
      return handleEmptied(node, script, values);
    default:
      return undefined;
  }
}

/** The second argument, or the last part of the address. */
function downloadedTo({ args }: Call, values: Values): Node | undefined {
  const [address, file] = args;
  if (file) return ["out", "filename"].reduce(unlabelled, file);
  const text = values.text(address) ?? "";
  return ADDRESS.test(text) ? { t: "string", text: posix.basename(text) } : undefined;
}

function hasName({ tokens }: Script, names: RegExp): boolean {
  return tokens.some(({ type, text }) => type === "name" && names.test(text));
}

/** `Path("a").write_text(content)`, `fs.writeFileSync("a", content)` */
function writtenAtOnce({ callee, args }: Call, { language }: Script): Written {
  const own = callee.t === "member" && language === "python";
  const content = args[own ? 0 : 1];
  return { target: own ? callee.of : args[0], empties: content?.t === "string" && content.text === "" };
}

/** `open("a", "w")`, `open(F, ">", "a")`, `Path("a").open("w")`; nothing where it is only read. */
function openedForWriting({ callee, args }: Call, script: Script, values: Values): Written | undefined {
  const empties = !hasName(script, FILLS);
  if (script.language === "perl") {
    const mode = values.text(args[1]);
    if (args.length > 2)
      return mode !== undefined && /^\+?>(?!>)/.test(mode) ? { target: args[2], empties } : undefined;
    const name = /^\s*\+?>(?!>)\s*(.*)$/.exec(mode ?? "")?.[1];
    return name === undefined ? undefined : { target: { t: "string", text: name }, empties };
  }
  const own = callee.t === "member" && isPath(callee.of, values);
  const mode = args[own ? 0 : 1];
  const text = mode && values.text(unlabelled(mode, "mode"));
  if (text === undefined || !/^w/.test(text)) return undefined;
  return { target: own ? callee.of : args[0], empties };
}

/** `os.open("a", os.O_WRONLY | os.O_TRUNC)` */
function openedByFlags({ args }: Call, script: Script): Written | undefined {
  if (!hasName(script, /^O_TRUNC$/)) return undefined;
  return { target: args[0], empties: !hasName(script, FILLS) };
}

/** `f.truncate(0)`, `ftruncate($f, 0)`: of a file that is read before, what was read may be written again. */
function handleEmptied({ callee, args }: Call, script: Script, values: Values): Written | undefined {
  const handle = callee.t === "member" ? callee.of : args[0];
  const opened = handle?.t === "name" ? values.lastGiven(handle.text) : handle;
  if (opened?.t !== "call" || !OPENERS.test(values.path(opened.callee)) || hasName(script, READS)) return undefined;
  return { target: opened.args[0], empties: true };
}

/** A command at the other end of what is opened: `open(P, "| sh")`, `open(P, "-|", "ls", "-l")`, `open("|ls")`. */
export function openedCommand(
  { args }: Call,
  { language }: Script,
  values: Values,
): string | readonly Node[] | undefined {
  if (language === "ruby") return /^\|(.*)$/s.exec(values.text(args[0]) ?? "")?.[1];
  if (language !== "perl") return undefined;
  const mode = values.text(args[1]) ?? "";
  if (args.length > 2) return /^(?:-\||\|-)$/.test(mode) ? args.slice(2) : undefined;
  return /^\s*\|(.*)$/s.exec(mode)?.[1] ?? /^(.*)\|\s*$/s.exec(mode)?.[1];
}
