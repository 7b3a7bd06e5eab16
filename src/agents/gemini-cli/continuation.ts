const TAG = "hookwright-continuation";
const OPENED = `<${TAG}>\n`;

/**
 * Gemini CLI gives the reason of a held stop to its model as the next prompt, and reports it like one of a person. So the
 * reason is marked.
 */
export function asContinuation(reason: string): string {
  return `${OPENED}${reason}\n</${TAG}>`;
}

/** Other hooks may have held the stop as well; then their reasons stand around ours. */
export function isContinuation(prompt: string): boolean {
  return prompt.includes(OPENED);
}
