import { FAKE_NOW } from "../../../testing/fake-ports.ts";

/** Lines of a transcript as Claude Code writes them; `after` is the number of seconds since the test's time. */
const at = (after: number): string => new Date(FAKE_NOW + 1_000 * after).toISOString();
const line = (entry: object): string => JSON.stringify(entry);

export const typed = (content: string, after = 1): string =>
  line({ type: "queue-operation", operation: "enqueue", timestamp: at(after), sessionId: "s", content });

/** `content` is what newer clients write beside a removal. */
export const taken = (operation: "dequeue" | "remove" | "popAll", content?: string): string =>
  line({ type: "queue-operation", operation, timestamp: at(9), sessionId: "s", ...(content ? { content } : {}) });

/** What the model was given in the middle of a turn. */
export const given = (prompt: unknown, more: object = {}, after = 1): string => {
  const attachment = { type: "queued_command", prompt, commandMode: "prompt", origin: { kind: "human" }, ...more };
  return line({ type: "attachment", attachment, uuid: `u-${after}`, timestamp: at(after) });
};

export const answer = (text: string): string =>
  line({ type: "assistant", message: { content: [{ type: "text", text }] }, timestamp: at(0) });
