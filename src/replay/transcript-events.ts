import fs from "node:fs";
import path from "node:path";
import { isObject, type Json, type JsonObject } from "../core/event.ts";
import type { Origin } from "../state/origins.ts";
import { fileLines, parseLine } from "./file-lines.ts";
import type { Selection } from "./journal-events.ts";
import type { Afterwards, RecordedEvent } from "./recorded-event.ts";
import { partsOf } from "./transcript-line.ts";

/** Claude Code's words for a call that the person did not allow. */
const REFUSED = /doesn't want to (?:proceed|take this action)|user rejected|\[Request interrupted by user/i;

/** The transcripts below a folder, the oldest first. */
export function transcriptFiles(folder: string, { since, session }: Selection): string[] {
  const found: { file: string; at: number }[] = [];
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".jsonl")) continue;
    const file = path.join(entry.parentPath, entry.name);
    const { mtimeMs } = fs.statSync(file);
    if (since !== undefined && mtimeMs < since) continue;
    if (session !== undefined && !file.includes(session)) continue;
    found.push({ file, at: mtimeMs });
  }
  return found.sort((a, b) => a.at - b.at || (a.file < b.file ? -1 : 1)).map(({ file }) => file);
}

/** What became of the calls. It stands behind them, so it takes a pass of its own over the file. */
function outcomesIn(file: string): ReadonlyMap<string, Afterwards> {
  const outcomes = new Map<string, Afterwards>();
  for (const { bytes } of fileLines(file)) {
    if (!bytes.includes('"tool_result"')) continue;
    for (const part of partsOf(parseLine(bytes))) {
      if (typeof part.tool_use_id === "string") outcomes.set(part.tool_use_id, outcomeOf(part));
    }
  }
  return outcomes;
}

function outcomeOf(result: JsonObject): Afterwards {
  if (result.is_error !== true) return "kept";
  return REFUSED.test(textOf(result.content)) ? "refused" : "failed";
}

/**
 * The events that hooks would have reported while this transcript was written. Nobody was asked then, so each passed.
 * `origin` is what a transcript does not say.
 */
export function* transcriptEvents(file: string, selection: Selection, origin: Origin): Generator<RecordedEvent> {
  const outcomes = outcomesIn(file);
  const calls = new Map<string, JsonObject>();
  let project: string | undefined;
  for (const { number, bytes } of fileLines(file)) {
    const line = parseLine(bytes) as Json;
    if (!isObject(line) || typeof line.cwd !== "string") continue;
    project ??= line.cwd;
    const at = Date.parse(String(line.timestamp));
    if (Number.isNaN(at)) continue;
    const about = {
      session_id: String(line.sessionId ?? path.basename(file, ".jsonl")),
      transcript_path: file,
      cwd: line.cwd,
      ...(typeof line.agentId === "string" ? { agent_id: line.agentId } : {}),
    };
    let part = 0;
    const event = (agentEvent: string, name: string, more: JsonObject): RecordedEvent => ({
      id: number,
      at,
      agent: "claude-code",
      session: about.session_id,
      agentId: about.agent_id ?? "",
      project: project ?? "/",
      event: name,
      agentEvent,
      tool: String(more.tool_name ?? ""),
      toolUseId: String(more.tool_use_id ?? ""),
      key: `${file}:${number}:${part++}`,
      body: JSON.stringify({ hook_event_name: agentEvent, ...about, ...more }),
      origin,
      grounds: undefined,
      facts: {},
      assumesUsual: true,
      ruling: "pass",
      policy: "",
      reason: "",
      results: [],
      reply: undefined,
      afterwards: outcomes.get(String(more.tool_use_id)) ?? "unknown",
      isWarmUp: selection.since !== undefined && at < selection.since,
    });
    const prompt = promptOf(line);
    if (prompt !== undefined) yield event("UserPromptSubmit", "prompt.submit", { prompt });
    for (const one of partsOf(line)) {
      if (one.type === "tool_use" && typeof one.id === "string" && isObject(one.input)) {
        const call = { tool_name: String(one.name), tool_input: one.input, tool_use_id: one.id };
        calls.set(one.id, call);
        yield event("PreToolUse", "tool.before", call);
      } else if (one.type === "tool_result" && typeof one.tool_use_id === "string") {
        const call = calls.get(one.tool_use_id);
        calls.delete(one.tool_use_id);
        if (call === undefined) continue;
        const outcome = outcomeOf(one);
        // A call that the person refused is not reported.
        if (outcome === "refused") continue;
        yield outcome === "failed"
          ? event("PostToolUseFailure", "tool.failed", { ...call, error: textOf(one.content) })
          : event("PostToolUse", "tool.after", { ...call, tool_response: line.toolUseResult ?? one.content ?? null });
      }
    }
  }
}

/** What a person typed. Results of calls and what the agent writes for itself are lines of the user as well. */
function promptOf(line: JsonObject): string | undefined {
  if (line.type !== "user" || line.isMeta === true || line.isSidechain === true || !isObject(line.message))
    return undefined;
  const { content } = line.message;
  if (typeof content === "string") return content;
  const parts = partsOf(line);
  if (parts.length === 0 || parts.some(({ type }) => type === "tool_result")) return undefined;
  return textOf(content);
}

function textOf(content: Json | undefined): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return (content as Json[])
    .flatMap((part) => (isObject(part) && typeof part.text === "string" ? [part.text] : []))
    .join("\n");
}
