import { isBlankText, isContent, type Message, type Part } from "./parts.ts";

/** Stands where a message has neither text nor a tool part: a server of a model refuses such a message. */
export const PLACEHOLDER = "[user interrupted]";

export interface Sanitized<M extends Message> {
  readonly messages: readonly M[];
  /** How many messages were changed. */
  readonly sanitizedCount: number;
  readonly modified: boolean;
}

/**
 * Gives every message a text or a tool part, except an assistant's message at the end, which the model may still go on
 * with. The messages that were given stay as they are.
 */
export function sanitizeMessages<M extends Message>(
  messages: readonly M[],
  placeholder: string = PLACEHOLDER,
): Sanitized<M> {
  const last = messages.length - 1;
  let sanitizedCount = 0;
  const sanitized = messages.map((message, index) => {
    if (index === last && message.role === "assistant") return message;
    const parts = sanitizedParts(message.parts, placeholder);
    if (!parts) return message;
    sanitizedCount++;
    return { ...message, parts };
  });
  return { messages: sanitized, sanitizedCount, modified: sanitizedCount > 0 };
}

/**
 * The parts with the placeholder where they need it; undefined when they need none. `hasMore`: other lines of the
 * transcript have content of the same message.
 */
export function sanitizedParts(
  parts: readonly Part[],
  placeholder: string = PLACEHOLDER,
  hasMore: boolean = false,
): readonly Part[] | undefined {
  // A blank text is refused beside valid parts, too.
  if (parts.some(isBlankText)) {
    return parts.map((part) => (isBlankText(part) ? { ...part, text: placeholder, synthetic: true } : part));
  }
  if (hasMore || parts.some(isContent)) return undefined;
  return [...parts, { type: "text", text: placeholder, synthetic: true }];
}
