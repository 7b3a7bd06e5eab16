import fs from "node:fs";
import path from "node:path";
import { isObject, type Json, type JsonObject } from "../../core/event.ts";
import { GrowingFile } from "./growing-file.ts";
import type { Tokens } from "./prices.ts";

/** What one answer of a model has cost, or what it has cost more than was known of it before. */
export interface Spent {
  /** The id of the subagent; empty for the main conversation. */
  readonly conversation: string;
  readonly model: string;
  readonly tokens: Tokens;
  /** When the answer was written, in milliseconds; undefined when the transcript does not say. */
  readonly at: number | undefined;
}

export interface AnswerListener {
  spent(spent: Spent): void;
  /** How many tokens the context of the main conversation holds now; 0 after it was compacted. */
  context?(tokens: number): void;
}

/** How far the transcripts of a session were read, to go on there in another process. As JSON. */
export type ReadSoFar = {
  readonly places: Readonly<Record<string, number>>;
  /** The last answers with the tokens known of each: further lines may follow. */
  readonly open: readonly (readonly [key: string, tokens: Tokens])[];
};

/** Answers whose last line may still be to come. */
const OPEN_ANSWERS = 64;
/** Those that are kept for another process: the newest answer of some conversations. */
const KEPT_ANSWERS = 16;
const MOST_SUBAGENT_FILES = 200;
const SUBAGENT_FILE = /^agent-([A-Za-z0-9_-]{1,64})\.jsonl$/;

/** Reads the answers in the transcript of one session, and in those of its subagents beside it; each byte once. */
export class TranscriptAnswers {
  readonly #file: string;
  readonly #places: Readonly<Record<string, number>>;
  readonly #readers = new Map<string, GrowingFile>();
  readonly #open: Map<string, Tokens>;
  #bytes = 0;

  constructor(file: string, before: ReadSoFar = { places: {}, open: [] }) {
    this.#file = file;
    this.#places = before.places;
    this.#open = new Map(before.open);
  }

  /** How much was read in all. */
  get bytes(): number {
    return this.#bytes;
  }

  get soFar(): ReadSoFar {
    const read = [...this.#readers].map(([file, reader]) => [file, reader.place] as const);
    return { places: { ...this.#places, ...Object.fromEntries(read) }, open: [...this.#open].slice(-KEPT_ANSWERS) };
  }

  /** Reads on for at most so many bytes. True when there is more. */
  read(budget: number, to: AnswerListener): boolean {
    let left = budget;
    for (const { file, conversation } of this.#files()) {
      let reader = this.#readers.get(file);
      if (!reader) {
        reader = new GrowingFile(file, this.#places[file]);
        this.#readers.set(file, reader);
      }
      const read = reader.read(left, (line) => this.#line(line, conversation, to));
      this.#bytes += read;
      left -= read;
      if (left <= 0) return true;
    }
    return false;
  }

  #files(): { readonly file: string; readonly conversation: string }[] {
    const folder = path.join(this.#file.replace(/\.jsonl$/, ""), "subagents");
    const found = namesIn(folder).slice(0, MOST_SUBAGENT_FILES);
    const subagents = found.flatMap((name) => {
      const [, conversation] = SUBAGENT_FILE.exec(name) ?? [];
      return conversation === undefined ? [] : [{ file: path.join(folder, name), conversation }];
    });
    return [{ file: this.#file, conversation: "" }, ...subagents];
  }

  #line(line: string, fileOf: string, to: AnswerListener): void {
    // Most lines hold no usage, and parsing is what costs.
    if (line.includes('"compact_boundary"') && fileOf === "") to.context?.(0);
    if (!line.includes('"usage"')) return;
    const entry = parsed(line);
    const message = entry && isObject(entry.message) ? entry.message : undefined;
    if (!entry || !message || entry.type !== "assistant" || entry.isApiErrorMessage === true) return;
    const tokens = tokensOf(message.usage);
    if (!tokens) return;
    const ofLine = typeof entry.agentId === "string" ? entry.agentId : entry.isSidechain === true ? "subagents" : "";
    const conversation = fileOf === "" ? ofLine : fileOf;
    const id = typeof message.id === "string" ? message.id : "";
    const model = typeof message.model === "string" ? message.model : "";
    to.spent({ conversation, model, tokens: this.#moreThanBefore(conversation, id, tokens), at: timeOf(entry) });
    if (conversation === "") to.context?.(tokens.input + tokens.cacheRead + tokens.cacheWrite + tokens.output);
  }

  /** One answer stands on several lines, and each says what it has cost up to there: the largest counts. */
  #moreThanBefore(conversation: string, id: string, tokens: Tokens): Tokens {
    if (id === "") return tokens;
    const key = `${conversation} ${id}`;
    const before = this.#open.get(key);
    const most = before ? combined(before, tokens, Math.max) : tokens;
    this.#open.delete(key);
    this.#open.set(key, most);
    const [oldest] = this.#open.keys();
    if (this.#open.size > OPEN_ANSWERS && oldest !== undefined) this.#open.delete(oldest);
    return before ? combined(most, before, (a, b) => a - b) : most;
  }
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}

function parsed(line: string): JsonObject | undefined {
  try {
    const value = JSON.parse(line) as Json;
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function timeOf({ timestamp }: JsonObject): number | undefined {
  const at = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

function tokensOf(usage: Json | undefined): Tokens | undefined {
  if (!isObject(usage)) return undefined;
  const count = (value: Json | undefined): number => (typeof value === "number" && value > 0 ? value : 0);
  const kept = isObject(usage.cache_creation) ? usage.cache_creation : {};
  const cacheWrite = count(usage.cache_creation_input_tokens);
  return {
    input: count(usage.input_tokens),
    output: count(usage.output_tokens),
    cacheRead: count(usage.cache_read_input_tokens),
    cacheWrite,
    cacheWriteHour: Math.min(cacheWrite, count(kept.ephemeral_1h_input_tokens)),
  };
}

function combined(one: Tokens, other: Tokens, work: (a: number, b: number) => number): Tokens {
  return {
    input: work(one.input, other.input),
    output: work(one.output, other.output),
    cacheRead: work(one.cacheRead, other.cacheRead),
    cacheWrite: work(one.cacheWrite, other.cacheWrite),
    cacheWriteHour: work(one.cacheWriteHour, other.cacheWriteHour),
  };
}
