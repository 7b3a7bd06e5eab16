/** What the scripted model says: turns, and the server-sent events the client expects for them. */
import type { ModelRequest } from "./model-requests.ts";

export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Give an id when a test wants to find this call's result in a later request. */
  readonly id?: string;
}

export interface ApiError {
  readonly status: number;
  readonly type: string;
  readonly message: string;
}

type Said = string | ToolCall | readonly (string | ToolCall)[];

export interface DetailedTurn {
  /** A function is given all that the model was sent so far, this request included. */
  readonly say: Said | ((requests: readonly ModelRequest[]) => Said);
  /** What the client believes the conversation has cost so far; large values make it compact by itself. */
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly delayMs?: number;
  /** Sent instead of `say`. The client retries, and every retry is a request that takes the next turn. */
  readonly error?: ApiError;
  /** Runs before the answer leaves, while the client waits: the place to change the world in the middle of a session. */
  readonly before?: () => void | Promise<void>;
}

export type Turn = Said | DetailedTurn;

export interface ModelScript {
  /** The turns of the main conversation, one per request. */
  readonly main: readonly Turn[];
  /** Turns of subagents, by the name in their prompt's marker (see `queueMarker`). */
  readonly queues?: Readonly<Record<string, readonly Turn[]>>;
  /** Said whenever a queue has no turn left. */
  readonly whenExhausted?: Turn;
  /** Answers a request to summarise the conversation. */
  readonly compaction?: Turn;
  /** Answers the client's own small requests (titles, classifiers) that ask for no schema. */
  readonly side?: Turn;
}

/** Put this into a subagent's prompt to have its requests answered from the queue of that name. */
export function queueMarker(name: string): string {
  return `[[model-queue ${name}]]`;
}

export function queueNamedIn(text: string): string | undefined {
  return /\[\[model-queue ([\w-]+)\]\]/.exec(text)?.[1];
}

function isDetailed(turn: Turn): turn is DetailedTurn {
  return typeof turn === "object" && "say" in turn;
}

export function detailed(turn: Turn): DetailedTurn {
  return isDetailed(turn) ? turn : { say: turn };
}

interface ServerSentEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface AnsweredMessage {
  readonly id: string;
  readonly model: string;
  readonly stopReason: "tool_use" | "end_turn";
  readonly content: readonly ContentOut[];
  readonly usage: Readonly<Record<string, number>>;
}

type ContentOut =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: unknown };

/** Turns a scripted turn into the message it stands for. `serial` keeps ids unique within one server. */
export function messageFor(
  turn: DetailedTurn,
  model: string,
  serial: number,
  requests: readonly ModelRequest[],
): AnsweredMessage {
  const said = typeof turn.say === "function" ? turn.say(requests) : turn.say;
  const pieces = Array.isArray(said) ? said : [said];
  const content = pieces.map((piece: string | ToolCall, position): ContentOut => {
    if (typeof piece === "string") return { type: "text", text: piece };
    const id = piece.id ?? `toolu_${serial}_${position}`;
    return { type: "tool_use", id, name: piece.tool, input: piece.input };
  });
  return {
    id: `msg_scripted_${serial}`,
    model,
    stopReason: content.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn",
    content,
    usage: {
      input_tokens: turn.inputTokens ?? 10,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: turn.outputTokens ?? 5,
    },
  };
}

export function wholeMessage(message: AnsweredMessage): Record<string, unknown> {
  return {
    id: message.id,
    type: "message",
    role: "assistant",
    model: message.model,
    content: message.content,
    stop_reason: message.stopReason,
    stop_sequence: null,
    usage: message.usage,
  };
}

export function* streamedMessage(message: AnsweredMessage): Generator<ServerSentEvent> {
  const opening = { ...wholeMessage(message), content: [], stop_reason: null };
  yield { type: "message_start", message: { ...opening, usage: { ...message.usage, output_tokens: 1 } } };
  for (const [index, block] of message.content.entries()) {
    const isText = block.type === "text";
    const start = isText ? { ...block, text: "" } : { ...block, input: {} };
    const delta = isText
      ? { type: "text_delta", text: block.text }
      : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
    yield { type: "content_block_start", index, content_block: start };
    yield { type: "content_block_delta", index, delta };
    yield { type: "content_block_stop", index };
  }
  yield {
    type: "message_delta",
    delta: { stop_reason: message.stopReason, stop_sequence: null },
    usage: { output_tokens: message.usage.output_tokens },
  };
  yield { type: "message_stop" };
}
