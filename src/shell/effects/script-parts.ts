import type { Word } from "../command.ts";
import type { Node } from "./script-tree.ts";

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
