import { isObject, type Json, type JsonObject } from "../../core/event.ts";
import type { CallEnd } from "../build-event.ts";
import type { Fields, Spelling } from "../payload.ts";

/** The names in which a field may come: Copilot CLI mixes the spellings within one payload. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  session_id: ["sessionId"],
  agent_id: ["agentId"],
  agent_type: ["agentType"],
  parent_agent_id: ["parentAgentId"],
  transcript_path: ["transcriptPath"],
  tool_name: ["toolName"],
  tool_input: ["toolArgs", "toolInput"],
  tool_response: ["toolResult", "tool_result"],
  custom_instructions: ["customInstructions"],
  last_assistant_message: ["response"],
};

export function spellingOf(payload: JsonObject): Spelling {
  const spelling: Record<string, string> = {};
  for (const [ours, theirs] of Object.entries(NAMES)) {
    const name = theirs.find((one) => Object.hasOwn(payload, one));
    if (name !== undefined) spelling[ours] = name;
  }
  return spelling;
}

/** The payload with the values that policies expect, where Copilot CLI has others in the same field. */
export function withUsualValues(payload: JsonObject): JsonObject {
  const { toolArgs, tool_input: toolInput, source } = payload;
  return {
    ...payload,
    ...(typeof toolArgs === "string" && { toolArgs: parsedArguments(toolArgs) }),
    ...(typeof toolInput === "string" && { tool_input: parsedArguments(toolInput) }),
    ...(source === "new" && { source: "startup" }),
    ...inParentSession(payload),
  };
}

/** Arguments may come as JSON text. A tool that takes a bare text, such as a patch, has no JSON in it. */
function parsedArguments(text: string): Json {
  try {
    const value = JSON.parse(text) as Json;
    if (isObject(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { input: text };
}

/** A subagent reports its calls under its own id as the session; what the session knows must hold for them as well. */
function inParentSession(payload: JsonObject): JsonObject {
  const parent = payload.parentAgentId ?? payload.parent_agent_id;
  if (typeof parent !== "string" || parent === "") return {};
  return Object.hasOwn(payload, "sessionId") ? { sessionId: parent } : { session_id: parent };
}

const FAILED = /\n?<shellId: [^\n>]* completed with exit code (-?\d+)>\s*$/;

/** A command that failed is reported like one that succeeded: only the text for the model has the exit code. */
export function endOfCall(fields: Fields): CallEnd | undefined {
  const given = fields.value("tool_response");
  if (!isObject(given)) return undefined;
  const text = given.textResultForLlm ?? given.text_result_for_llm;
  if (typeof text !== "string") return undefined;
  const [end, code] = FAILED.exec(text) ?? [];
  if (end === undefined || code === "0") return { response: text };
  return { error: `Exit code ${code}\n${text.slice(0, -end.length)}` };
}
