/** What the answers to several agents have in common. */
import type { Reply } from "../core/frame.ts";

/** An answer is one JSON object on standard output; nothing is said where it has no fields. */
export function jsonReply(answer: object | undefined, stderr = ""): Reply {
  const isEmpty = answer === undefined || Object.keys(answer).length === 0;
  return { exit: 0, stdout: isEmpty ? "" : `${JSON.stringify(answer)}\n`, stderr };
}

const TAG = "hookwright-continuation";
const OPENED = `<${TAG}>\n`;

/**
 * Some agents give the reason of a held stop to their model as the next prompt, and report it like one of a person. So the
 * reason is marked.
 */
export function asContinuation(reason: string): string {
  return `${OPENED}${reason}\n</${TAG}>`;
}

/** Other hooks may have held the stop as well; then their reasons stand around ours. */
export function isContinuation(prompt: string): boolean {
  return prompt.includes(OPENED);
}
