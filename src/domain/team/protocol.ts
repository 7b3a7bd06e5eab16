import type { Json, JsonObject } from "../../core/event.ts";
import { fingerprint } from "../../core/text/fingerprint.ts";

/** The protocol of the team socket: one line of JSON for the request and one for the response. */
export const PROTOCOL_VERSION = 1;

export interface TeamRequest {
  readonly version: number;
  readonly request_id: string;
  readonly command: string;
  readonly payload: JsonObject;
}

export const ERROR_CODES = [
  "INVALID_REQUEST",
  "VERSION_MISMATCH",
  "MISSING_PARAMETER",
  "INVALID_PAYLOAD",
  "AGENT_NOT_FOUND",
  "AGENT_CLOSED",
  "UNAUTHORIZED",
  "UNKNOWN_COMMAND",
  "UNAVAILABLE",
] as const;
export type TeamErrorCode = (typeof ERROR_CODES)[number];

export type TeamResponse = { readonly version: number; readonly request_id: string } & (
  | { readonly status: "ok"; readonly payload: Json }
  | { readonly status: "error"; readonly error: { readonly code: TeamErrorCode; readonly message: string } }
);

export function hookEventRequest(id: string, payload: JsonObject): TeamRequest {
  return { version: PROTOCOL_VERSION, request_id: id, command: "hook-event", payload };
}

/** Formats 32 hexadecimal digits as a UUID. */
export function asRequestId(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The deduplication key of a report: equal on every route, different for two reports that share a request id. */
export function lineKey(
  id: string,
  about: { readonly event: string; readonly agent: string; readonly team: string; readonly session: string },
): string {
  return fingerprint(id, about.event, about.agent, about.team, about.session);
}

/** UTC, whole seconds. */
export function timestamp(now: number): string {
  return new Date(now).toISOString().replace(/\.\d+Z$/, "Z");
}

/** A line of the audit trail in events.jsonl, in the format that other programs read. */
export function auditLine(
  event: string,
  about: { readonly agent: string; readonly team: string; readonly session: string; readonly source: string },
  id: string,
  now: number,
  payload: Json,
): JsonObject {
  return {
    type: event.replaceAll("_", "-"),
    agent: about.agent || null,
    team: about.team || null,
    session_id: about.session,
    received_at: timestamp(now),
    request_id: id,
    source: about.source,
    payload,
  };
}
