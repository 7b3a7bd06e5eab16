import fs from "node:fs";
import path from "node:path";
import type { Json, JsonObject } from "../../core/event.ts";
import { safeName } from "../../core/text/safe-name.ts";
import { makeFolder } from "../../system/make-folder.ts";
import { type TeamErrorCode, timestamp } from "./protocol.ts";
import type { AgentState, TeamRegistryEntry } from "./registry.ts";

/** More than a person types; larger input belongs in a file that the text names. */
const LONGEST_TEXT = 64 * 1024;

export interface ControlService {
  isMember(team: string, agent: string): boolean;
  /** Queues the text for the agent's adapter, once for each request id. */
  deliver(id: string, entry: TeamRegistryEntry, text: string): { readonly duplicate: boolean };
}

/** Why an agent accepts no input, with the error code; undefined when it does accept. */
type Objection = { readonly code: TeamErrorCode; readonly message: string } | undefined;

/** Only agents whose adapter reads the queue accept input. Input for a Claude Code session comes from the person alone. */
export function controlObjection(
  entry: TeamRegistryEntry,
  state: AgentState,
  payload: JsonObject,
  service: ControlService,
): Objection {
  const no = (code: TeamErrorCode, message: string): Objection => ({ code, message });
  const { agent, source } = entry;
  const session = payload.session_id;
  if (typeof session === "string" && session !== "" && session !== entry.session) {
    return no("AGENT_NOT_FOUND", `${agent} is now in another session`);
  }
  if (state === "closed") return no("AGENT_CLOSED", `the session of ${agent} has ended, so it takes no input`);
  if (typeof payload.sender !== "string" || !service.isMember(entry.team, payload.sender)) {
    return no("UNAUTHORIZED", `only members of ${entry.team} may send input to its agents; name a member as sender`);
  }
  if (source !== "atm_mcp" && source !== "agent_hook") {
    return no("UNAVAILABLE", `${agent} has no adapter that reads input; this daemon does not type into terminals`);
  }
  if (state === "launching") return no("UNAVAILABLE", `${agent} has not begun to work yet`);
  if (payload.action !== undefined && payload.action !== "stdin") {
    return no("UNAVAILABLE", "only the action stdin is known; an agent cannot be interrupted from here");
  }
  const text = controlText(payload);
  if (text.trim() === "") return no("MISSING_PARAMETER", "payload.payload, the text, is missing");
  if (text.length > LONGEST_TEXT) return no("INVALID_PAYLOAD", `the text is longer than ${LONGEST_TEXT} characters`);
  return undefined;
}

export function controlText(payload: JsonObject): string {
  const text = payload.payload ?? payload.content;
  return typeof text === "string" ? text : "";
}

export function controlAck(id: string, duplicate: boolean, now: number): Json {
  const detail = duplicate ? "known already" : "left for the agent's adapter";
  return { request_id: id, result: "ok", duplicate, detail, acked_at: timestamp(now) };
}

/** The folder from which the adapters of agent-team-mail read input. */
export function inputQueue(home: string, { team, agent }: Pick<TeamRegistryEntry, "team" | "agent">): string {
  return path.join(home, ".config", "atm", "agent-sessions", safeName(team), safeName(agent), "stdin_queue");
}

/** Written atomically. A second file with the same key replaces the first, so input is delivered once. */
export function queueInput(folder: string, key: string, text: string): void {
  makeFolder(folder, 0o700);
  const draft = path.join(folder, `.${key}.${process.pid}`);
  fs.writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
  fs.renameSync(draft, path.join(folder, `${key}.json`));
}
