import type { Call, Node, Script } from "./tree.ts";
import { actionOf, type Values } from "./values.ts";

/** Calls that are given a function, and call it: at once for each of many, or later. */
const CALLERS =
  /^(?:map|forEach|each|filter|array_walk|array_map|starmap|imap|submit|register|addCleanup|then|finally|setTimeout|apply|Timer|Thread|partial|wait)$/;

/** A deleting function that is handed on by its name: `files.forEach(fs.unlinkSync)`, `pool.map(os.remove, files)`. */
export function passedCallback(
  node: Call,
  script: Script,
  values: Values,
): { readonly targets: readonly Node[]; readonly tree: boolean } | undefined {
  const { callee, args } = node;
  const name = callee.t === "member" ? callee.name : callee.t === "name" ? callee.text : "";
  if (!CALLERS.test(name)) return undefined;
  const at = args.findIndex((arg) => deletes(arg, script, values) !== undefined);
  const given = args[at];
  if (!given) return undefined;
  const others = args.filter((arg) => arg !== given);
  const owner = callee.t === "member" ? [callee.of] : [];
  return { targets: others.length > 0 ? others : owner, tree: deletes(given, script, values) === "tree" };
}

function deletes(arg: Node, script: Script, values: Values): "file" | "tree" | undefined {
  // PHP: array_walk($files, "unlink")
  const named: Node = arg.t === "string" && script.language === "php" ? { t: "name", text: arg.text } : arg;
  if (named.t !== "name" && named.t !== "member") return undefined;
  const action = actionOf({ t: "call", callee: named, args: [] }, script, values);
  return action === "tree" ? "tree" : /^(?:file|own-file|file-or-tree)$/.test(action ?? "") ? "file" : undefined;
}

/** Ruby: `files.each(&File.method(:delete))`, `Pathname.glob("*").each(&:delete)`. */
export function rubyCallbacks({ tokens, language }: Script): readonly ("file" | "tree")[] {
  if (language !== "ruby" || !tokens.some(({ text }) => text === "&" || text === "method")) return [];
  if (!tokens.some(({ type, text }) => type === "name" && /^(?:Pathname|File|FileUtils)$/.test(text))) return [];
  const symbol = tokens.find(
    ({ text }, at) =>
      /^(?:delete|unlink|rmtree|rm|rm_r|rm_rf)$/.test(text) &&
      tokens[at - 1]?.text === ":" &&
      /^(?:&|\()$/.test(tokens[at - 2]?.text ?? ""),
  );
  return symbol ? [/^(?:rmtree|rm_rf?)$/.test(symbol.text) ? "tree" : "file"] : [];
}
