import { isObject, type Json } from "../../core/event.ts";
import type { Row, Value } from "../driver.ts";

const LONGEST = 20_000;
/** Fields of an event that people search in; of a call also all texts of its input. */
const FIELDS = ["prompt", "message", "error", "task_subject", "last_assistant_message", "command_name", "url"];

/** What an entry can be found by: the command, path or prompt, what was said about it, and by whom. Secrets are masked. */
export function searchableText(row: Row): string {
  const body = parsed(row.body);
  const fields = isObject(body) ? [body.tool_input, ...FIELDS.map((name) => body[name])] : [];
  const verdicts = parsed(row.verdicts);
  const said = Array.isArray(verdicts) ? (verdicts as Json[]) : [];
  const parts = [row.agent_event, row.tool, row.reason, row.policy].map(String);
  return [...parts, ...fields.flatMap(textsIn), ...said.flatMap(textsIn)].join("\n").slice(0, LONGEST);
}

function textsIn(value: Json | undefined): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return (Object.values(value) as Json[]).flatMap(textsIn);
}

function parsed(value: Value | undefined): Json {
  try {
    return JSON.parse(String(value ?? "null")) as Json;
  } catch (error) {
    // A damaged entry is found by its other columns.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
