import { ADDRESS, NETWORK } from "./actions.ts";
import type { Node, Script } from "./tree.ts";
import { actionOf, type Values } from "./values.ts";
import { writtenBy } from "./writes.ts";

/** A call that reads from an address. */
export function isNetwork(node: Node, values: Values, unless = /^$/): boolean {
  if (node.t !== "call") return false;
  const path = values.path(node.callee);
  if (!NETWORK.test(path) || unless.test(path)) return false;
  if (!/^(?:open|get|file_get_contents)$/.test(path)) return true;
  return ADDRESS.test(values.text(node.args[0]) ?? "");
}

/** Files that a script writes when it also reads from an address: what it downloads. */
export function downloadedFiles(script: Script, values: Values): readonly string[] {
  if (!script.tokens.some(({ type, text }) => type === "string" && ADDRESS.test(text))) return [];
  const written = script.nodes.flatMap((node) => {
    const target = node.t === "call" ? writtenBy(node, script, values)?.target : undefined;
    return values.text(target) ?? [];
  });
  if (written.length === 0) return [];
  const isFetch = (node: Node): boolean =>
    isNetwork(node, values) ||
    (node.t === "call" &&
      /^(?:download|replace)$/.test(actionOf(node, script, values) ?? "") &&
      ADDRESS.test(values.text(node.args[0]) ?? ""));
  return script.nodes.some(isFetch) ? written : [];
}

/** `import("https://…")`, `import x from "https://…"`: the address. */
export function importedAddress({ tokens, language }: Script): string | undefined {
  if (language !== "js") return undefined;
  return tokens.find(({ type, text }, at) => {
    if (type !== "string" || !ADDRESS.test(text)) return false;
    const before = tokens[at - 1]?.text ?? "";
    return /^(?:import|from)$/.test(before) || (before === "(" && tokens[at - 2]?.text === "import");
  })?.text;
}
