import type { EventOf, Json, ToolCall } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";
import type { BackgroundTask, SessionTasks } from "./session-tasks.ts";

type Started = Pick<BackgroundTask, "id" | "kind" | "description">;

/** What this call would run in the background, under the id of the call; undefined for a call in the foreground. */
export function backgroundCall(tool: ToolCall, { isDefault }: Pick<SessionTasks, "isDefault">): Started | undefined {
  const { run_in_background: wanted, description, command } = tool.input;
  const isAgent = tool.kind === "spawn";
  if (!isAgent && tool.kind !== "shell") return undefined;
  if (wanted !== true && !(isAgent && wanted !== false && isDefault)) return undefined;
  const text = textOf(description) || textOf(command);
  return { id: tool.useId, kind: isAgent ? "agent" : "command", description: text };
}

/** The task that a call has begun in the background, as the client reports it. */
export function begunTask({ tool, response }: EventOf<"tool.after">): Started | undefined {
  if (!isObject(response)) return undefined;
  const description = textOf(tool.input.description) || textOf(tool.input.command);
  if (tool.kind === "spawn" && (response.status === "async_launched" || response.isAsync === true)) {
    const id = textOf(response.agentId);
    return id === "" ? undefined : { id, kind: "agent", description };
  }
  const id = tool.kind === "shell" ? textOf(response.backgroundTaskId) : "";
  return id === "" ? undefined : { id, kind: "command", description };
}

/** Has this call shown that agents run in the background by default? */
export function showsDefault({ tool, response }: EventOf<"tool.after">): boolean {
  const isUnasked = tool.kind === "spawn" && typeof tool.input.run_in_background !== "boolean";
  return isUnasked && isObject(response) && response.status === "async_launched";
}

const READING = new Set(["TaskOutput", "AgentOutputTool", "BashOutput"]);

/** The task whose end the agent has read with this call. */
export function readTask({ tool, response }: EventOf<"tool.after">): string | undefined {
  if (!READING.has(tool.name)) return undefined;
  const { task_id, agentId, bash_id, shell_id } = tool.input;
  const id = [task_id, agentId, bash_id, shell_id].map(textOf).find((one) => one !== "");
  const said = isObject(response) && isObject(response.task) ? response.task : response;
  const status = isObject(said) ? textOf(said.status) : "";
  return status === "running" || status === "pending" || status === "" ? undefined : id;
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
