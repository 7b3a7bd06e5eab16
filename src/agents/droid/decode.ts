import type { Decoded, DecodeInput } from "../adapter.ts";
import { isContinuation } from "../answer.ts";
import type { CallEnd } from "../build-event.ts";
import { decodeDeclared, type PayloadShape } from "../decode-declared.ts";
import type { Fields } from "../payload.ts";
import { DROID } from "./declaration.ts";
import { DROID_TOOLS } from "./tools.ts";

/** The mode in which Droid only plans. */
const SPEC_MODE = "spec";

const SHAPE: PayloadShape = {
  declaration: DROID,
  tools: DROID_TOOLS,
  spelling: { last_assistant_message: "task_result" },
  isFromPerson: (fields) => !isContinuation(fields.text("prompt")),
  endOf: endOfCall,
};

export function decode(input: DecodeInput): Decoded {
  const decoded = decodeDeclared(input, SHAPE);
  if (decoded.kind !== "event" || decoded.event.name !== "turn.stop") return decoded;
  const { event } = decoded;
  return { kind: "event", event: { ...event, planMode: event.raw.permission_mode === SPEC_MODE } };
}

const FAILED = /\n*\[Process exited with code (-?\d+)\]\s*$/;

/** A command that failed is reported like one that succeeded: only the text has the exit code. */
function endOfCall(fields: Fields): CallEnd | undefined {
  const given = fields.value("tool_response");
  if (typeof given !== "string" || fields.value("tool_name") !== "Execute") return undefined;
  const [end, code] = FAILED.exec(given) ?? [];
  if (end === undefined || code === "0") return undefined;
  return { error: `Exit code ${code}\n${given.slice(0, -end.length)}` };
}
