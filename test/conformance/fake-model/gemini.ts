import { callsOf, type ModelTurn, type Protocol } from "./protocol.ts";

const USAGE = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };

/** The Gemini API, in which the method stands behind the model's name: `/v1beta/models/M:streamGenerateContent`. */
export const gemini: Protocol = {
  isTurn: (path) => /:(?:stream)?generateContent$/i.test(path),
  answer(turn, { path }) {
    const candidates = [{ index: 0, content: { role: "model", parts: partsOf(turn) }, finishReason: "STOP" }];
    const answer = { candidates, usageMetadata: USAGE };
    return /:streamGenerateContent$/.test(path) ? { events: [{ data: answer }] } : { json: answer };
  },
};

function partsOf(turn: ModelTurn): object[] {
  if (typeof turn === "string") return [{ text: turn }];
  return callsOf(turn).map((call) => ({ functionCall: { name: call.tool, args: call.input } }));
}
