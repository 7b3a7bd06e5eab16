import { argumentsOf, callsOf, type ModelTurn, type Protocol, type StreamEvent } from "./protocol.ts";

const USAGE = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 15,
};

/** The Responses API, which Codex CLI speaks. It always asks for a stream. */
export const responses: Protocol = {
  isTurn: (path) => path.endsWith("/responses"),
  answer(turn, { body }, serial) {
    const response = { id: `resp_${serial}`, object: "response", model: body.model ?? "", status: "in_progress" };
    const output = itemsOf(turn, serial);
    const items = output.flatMap((item, index): StreamEvent[] => [
      typed({ type: "response.output_item.added", output_index: index, item }),
      typed({ type: "response.output_item.done", output_index: index, item }),
    ]);
    const done = { ...response, status: "completed", output, usage: USAGE };
    return {
      events: [
        typed({ type: "response.created", response }),
        ...items,
        typed({ type: "response.completed", response: done }),
      ],
    };
  },
};

function typed(data: { readonly type: string; readonly [field: string]: unknown }): StreamEvent {
  return { type: data.type, data };
}

function itemsOf(turn: ModelTurn, serial: number): Record<string, unknown>[] {
  if (typeof turn === "string") {
    const content = [{ type: "output_text", text: turn, annotations: [] }];
    return [{ type: "message", role: "assistant", id: `msg_${serial}`, status: "completed", content }];
  }
  return callsOf(turn).map((call, index) => {
    const same = {
      id: `item_${serial}_${index}`,
      call_id: `call_${serial}_${index}`,
      name: call.tool,
      status: "completed",
    };
    return typeof call.input === "string"
      ? { type: "custom_tool_call", ...same, input: call.input }
      : { type: "function_call", ...same, arguments: argumentsOf(call) };
  });
}
