import type { AnyEvent, EventOf, Json } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";

/** What the client says of a task that ran in the background. */
export interface TaskReport {
  readonly id: string;
  readonly status: string;
  readonly summary: string;
  readonly result: string;
}

const REPORT = /<task-notification>([\s\S]*?)(?:<\/task-notification>|$)/g;

/** The reports in a prompt that the client has made. A person may write such a tag as well, which means nothing. */
export function taskReports({ prompt, fromPerson }: EventOf<"prompt.submit">): readonly TaskReport[] {
  if (fromPerson || !prompt.includes("<task-notification>")) return [];
  return reportsIn(prompt);
}

export function reportsIn(text: string): readonly TaskReport[] {
  return [...text.matchAll(REPORT)].flatMap(([, report = ""]) => {
    const id = element(report, "task-id");
    if (id === "") return [];
    const [status, summary] = [element(report, "status"), element(report, "summary")];
    return [{ id, status, summary, result: element(report, "result") }];
  });
}

function element(text: string, name: string): string {
  const from = text.indexOf(`<${name}>`);
  const start = from + name.length + 2;
  const end = from < 0 ? -1 : text.indexOf(`</${name}>`, start);
  return end < 0 ? "" : text.slice(start, end).trim();
}

/** A task that the client lists as running in the background. */
export interface ListedTask {
  readonly id: string;
  readonly type: string;
  readonly description: string;
}

const ENDED = new Set<Json | undefined>(["completed", "failed", "killed", "stopped", "cancelled", "error"]);

/** What runs in the background at this stop; undefined where the client does not say. */
export function listedTasks({ raw }: Pick<AnyEvent, "raw">): readonly ListedTask[] | undefined {
  const listed = raw.background_tasks;
  if (!Array.isArray(listed)) return undefined;
  return listed.flatMap((task: Json) => {
    if (!isObject(task) || typeof task.id !== "string" || ENDED.has(task.status)) return [];
    const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");
    return [{ id: task.id, type: text(task.type), description: text(task.description) || text(task.command) }];
  });
}

const STOPPING = new Set(["TaskStop", "KillShell", "KillBash"]);

/** The task that this call has ended; undefined for any other call. */
export function stoppedTask({ tool }: EventOf<"tool.after">): string | undefined {
  if (!STOPPING.has(tool.name)) return undefined;
  const { task_id, shell_id, bash_id } = tool.input;
  return [task_id, shell_id, bash_id].find((id): id is string => typeof id === "string" && id !== "");
}
