/** Reading what the client sent to the model: the only witness of what a hook's answer really achieved. */
import { queueNamedIn } from "./model-script.ts";

export interface ContentBlock {
  readonly type: string;
  readonly text?: string;
  readonly tool_use_id?: string;
  readonly is_error?: boolean;
  readonly content?: string | readonly ContentBlock[];
}

export interface Message {
  readonly role: string;
  readonly content: string | readonly ContentBlock[];
}

export interface MessagesBody {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly max_tokens?: number;
  readonly stream?: boolean;
  readonly system?: string | readonly ContentBlock[];
  readonly tools?: readonly { readonly name: string }[];
  readonly output_config?: { readonly format?: { readonly type: string; readonly schema?: unknown } };
}

/** Only a `turn` uses up a scripted turn; everything else is the client talking to itself. */
export type Purpose =
  | { readonly kind: "turn"; readonly queue: string }
  | { readonly kind: "quota-probe" | "compaction" | "side" }
  | { readonly kind: "structured-side"; readonly schema: unknown };

export interface ModelRequest {
  readonly purpose: Purpose;
  readonly body: MessagesBody;
  /** False when the queue had no turn left and the script's `whenExhausted` was said. */
  readonly scripted: boolean;
}

function textOfContent(content: string | readonly ContentBlock[] | undefined): string {
  if (content === undefined) return "";
  if (typeof content === "string") return content;
  return content.map((block) => block.text ?? textOfContent(block.content)).join("\n");
}

const COMPACTION_PROMPT = /create a detailed summary of (the|this|our) conversation/i;

export function purposeOf(body: MessagesBody, agentIdHeader: string | undefined): Purpose {
  if (body.max_tokens === 1) return { kind: "quota-probe" };
  if (COMPACTION_PROMPT.test(textOfContent(body.messages.at(-1)?.content))) return { kind: "compaction" };
  const tools = body.tools ?? [];
  const format = body.output_config?.format;
  const answersThroughTool = tools.some((tool) => tool.name === "StructuredOutput");
  if (format !== undefined && !answersThroughTool) return { kind: "structured-side", schema: format.schema };
  if (tools.length === 0) return { kind: "side" };
  const firstUserMessage = body.messages.find((message) => message.role === "user");
  const named = queueNamedIn(textOfContent(firstUserMessage?.content));
  if (named !== undefined) return { kind: "turn", queue: named };
  if (answersThroughTool) return { kind: "turn", queue: "structured" };
  const fromSubagent = agentIdHeader !== undefined || textOfContent(body.system).includes("cc_is_subagent=true");
  return { kind: "turn", queue: fromSubagent ? "agent" : "main" };
}

/** Everything the request says, history included. */
export function wholeText(request: ModelRequest): string {
  const messages = request.body.messages.map((message) => textOfContent(message.content));
  return [textOfContent(request.body.system), ...messages].join("\n");
}

/** What is new in this request: all that follows the model's last answer. */
export function newText(request: ModelRequest): string {
  const messages = request.body.messages;
  const lastAnswer = messages.findLastIndex((message) => message.role === "assistant");
  return messages
    .slice(lastAnswer + 1)
    .map((message) => textOfContent(message.content))
    .join("\n");
}

export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
}

/** The result of one tool call as the model got it; fails when the client never sent one. */
export function toolResult(requests: readonly ModelRequest[], toolUseId: string): ToolResult {
  for (const { body } of requests) {
    for (const { content } of body.messages) {
      if (typeof content === "string") continue;
      const block = content.find((candidate) => candidate.tool_use_id === toolUseId);
      if (block !== undefined) return { text: textOfContent(block.content), isError: block.is_error === true };
    }
  }
  throw new Error(`The model was never sent a result for the tool call ${toolUseId}`);
}

/** A value that satisfies a JSON schema well enough for the client's own questions. */
export function valueFor(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null) return "scripted";
  const known = schema as { type?: string; enum?: unknown[]; properties?: Record<string, unknown> };
  if (known.enum !== undefined) return known.enum[0];
  switch (known.type) {
    case "object":
      return Object.fromEntries(Object.entries(known.properties ?? {}).map(([key, value]) => [key, valueFor(value)]));
    case "array":
      return [];
    case "boolean":
      return true;
    case "number":
    case "integer":
      return 0;
    default:
      return "scripted";
  }
}
