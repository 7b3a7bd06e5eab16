import type { Json, JsonObject } from "../../../core/event.ts";
import { isObject } from "../../../core/event.ts";

/** What a person has typed while the agent worked. */
export interface TypedMeanwhile {
  /** When each prompt was typed that waits for the end of the turn. */
  readonly waiting: readonly string[];
  /** The prompts that the model was given in the middle of the turn, without an event for the hooks. */
  readonly given: readonly GivenPrompt[];
}

export interface GivenPrompt {
  readonly id: string;
  readonly at: number;
  readonly text: string;
}

/** A machine's prompt, such as the report of a background agent, begins with a tag. */
const MACHINE_MADE = /^\s*</;

/**
 * Reads the end of a transcript of Claude Code, which has a line for each prompt that is put into its queue and for each
 * that is taken out. A prompt waits there until the turn ends. Plain text is given to the model at the next call, and
 * only newer clients report it to the hooks then: their lines have the id of a delivery.
 */
export function typedMeanwhile(tail: string): TypedMeanwhile {
  const queue: Waiting[] = [];
  const given: GivenPrompt[] = [];
  for (const line of tail.split("\n")) {
    if (!line.includes('"queue-operation"') && !line.includes('"queued_command"')) continue;
    const entry = entryOf(line);
    if (entry?.type === "queue-operation") applyTo(queue, entry);
    else if (entry?.type === "attachment") given.push(...givenIn(entry));
  }
  return { waiting: queue.filter(({ text }) => !MACHINE_MADE.test(text)).map(({ at }) => at), given };
}

interface Waiting {
  readonly at: string;
  readonly text: string;
}

function applyTo(queue: Waiting[], { operation, timestamp, content }: JsonObject): void {
  const text = typeof content === "string" ? content : "";
  switch (operation) {
    case "enqueue":
      queue.push({ at: String(timestamp), text });
      break;
    case "dequeue":
      queue.shift();
      break;
    case "remove":
      queue.splice(removedFrom(queue, text), 1);
      break;
    case "popAll":
      queue.length = 0;
      break;
  }
}

/** Older clients do not say which one they removed; a typed skill stays until the turn ends. */
function removedFrom(queue: readonly Waiting[], text: string): number {
  const named = text === "" ? -1 : queue.findIndex((one) => one.text === text);
  return named >= 0
    ? named
    : Math.max(
        0,
        queue.findIndex((one) => !one.text.startsWith("/")),
      );
}

function givenIn({ attachment, uuid, timestamp }: JsonObject): GivenPrompt[] {
  if (!isObject(attachment) || attachment.type !== "queued_command" || attachment.commandMode !== "prompt") return [];
  const { prompt, origin, delivery_id: delivery } = attachment;
  const isPersons = !isObject(origin) || origin.kind === "human";
  const text = textOf(prompt);
  if (!isPersons || delivery !== undefined || text === "" || MACHINE_MADE.test(text)) return [];
  return [{ id: String(uuid ?? timestamp), at: Date.parse(String(timestamp)), text }];
}

function textOf(prompt: Json | undefined): string {
  if (typeof prompt === "string") return prompt;
  if (!Array.isArray(prompt)) return "";
  return prompt.flatMap((block) => (isObject(block) && typeof block.text === "string" ? [block.text] : [])).join("\n");
}

function entryOf(line: string): JsonObject | undefined {
  try {
    const entry = JSON.parse(line) as Json;
    return isObject(entry) ? entry : undefined;
  } catch (error) {
    // Half a line at either end of the tail.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
