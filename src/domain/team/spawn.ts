import type { Json, JsonObject } from "../../core/event.ts";
import { agentSessionIn, type TeamRegistryEntry } from "./registry.ts";
import type { Team } from "./team-config.ts";

/** The agent that makes the spawn call. */
export interface Caller {
  readonly session: string;
  readonly agentId: string;
  readonly agentType: string;
  readonly identity: string;
}

/** Teammates inside the lead's process have its session id; only the agent id distinguishes them. */
export function isLead(caller: Caller, team: Team): boolean {
  return caller.agentId === "" && caller.session === team.leadSession;
}

/** After `/clear` the lead has a new session id in the same process, and still acts as the lead. */
export function continuesAsLead(caller: Caller, team: Team, known: TeamRegistryEntry | undefined): boolean {
  if (caller.agentId !== "" || known?.session !== caller.session || known.pid === 0) return false;
  const before = agentSessionIn(known, team.leadSession);
  return before?.registry === "Dead" && before.pid === known.pid;
}

/** The caller's member name, as far as it is proven; identity from the environment counts only for a separate process. */
export function callerName(caller: Caller, team: Team | undefined): string {
  if (caller.agentId !== "") return teammateName(caller);
  const member = team?.members.find(({ sessionId }) => sessionId !== "" && sessionId === caller.session);
  return member?.name ?? caller.identity;
}

/** A teammate's agent id contains its name; the id of a subagent that only has a type of that name does not. */
export function teammateName({ agentId, agentType }: Pick<Caller, "agentId" | "agentType">): string {
  return agentType !== "" && agentId.startsWith(`a${agentType}-`) ? agentType : "";
}

/** Does an agent's front matter require a named teammate? Reads the block form and the one-line form of YAML. */
export function demandsName(frontMatter: string): boolean {
  const block = /^metadata:[ \t]*(\{.*\})?[ \t]*(?:#.*)?\r?\n?((?:[ \t]+.*(?:\r?\n|$)|[ \t]*\r?\n)*)/m.exec(
    frontMatter,
  );
  const inside = `${block?.[1] ?? ""}\n${block?.[2] ?? ""}`;
  return /(?:^|[\s{,])["']?spawn_policy["']?[ \t]*:[ \t]*["']?named_teammate_required["']?[ \t]*(?:[},#\r\n]|$)/m.test(
    inside,
  );
}

/** The payload of a spawn as it is stored: the parameters without the prompt and other free text. */
export function withoutPrompt(raw: JsonObject, input: JsonObject, pid: number): JsonObject {
  const kept = Object.entries(input).map(([name, value]) => [name, shortened(name, value)]);
  return { ...raw, tool_input: Object.fromEntries(kept), process_id: pid };
}

const HARMLESS = new Set(["subagent_type", "name", "team_name", "model", "run_in_background", "isolation"]);

function shortened(name: string, value: Json): Json {
  if (typeof value === "string" && !HARMLESS.has(name)) return `[redacted, ${value.length} characters]`;
  return typeof value === "object" && value !== null ? "[redacted]" : value;
}
