import type { Word } from "../../../shell/command.ts";
import { isSecretPath } from "../../line/secrets.ts";
import type { Node } from "./tree.ts";
import type { Values } from "./values.ts";

const MAX_PARTS = 200;

/** `name=value` as the value, when it is the given name. */
export function unlabelled(node: Node, name: string): Node {
  return node.t === "op" && node.op === "=" && node.left.t === "name" && node.left.text === name ? node.right : node;
}

export function isOn(node: Node | undefined, name: string): boolean {
  return (
    node?.t === "object" &&
    node.items.some(
      (item) =>
        item.t === "op" &&
        item.left.t !== "other" &&
        "text" in item.left &&
        item.left.text === name &&
        !(item.right.t === "name" && item.right.text === "false"),
    )
  );
}

export function asName(node: Node): Node {
  return node.t === "string" ? { t: "name", text: node.text } : node;
}

export function asWord(text: string): Word {
  if (/[\uf000-\uf0ff]/.test(text)) return { text: shownText(text), known: false, shape: text };
  return /[*?[]/.test(text) ? { text, known: false, glob: true, shape: text } : { text, known: true };
}

export function shownText(text: string): string {
  return text.replace(/[\uf000-\uf0ff]/g, "…");
}

export function isDevice(text: string): boolean {
  return /^\/dev\/(?!null|std|tty|fd\/|shm\/|zero|full|u?random)/.test(text);
}

/** The value of `cwd=…` or `{ cwd: … }` in an argument. */
export function folderOption(node: Node): Node | undefined {
  if (node.t === "op" && node.left.t === "name" && node.left.text === "cwd") return node.right;
  if (node.t !== "object") return undefined;
  return node.items.map((item) => (item.t === "op" ? folderOption(item) : undefined)).find((one) => one !== undefined);
}

/** Everything that a value is made of, names followed. */
export function madeOf(start: Node, values: Values): readonly Node[] {
  const found = new Set<Node>([start]);
  for (const node of found) {
    if (found.size > MAX_PARTS) break;
    for (const part of partsOf(node, values)) found.add(part);
  }
  return [...found];
}

function partsOf(node: Node, values: Values): readonly Node[] {
  switch (node.t) {
    case "call":
      return [node.callee, ...node.args];
    case "member":
    case "index":
      return [node.of];
    case "list":
    case "object":
      return node.items;
    case "op":
      return [node.left, node.right];
    case "name":
      return [values.lastGiven(node.text) ?? node];
    default:
      return [];
  }
}

const ENVIRONMENT = /^(?:os\.environ|process\.env|ENV|\$_ENV|\$_SERVER|Deno\.env\.toObject\(\))$/;
const WHOLE = /^(?:copy|items|to_h|to_a|to_json|inspect|map|entries)$/;

/** The environment as a whole, not one variable of it. */
function holdsEnvironment(parts: readonly Node[], values: Values): boolean {
  const single = new Set(
    parts.flatMap((part) => (part.t === "index" || (part.t === "member" && !WHOLE.test(part.name)) ? [part.of] : [])),
  );
  return parts.some(
    (part) => (part.t === "member" || part.t === "name") && !single.has(part) && ENVIRONMENT.test(values.path(part)),
  );
}

const SENDS =
  /(?:^|\.)(?:requests\.(?:post|put|request)|httpx\.(?:post|put)|urlopen|fetch|axios(?:\.(?:post|put))?|Net\.HTTP\.post(?:_form)?|https?\.request\(\)\.(?:end|write)|file_get_contents)$/;
const READS = /^(?:open|io\.open|fs\.readFileSync|fs\.readFile|File\.read|IO\.read|file_get_contents|pathlib\.Path)$/;

/** What a call sends away that nobody should have: a secret file, or all variables. */
export function sentSecret(path: string, args: readonly Node[], values: Values): string | undefined {
  if (!SENDS.test(path) || /^https?:\/\/(?:localhost|127\.)/.test((args[0] && values.text(args[0])) ?? ""))
    return undefined;
  const addressed = path !== "file_get_contents" || /^https?:/.test((args[0] && values.text(args[0])) ?? "");
  if (!addressed) return undefined;
  const parts = args.flatMap((arg) => madeOf(arg, values));
  if (holdsEnvironment(parts, values)) return "every variable of the environment";
  return parts
    .map((part) => (part.t === "call" && READS.test(values.path(part.callee)) ? values.text(part.args[0]) : undefined))
    .find((text) => text !== undefined && isSecretPath(text));
}
