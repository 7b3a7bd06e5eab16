/**
 * Edits of JSON text. A person's settings are never parsed and printed again: an edit removes or inserts text at a known
 * offset, and every other byte (indentation, line endings, spacing) stays. Each function returns the new text; offsets in
 * the old document are then invalid.
 */
import {
  type ArrayNode,
  isSpace,
  type JsonDocument,
  type JsonNode,
  type ObjectNode,
  type TextSpan,
} from "./json-parser.ts";

/** A value to be written. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

export function appendItem(doc: JsonDocument, array: ArrayNode, value: JsonValue): string {
  return append(doc, array, array.items, (style, base) => render(value, style, base));
}

export function appendMember(doc: JsonDocument, object: ObjectNode, key: string, value: JsonValue): string {
  return append(doc, object, object.members, (style, base) => renderMember(key, value, style, base));
}

export function replaceNode(doc: JsonDocument, node: JsonNode, value: JsonValue): string {
  const base = doc.text.slice(node.start, node.end).includes("\n") ? lineIndent(doc.text, node.start) : undefined;
  return splice(doc.text, node.start, node.end, render(value, styleOf(doc), base));
}

/** Removes the element or member at `index`; the exact inverse of appending it. */
export function removeAt(doc: JsonDocument, container: ObjectNode | ArrayNode, index: number): string {
  const { text } = doc;
  const children: readonly TextSpan[] = container.kind === "object" ? container.members : container.items;
  const child = children[index];
  if (child === undefined) return text;
  const next = children[index + 1];
  if (next !== undefined) return splice(text, child.start, next.start, "");
  const previous = children[index - 1];
  if (previous !== undefined) return splice(text, previous.end, child.end, "");
  const inside = { start: container.start + 1, end: container.end - 1 };
  const after = text.slice(child.end, inside.end);
  const unfolded = isUnfolded(text.slice(inside.start, child.start), after);
  return splice(text, inside.start, unfolded ? inside.end : child.end, "");
}

interface Style {
  readonly eol: string;
  readonly unit: string;
  /** What follows a colon, and a comma on one line. */
  readonly gap: string;
}

/** `base` is the indentation of the line the value starts on; undefined keeps it on one line. */
type Draw = (style: Style, base: string | undefined) => string;

function append(doc: JsonDocument, container: TextSpan, children: readonly TextSpan[], draw: Draw): string {
  const { text, root } = doc;
  const style = styleOf(doc);
  const last = children.at(-1);
  if (last !== undefined) {
    let gapStart = last.start;
    while (isSpace(text[gapStart - 1])) gapStart--;
    const gap = text.slice(gapStart, last.start);
    const lineEnd = /\r?\n(?=[^\n]*$)/.exec(gap);
    if (lineEnd !== null) {
      const base = gap.slice(lineEnd.index + lineEnd[0].length);
      return splice(text, last.end, last.end, `,${lineEnd[0]}${base}${draw(style, base)}`);
    }
    // `[{` … `}]`: the elements share a line with the brackets, but each of them spans several lines.
    const folded = text.slice(last.start, last.end).includes("\n");
    const child = draw(style, folded ? lineIndent(text, last.start) : undefined);
    return splice(text, last.end, last.end, `,${children.length === 1 ? style.gap : gap}${child}`);
  }
  const inside = text.slice(container.start + 1, container.end - 1);
  const alone = container === root || text.slice(root.start, root.end).includes("\n");
  if (!inside.includes("\n") && (inside !== "" || !alone)) {
    return splice(text, container.start + 1, container.start + 1, inside + draw(style, undefined));
  }
  const outer = lineIndent(text, container.start);
  const base = outer + style.unit;
  const before = style.eol + base;
  if (inside === "") {
    return splice(text, container.start + 1, container.start + 1, before + draw(style, base) + style.eol + outer);
  }
  // Without a mark, `{}` and an empty pair of brackets on two lines would become the same text. The second one gets an
  // empty line, so that removeAt can restore the right one.
  const mark = isUnfolded(before, inside) ? style.eol : "";
  return splice(text, container.start + 1, container.start + 1, mark + before + draw(style, base));
}

/** Is this the white space that `append` inserts around the first child of `[]` or `{}`? */
function isUnfolded(before: string, after: string): boolean {
  const inner = /^\r?\n([ \t]*)$/.exec(before)?.[1];
  const outer = /^\r?\n([ \t]*)$/.exec(after)?.[1];
  return inner !== undefined && outer !== undefined && inner.length > outer.length && inner.startsWith(outer);
}

function render(value: JsonValue, style: Style, base: string | undefined): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const inner = base === undefined ? undefined : base + style.unit;
  const list = isList(value);
  const parts = list
    ? value.map((item) => render(item, style, inner))
    : Object.entries(value).map(([key, item]) => renderMember(key, item, style, inner));
  const [open, close] = list ? "[]" : "{}";
  if (parts.length === 0 || base === undefined) return `${open}${parts.join(`,${style.gap}`)}${close}`;
  const lead = style.eol + inner;
  return `${open}${lead}${parts.join(`,${lead}`)}${style.eol}${base}${close}`;
}

function renderMember(key: string, value: JsonValue, style: Style, base: string | undefined): string {
  return `${JSON.stringify(key)}:${style.gap}${render(value, style, base)}`;
}

function isList(value: readonly JsonValue[] | { readonly [key: string]: JsonValue }): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function styleOf(doc: JsonDocument): Style {
  const { text, root } = doc;
  const found: { unit?: string; gap?: string } = {};
  const visit = (node: JsonNode): void => {
    const first = node.kind === "object" ? node.members[0] : node.kind === "array" ? node.items[0] : undefined;
    if (node.kind === "object" && node.members[0] !== undefined) {
      const { keyEnd, value } = node.members[0];
      found.gap ??= text.slice(keyEnd, value.start).endsWith(":") ? "" : " ";
    }
    if (first !== undefined && text.slice(node.start, first.start).includes("\n")) {
      const [outer, inner] = [lineIndent(text, node.start), lineIndent(text, first.start)];
      if (inner.length > outer.length && inner.startsWith(outer)) found.unit ??= inner.slice(outer.length);
    }
    for (const child of node.kind === "object" ? node.members : []) visit(child.value);
    for (const child of node.kind === "array" ? node.items : []) visit(child);
  };
  visit(root);
  return { eol: /\r?\n/.exec(text)?.[0] ?? "\n", unit: found.unit ?? "  ", gap: found.gap ?? " " };
}

function lineIndent(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function splice(text: string, start: number, end: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}
