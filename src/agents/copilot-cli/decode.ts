import type { JsonObject } from "../../core/event.ts";
import type { Decoded, DecodeInput } from "../adapter.ts";
import { isContinuation } from "../answer.ts";
import { decodePayload } from "../decode-declared.ts";
import { parsePayload } from "../payload.ts";
import { COPILOT_CLI, OWN_EVENTS } from "./declaration.ts";
import { endOfCall, spellingOf, withUsualValues } from "./payload.ts";
import { COPILOT_TOOLS } from "./tools.ts";

export function decode({ body, namedEvent, cwd }: DecodeInput): Decoded {
  const raw = parsePayload(body);
  if (typeof raw === "string") return { kind: "unreadable", detail: raw };
  const payload = withUsualValues(withoutOtherName(raw, namedEvent));
  const decoded = decodePayload(payload, namedEvent || hookName(raw), cwd, {
    declaration: COPILOT_CLI,
    tools: COPILOT_TOOLS,
    spelling: spellingOf(payload),
    isFromPerson: (fields) => fields.id("agent_id") === "" && !isContinuation(fields.text("prompt")),
    endOf: endOfCall,
  });
  if (decoded.kind !== "event") return decoded;
  const event = { ...decoded.event, raw };
  // The end of a subagent is reported twice: like that of a turn, and as the end of a subagent.
  if (event.name !== "turn.stop" || event.agentId === "") return { kind: "event", event };
  return { kind: "unknown", agentEvent: event.agentEvent, session: event.session, cwd: event.cwd };
}

/** A payload for our own registration names its event in the other spelling, if at all. */
function withoutOtherName(payload: JsonObject, namedEvent: string): JsonObject {
  return Object.hasOwn(OWN_EVENTS, namedEvent) ? { ...payload, hook_event_name: "" } : payload;
}

/** Of its own payloads, only that of a permission request says what it is. */
function hookName({ hookName }: JsonObject): string {
  return typeof hookName === "string" ? hookName : "";
}
