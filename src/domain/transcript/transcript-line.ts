import { isObject, type Json, type JsonObject } from "../../core/event.ts";
import { type Part, partsOf } from "./parts.ts";

/** One line of a transcript, with its bytes as they are in the file. */
export interface Line {
  readonly number: number;
  readonly bytes: Buffer;
  /** False for a last line without a line break: the agent may be writing it. */
  readonly isComplete: boolean;
}

/** One line of a message: an agent writes each part of an answer on a line of its own. */
export interface MessageLine {
  readonly kind: "message";
  /** The same for all lines of one message. */
  readonly message: string;
  /** The main conversation, or that of one subagent. */
  readonly conversation: string;
  readonly uuid: string;
  readonly role: string;
  readonly model: string;
  readonly parts: readonly Part[];
  readonly entry: JsonObject;
}

/** `half`: the end of a line that is still being written. `other`: whatever else an agent writes down. */
export type ReadLine = MessageLine | { readonly kind: "other" | "half" | "unreadable" };

const ROLES = ["user", "assistant"];

export function readLine({ bytes, number, isComplete }: Line): ReadLine {
  const text = bytes.toString().trim();
  if (text === "") return { kind: "other" };
  let entry: Json;
  try {
    entry = JSON.parse(text) as Json;
  } catch {
    return { kind: isComplete ? "unreadable" : "half" };
  }
  return (isObject(entry) && messageLine(entry, number)) || { kind: "other" };
}

function messageLine(entry: JsonObject, number: number): MessageLine | undefined {
  // Other entries, such as records of requests, contain messages as well.
  if (entry.type !== undefined && !ROLES.includes(String(entry.type))) return undefined;
  const message = entry.message ?? (entry.type === undefined ? entry : undefined);
  if (!isObject(message)) return undefined;
  const role = String(message.role ?? entry.type ?? "");
  if (!ROLES.includes(role)) return undefined;
  const conversation = textOf(entry.agentId) || (entry.isSidechain === true ? "subagents" : "");
  const id = textOf(message.id);
  return {
    kind: "message",
    message: id === "" ? `line ${number}` : `${conversation} ${id}`,
    conversation,
    uuid: textOf(entry.uuid),
    role,
    model: textOf(message.model),
    parts: partsOf(message.content),
    entry,
  };
}

/** The line with other parts, as it is written to a copy. */
export function writtenLine({ entry }: MessageLine, parts: readonly Part[]): string {
  const changed = isObject(entry.message)
    ? { ...entry, message: { ...entry.message, content: parts } }
    : { ...entry, content: parts };
  return `${JSON.stringify(changed)}\n`;
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
