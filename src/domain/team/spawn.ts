import type { Json, JsonObject } from "../../core/event.ts";
import { type RegistryEntry, sessionIn } from "./registry.ts";
import type { Team } from "./team-config.ts";

/** Who wants to start an agent. */
export interface Caller {
  readonly session: string;
  readonly agentId: string;
  readonly agentType: string;
  readonly identity: string;
}

/** Teammates inside the lead's process share its session; only their agent id tells them apart. */
export function isLead(caller: Caller, team: Team): boolean {
  return caller.agentId === "" && caller.session === team.leadSession;
}

/** The lead's conversation was cleared, and another session of the very same process goes on with its work. */
export function goesOnForLead(caller: Caller, team: Team, known: RegistryEntry | undefined): boolean {
  if (caller.agentId !== "" || known?.session !== caller.session || known.pid === 0) return false;
  const before = sessionIn(known, team.leadSession);
  return before?.registry === "Dead" && before.pid === known.pid;
}

/** The member that the caller is, as far as anything proves it; the environment counts for a process of its own only. */
export function callerName(caller: Caller, team: Team | undefined): string {
  if (caller.agentId !== "") return teammateName(caller);
  const member = team?.members.find(({ sessionId }) => sessionId !== "" && sessionId === caller.session);
  return member?.name ?? caller.identity;
}

/** A teammate's agent id begins with its name; a subagent that merely has a type of that name has another id. */
export function teammateName({ agentId, agentType }: Pick<Caller, "agentId" | "agentType">): string {
  return agentType !== "" && agentId.startsWith(`a${agentType}-`) ? agentType : "";
}

/** Does the front matter of an agent demand a named teammate? Understands the block and the one-line form. */
export function demandsName(frontMatter: string): boolean {
  const block = /^metadata:[ \t]*(\{.*\})?[ \t]*(?:#.*)?\r?\n?((?:[ \t]+.*(?:\r?\n|$)|[ \t]*\r?\n)*)/m.exec(
    frontMatter,
  );
  const inside = `${block?.[1] ?? ""}\n${block?.[2] ?? ""}`;
  return /(?:^|[\s{,])["']?spawn_policy["']?[ \t]*:[ \t]*["']?named_teammate_required["']?[ \t]*(?:[},#\r\n]|$)/m.test(
    inside,
  );
}

/** A spawn as it may be kept: with what was asked for, without the texts that were handed over. */
export function withoutPrompt(raw: JsonObject, input: JsonObject, pid: number): JsonObject {
  const kept = Object.entries(input).map(([name, value]) => [name, shortened(name, value)]);
  return { ...raw, tool_input: Object.fromEntries(kept), process_id: pid };
}

const HARMLESS = new Set(["subagent_type", "name", "team_name", "model", "run_in_background", "isolation"]);

function shortened(name: string, value: Json): Json {
  if (typeof value === "string" && !HARMLESS.has(name)) return `[redacted, ${value.length} characters]`;
  return typeof value === "object" && value !== null ? "[redacted]" : value;
}
