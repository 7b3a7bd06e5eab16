import type { AnyEvent } from "../../core/event.ts";

/**
 * The names under which claims may know the agent that makes a call, the most specific one first. `named` is the name
 * that its environment gives; it counts only when the event itself has no name. Empty for an agent without a name.
 */
export function callerNames(
  { raw, agentType, agentId }: Pick<AnyEvent, "raw" | "agentType" | "agentId">,
  named: string | undefined,
): readonly string[] {
  const teammate = typeof raw.teammate_name === "string" ? raw.teammate_name : "";
  // The type of a plugin's agent is `plugin:name`.
  const said = [teammate, agentType, agentType.split(":").at(-1) ?? "", agentId].filter((name) => name !== "");
  const names = said.length > 0 ? said : [named ?? ""].filter((name) => name !== "");
  return [...new Set(names)];
}
