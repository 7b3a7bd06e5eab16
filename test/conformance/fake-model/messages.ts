import { detailed, messageFor, streamedMessage, type ToolCall, wholeMessage } from "../../e2e/model-script.ts";
import { callsOf, type Protocol } from "./protocol.ts";

/** The Messages API, which Claude Code speaks. */
export const messages: Protocol = {
  isTurn: (path) => path.endsWith("/messages"),
  answer(turn, { body }, serial) {
    const calls = callsOf(turn).map(({ tool, input }): ToolCall => {
      if (typeof input === "string") throw new Error(`The Messages API has no tool with a bare text: ${tool}`);
      return { tool, input };
    });
    const said = typeof turn === "string" ? turn : calls;
    const message = messageFor(detailed({ say: said }), body.model ?? "", serial, []);
    if (body.stream !== true) return { json: wholeMessage(message) };
    return { events: [...streamedMessage(message)].map((event) => ({ type: event.type, data: event })) };
  },
};
