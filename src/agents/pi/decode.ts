import { type AnyEvent, isObject, type Json } from "../../core/event.ts";
import type { Decoded, DecodeInput } from "../adapter.ts";
import type { CallEnd } from "../build-event.ts";
import { decodeDeclared, type PayloadShape } from "../decode-declared.ts";
import type { Fields } from "../payload.ts";
import { PI } from "./declaration.ts";
import { PI_TOOLS } from "./tools.ts";

const SHAPE: PayloadShape = {
  declaration: PI,
  tools: PI_TOOLS,
  spelling: {
    hook_event_name: "hook",
    session_id: "sessionId",
    transcript_path: "sessionFile",
    source: "reason",
    trigger: "reason",
    prompt: "text",
    last_assistant_message: "text",
    stop_hook_active: "held",
    tool_name: "toolName",
    tool_input: "input",
    tool_use_id: "toolCallId",
    tool_response: "content",
    custom_instructions: "customInstructions",
    compact_summary: "summary",
  },
  isFromPerson: (fields) => fields.raw.source !== "extension",
  endOf: endOfCall,
};

export function decode(input: DecodeInput): Decoded {
  const decoded = decodeDeclared(input, SHAPE);
  return decoded.kind === "event" ? { kind: "event", event: inOurWords(decoded.event) } : decoded;
}

/** How a session began and why it is compacted, in the words that policies know. */
const SOURCES: Readonly<Record<string, string>> = { new: "clear", reload: "resume", fork: "resume" };
const TRIGGERS: Readonly<Record<string, string>> = { threshold: "auto", overflow: "auto" };

function inOurWords(event: AnyEvent): AnyEvent {
  switch (event.name) {
    case "session.start":
      return { ...event, source: SOURCES[event.source] ?? event.source };
    case "compact.before":
    case "compact.after":
      return { ...event, trigger: TRIGGERS[event.trigger] ?? event.trigger };
    default:
      return event;
  }
}

const EXITED = /\n*Command exited with code (\d+)$/;

/** A call that failed is reported like any other; the error is worded as policies read it. */
function endOfCall(fields: Fields): CallEnd | undefined {
  if (fields.raw.isError !== true) return undefined;
  const text = textOf(fields.value("tool_response"));
  const code = EXITED.exec(text)?.[1];
  return { error: code === undefined ? text : `Exit code ${code}\n${text.replace(EXITED, "")}` };
}

function textOf(content: Json | undefined): string {
  if (!Array.isArray(content)) return "";
  return content
    .map((part: Json) => (isObject(part) && typeof part.text === "string" ? part.text : ""))
    .join("\n")
    .trim();
}
