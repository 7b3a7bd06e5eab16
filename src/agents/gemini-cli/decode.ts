import type { Decoded, DecodeInput } from "../adapter.ts";
import { isContinuation } from "../answer.ts";
import { decodeDeclared, type PayloadShape } from "../decode-declared.ts";
import { endOfCall } from "./call-end.ts";
import { GEMINI_CLI } from "./declaration.ts";
import { GEMINI_TOOLS } from "./tools.ts";

const SHAPE: PayloadShape = {
  declaration: GEMINI_CLI,
  tools: GEMINI_TOOLS,
  spelling: { last_assistant_message: "prompt_response" },
  isFromPerson: (fields) => !isContinuation(fields.text("prompt")),
  endOf: endOfCall,
};

export function decode(input: DecodeInput): Decoded {
  return decodeDeclared(input, SHAPE);
}
