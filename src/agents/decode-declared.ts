import type { JsonObject } from "../core/event.ts";
import type { Decoded, DecodeInput } from "./adapter.ts";
import { buildEvent, type CallEnd, folderOf } from "./build-event.ts";
import type { Declaration } from "./declaration.ts";
import { Fields, parsePayload, type Spelling } from "./payload.ts";
import type { ToolTable } from "./tool-table.ts";

/** What the decoder of an agent needs to know of its payloads. */
export interface PayloadShape {
  readonly declaration: Declaration;
  readonly tools: ToolTable;
  readonly spelling: Spelling;
  /** Has a person written the prompt? Only for an agent that says so in another way than Claude Code. */
  isFromPerson?(fields: Fields): boolean;
  /** How a call has ended, for an agent that says so in its own way; undefined for an end like any other. */
  endOf?(fields: Fields): CallEnd | undefined;
}

/** Reads the payload of an agent whose fields are those of Claude Code in another spelling. */
export function decodeDeclared({ body, namedEvent, cwd }: DecodeInput, shape: PayloadShape): Decoded {
  const raw = parsePayload(body);
  if (typeof raw === "string") return { kind: "unreadable", detail: raw };
  return decodePayload(raw, namedEvent, cwd, shape);
}

/** The same for a payload that was parsed, for an adapter that looks into it first. */
export function decodePayload(payload: JsonObject, namedEvent: string, cwd: string, shape: PayloadShape): Decoded {
  const { declaration, tools, spelling } = shape;
  const fields = new Fields(payload, spelling);
  const given = fields.value("hook_event_name");
  const named = given === undefined || given === "" ? namedEvent : given;
  if (typeof named !== "string")
    return { kind: "unreadable", detail: `${fields.nameOf("hook_event_name")} is not a string` };
  const known = Object.hasOwn(declaration.events, named) ? declaration.events[named] : undefined;
  if (known === undefined) {
    const session = fields.id("session_id");
    return { kind: "unknown", agentEvent: named.slice(0, 64), session, cwd: folderOf(fields, cwd) };
  }
  const end = known.name === "tool.after" || known.name === "tool.failed" ? shape.endOf?.(fields) : undefined;
  const name = end !== undefined && "error" in end ? "tool.failed" : known.name;
  const said = {
    ...(end && { end }),
    ...(name === "prompt.submit" && shape.isFromPerson && { fromPerson: shape.isFromPerson(fields) }),
  };
  return {
    kind: "event",
    event: buildEvent({ agent: declaration.id, agentEvent: named, name, fields, tools, cwd, ...said }),
  };
}
