import { type ComponentChild, createElement } from "preact";

export { Fragment } from "preact";

/** C0 and C1 controls except tab and line feed, what turns the direction of text, and what is not seen at all. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const HIDDEN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Text of an agent as a person can judge it: no character is invisible or changes how the others are shown. */
function visible(text: string): string {
  return text.replace(HIDDEN, (found) => {
    const code = found.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

function clean<T>(value: T): T | string {
  return typeof value === "string" ? visible(value) : value;
}

/**
 * What JSX becomes, see scripts/build/pages.mjs. Every text of every page passes here on its way into the document, as text
 * and never as markup; so no page has to think of it.
 */
export function h(type: string, props: Record<string, unknown> | null, ...children: ComponentChild[]) {
  if (props?.title !== undefined) props.title = clean(props.title);
  return createElement(type, props, ...children.map(clean));
}
