import fs from "node:fs";
import path from "node:path";
import type { Json, JsonObject } from "../core/event.ts";
import { isObject } from "../core/event.ts";
import { safeName } from "../core/text/safe-name.ts";
import { sha256 } from "../core/text/sha256.ts";
import { fileLines, parseLine } from "./file-lines.ts";
import type { RecordedEvent } from "./recorded-event.ts";
import { partsOf } from "./transcript-line.ts";

/** Where the agent's transcript has a call and its result: offset and length in bytes. */
interface Place {
  input?: readonly [number, number];
  result?: readonly [number, number];
}
type Index = ReadonlyMap<string, Place>;
type Restorable = Pick<RecordedEvent, "toolUseId" | "agentId" | "body">;

const MOST_INDEXED = 4;
const FIELDS = ["tool_input", "tool_response"] as const;

/**
 * Puts back the texts of which the journal has only the hash, from the agent's own transcript. A text counts only if its
 * hash is the recorded one.
 */
export class BodyRestorer {
  readonly #indexes = new Map<string, Index | undefined>();

  restore<T extends Restorable>(event: T): T {
    if (event.toolUseId === "" || !event.body.includes('"sha256":')) return event;
    const body = JSON.parse(event.body) as JsonObject;
    for (const file of filesOf(event, body)) {
      const place = this.#index(file)?.get(event.toolUseId);
      const restored = place && restoredBody(body, file, place, event.toolUseId);
      if (restored) return { ...event, body: JSON.stringify(restored) };
    }
    return event;
  }

  #index(file: string): Index | undefined {
    if (!this.#indexes.has(file)) {
      const oldest = this.#indexes.keys().next();
      if (this.#indexes.size >= MOST_INDEXED && !oldest.done) this.#indexes.delete(oldest.value);
      this.#indexes.set(file, indexOf(file));
    }
    return this.#indexes.get(file);
  }
}

/** A subagent has a transcript of its own beside that of the session. */
function filesOf({ agentId }: Restorable, { transcript_path: file }: JsonObject): string[] {
  if (typeof file !== "string" || !path.isAbsolute(file)) return [];
  if (agentId === "") return [file];
  return [path.join(file.replace(/\.jsonl$/, ""), "subagents", `agent-${safeName(agentId)}.jsonl`), file];
}

function indexOf(file: string): Index | undefined {
  if (!fs.statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  const index = new Map<string, Place>();
  for (const { offset, bytes } of fileLines(file)) {
    if (!bytes.includes('"tool_use') && !bytes.includes('"tool_result"')) continue;
    const place = [offset, bytes.length] as const;
    for (const part of partsOf(parseLine(bytes))) {
      const id = part.type === "tool_use" ? part.id : part.tool_use_id;
      if (typeof id !== "string") continue;
      const known = index.get(id) ?? {};
      index.set(id, part.type === "tool_use" ? { ...known, input: place } : { ...known, result: place });
    }
  }
  return index;
}

function restoredBody(body: JsonObject, file: string, place: Place, id: string): JsonObject | undefined {
  const found: Record<(typeof FIELDS)[number], Json | undefined> = {
    tool_input: place.input && partsOf(lineAt(file, place.input)).find((part) => part.id === id)?.input,
    tool_response: place.result && (lineAt(file, place.result) as JsonObject | undefined)?.toolUseResult,
  };
  const whole: Record<string, Json> = { ...body };
  for (const field of FIELDS) {
    const kept = body[field];
    if (kept === undefined) continue;
    const restored = restoredValue(kept, found[field]);
    if (restored === undefined) return undefined;
    whole[field] = restored;
  }
  return whole;
}

/** `kept` with each hash replaced by the text that has it; undefined when one is not found. */
function restoredValue(kept: Json, source: Json | undefined): Json | undefined {
  if (isObject(kept) && typeof kept.sha256 === "string" && Object.keys(kept).length === 2) {
    return typeof source === "string" && sha256(source) === kept.sha256 ? source : undefined;
  }
  if (typeof kept !== "object" || kept === null) return kept;
  if (Array.isArray(kept)) {
    const items = kept.map((item, index) => restoredValue(item, Array.isArray(source) ? source[index] : undefined));
    return items.includes(undefined) ? undefined : (items as Json[]);
  }
  const fields: Record<string, Json> = {};
  for (const [name, value] of Object.entries(kept)) {
    const restored = restoredValue(value, isObject(source) ? source[name] : undefined);
    if (restored === undefined) return undefined;
    fields[name] = restored;
  }
  return fields;
}

function lineAt(file: string, [offset, length]: readonly [number, number]): unknown {
  const bytes = Buffer.alloc(length);
  const fd = fs.openSync(file, "r");
  try {
    fs.readSync(fd, bytes, 0, length, offset);
    return parseLine(bytes);
  } finally {
    fs.closeSync(fd);
  }
}
