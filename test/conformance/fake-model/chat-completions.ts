import { argumentsOf, callsOf, type ModelTurn, type Protocol, type StreamEvent } from "./protocol.ts";

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

/** Chat Completions, which most agents speak with a model of one's own. */
export const chatCompletions: Protocol = {
  isTurn: (path) => path.endsWith("/chat/completions"),
  answer(turn, { body }, serial) {
    const base = { id: `chatcmpl-${serial}`, created: 1_700_000_000, model: body.model ?? "" };
    const finish_reason = callsOf(turn).length > 0 ? "tool_calls" : "stop";
    if (body.stream !== true) {
      const choices = [{ index: 0, message: messageOf(turn, serial), finish_reason }];
      return { json: { ...base, object: "chat.completion", choices, usage: USAGE } };
    }
    const chunk = (delta: object, finished: string | null): StreamEvent => ({
      data: {
        ...base,
        object: "chat.completion.chunk",
        choices: [{ index: 0, delta, finish_reason: finished }],
        ...(finished === null ? {} : { usage: USAGE }),
      },
    });
    return { events: [chunk(messageOf(turn, serial), null), chunk({}, finish_reason), { data: "[DONE]" }] };
  },
};

function messageOf(turn: ModelTurn, serial: number): object {
  if (typeof turn === "string") return { role: "assistant", content: turn };
  const calls = callsOf(turn).map((call, index) => ({
    index,
    id: `call_${serial}_${index}`,
    type: "function",
    function: { name: call.tool, arguments: argumentsOf(call) },
  }));
  return { role: "assistant", content: null, tool_calls: calls };
}
