import type { Json, JsonObject } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";
import { type ControlService, controlAck, controlObjection, controlText } from "./control.ts";
import { type LifecycleEvent, type ReportResult, readLifecycleEvent } from "./lifecycle.ts";
import { PROTOCOL_VERSION, type TeamErrorCode, type TeamResponse } from "./protocol.ts";
import type { AgentState, TeamRegistry, TeamRegistryEntry } from "./registry.ts";

/** What the daemon provides for answering requests on the team socket. */
export interface TeamService extends ControlService {
  now(): number;
  /** The file of the database; tells this daemon from one with another home. */
  readonly database: string;
  readonly registry: Pick<TeamRegistry, "all" | "ofTeam">;
  isAlive(entry: TeamRegistryEntry): boolean;
  /** Applies and records one report; a repeated report is recognised by its id. */
  receive(id: string, event: LifecycleEvent, payload: JsonObject): ReportResult & { readonly duplicate?: true };
}

class RequestError extends Error {
  readonly code: TeamErrorCode;

  constructor(code: TeamErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Answers one request line. Invalid requests get an error response; only failures of our own are thrown. */
export function handleRequestLine(line: string, service: TeamService): TeamResponse {
  let id = "";
  try {
    const request = parse(line);
    id = typeof request.request_id === "string" ? request.request_id : "";
    if (request.version !== PROTOCOL_VERSION) {
      throw new RequestError("VERSION_MISMATCH", `this daemon speaks version ${PROTOCOL_VERSION}`);
    }
    if (id === "") throw new RequestError("INVALID_REQUEST", "request_id is missing");
    if (typeof request.command !== "string") throw new RequestError("INVALID_REQUEST", "command is missing");
    const command = Object.hasOwn(COMMANDS, request.command) ? COMMANDS[request.command] : undefined;
    if (!command) throw new RequestError("UNKNOWN_COMMAND", `there is no command ${request.command.slice(0, 64)}`);
    const payload = request.payload ?? {};
    if (!isObject(payload)) throw new RequestError("INVALID_PAYLOAD", "payload is not an object");
    return { version: PROTOCOL_VERSION, request_id: id, status: "ok", payload: command(payload, service, id) };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return errorResponse(id, error.code, error.message);
  }
}

export function errorResponse(id: string, code: TeamErrorCode, message: string): TeamResponse {
  return { version: PROTOCOL_VERSION, request_id: id, status: "error", error: { code, message } };
}

function parse(line: string): JsonObject {
  try {
    const request = JSON.parse(line) as Json;
    if (isObject(request)) return request;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new RequestError("INVALID_REQUEST", "the line is not JSON");
  }
  throw new RequestError("INVALID_REQUEST", "the request is not an object");
}

type RequestHandler = (payload: JsonObject, service: TeamService, id: string) => Json;

const COMMANDS: Readonly<Record<string, RequestHandler>> = {
  "hook-event": (payload, service, id) => ({ ...service.receive(id, readLifecycleEvent(payload), payload) }),
  "session-query"(payload, service) {
    const entry = find(payload, service);
    return {
      ...about(entry, service),
      session_id: entry.session,
      process_id: entry.pid === 0 ? null : entry.pid,
      alive: service.isAlive(entry),
    };
  },
  "agent-state": (payload, service) => about(find(payload, service), service),
  "list-agents"(payload, service) {
    const team = payload.team;
    const entries = typeof team === "string" && team !== "" ? service.registry.ofTeam(team) : service.registry.all();
    return entries.map((entry) => ({ ...about(entry, service), session_id: entry.session }));
  },
  /** An addition to the protocol, for Hookwright's own tools. */
  "hookwright-status": (_payload, { database }) => ({ pid: process.pid, database }),
  control(payload, service, id) {
    const entry = find(payload, service);
    const objection = controlObjection(entry, stateOf(entry, service), payload, service);
    if (objection) throw new RequestError(objection.code, objection.message);
    return controlAck(id, service.deliver(id, entry, controlText(payload)).duplicate, service.now());
  },
};

/** The state that clients see: an agent whose process is gone is closed, even if its end was never reported. */
function stateOf(entry: TeamRegistryEntry, service: TeamService): AgentState {
  return service.isAlive(entry) ? entry.state : "closed";
}

function about(entry: TeamRegistryEntry, service: TeamService): JsonObject {
  return {
    agent: entry.agent,
    team: entry.team,
    state: stateOf(entry, service),
    registry: entry.registry,
    last_transition: new Date(entry.at).toISOString(),
    source: { kind: entry.source },
  };
}

function find(payload: JsonObject, { registry }: TeamService): TeamRegistryEntry {
  const name = payload.agent ?? payload.name ?? payload.agent_id;
  if (typeof name !== "string" || name === "") throw new RequestError("MISSING_PARAMETER", "agent is missing");
  const { team } = payload;
  const entries = typeof team === "string" && team !== "" ? registry.ofTeam(team) : registry.all();
  // Without a team the name may fit several agents: take the one that reported last.
  const found = entries.filter((entry) => entry.agent === name).sort((a, b) => b.at - a.at)[0];
  if (!found) throw new RequestError("AGENT_NOT_FOUND", `nothing is known of ${name.slice(0, 64)}`);
  return found;
}
