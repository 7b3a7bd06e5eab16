import { createInterface } from "node:readline";
import { describe } from "../../../core/errors.ts";
import type { Json, JsonObject } from "../../../core/event.ts";
import { isObject } from "../../../core/event.ts";

/** The protocol versions in which the messages used here are the same. */
const VERSIONS = ["2025-06-18", "2025-03-26", "2024-11-05"];

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly inputSchema: JsonObject;
  /** Returns the text of the result. The message of a thrown error is sent to the model. */
  run(args: JsonObject): Promise<string>;
}

interface ServerParts {
  readonly version: string;
  readonly tools: readonly Tool[];
  readonly input: NodeJS.ReadableStream;
  send(line: string): void;
}

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;

class ProtocolError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Serves until the input ends. Messages are lines of JSON and are answered in order. */
export async function serveMcp(parts: ServerParts): Promise<void> {
  for await (const line of createInterface({ input: parts.input })) {
    if (line.trim() === "") continue;
    const answer = await answerTo(line, parts);
    if (answer) parts.send(JSON.stringify({ jsonrpc: "2.0", ...answer }));
  }
}

async function answerTo(line: string, parts: ServerParts): Promise<JsonObject | undefined> {
  let id: Json = null;
  try {
    const message = parse(line);
    const { method } = message;
    if (typeof method !== "string") throw new ProtocolError(INVALID_REQUEST, "there is no method");
    // A message without an id is a notification, which gets no answer.
    if (message.id === undefined) return undefined;
    id = message.id;
    const params = isObject(message.params) ? message.params : {};
    return { id, result: await call(method, params, parts) };
  } catch (error) {
    const code = error instanceof ProtocolError ? error.code : INVALID_REQUEST;
    return { id, error: { code, message: describe(error) } };
  }
}

function parse(line: string): JsonObject {
  try {
    const message = JSON.parse(line) as Json;
    if (isObject(message)) return message;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ProtocolError(PARSE_ERROR, "the line is not JSON");
  }
  throw new ProtocolError(INVALID_REQUEST, "the message is not an object");
}

async function call(method: string, params: JsonObject, { version, tools }: ServerParts): Promise<Json> {
  switch (method) {
    case "initialize": {
      const asked = VERSIONS.find((known) => known === params.protocolVersion);
      const serverInfo = { name: "hookwright", version };
      return { protocolVersion: asked ?? VERSIONS[0] ?? "", capabilities: { tools: {} }, serverInfo };
    }
    case "ping":
      return {};
    case "tools/list":
      return { tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })) };
    case "tools/call": {
      const tool = tools.find(({ name }) => name === params.name);
      if (!tool) throw new ProtocolError(INVALID_PARAMS, `there is no tool ${String(params.name)}`);
      return resultOf(tool, isObject(params.arguments) ? params.arguments : {});
    }
    default:
      throw new ProtocolError(METHOD_NOT_FOUND, `there is no method ${method}`);
  }
}

async function resultOf(tool: Tool, args: JsonObject): Promise<Json> {
  try {
    return { content: [{ type: "text", text: await tool.run(args) }] };
  } catch (error) {
    return { content: [{ type: "text", text: describe(error) }], isError: true };
  }
}
