import { windowOf } from "../compaction/context-window.ts";
import { dollarsFor, priceOf, type Tokens } from "./prices.ts";
import { TranscriptAnswers } from "./transcript-answers.ts";

/** The tokens of a conversation, added up. The cost is null as soon as it is not known of one answer. */
export interface UsageTotal {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly dollars: number | null;
}

export interface SessionUsage {
  /** Of the main conversation and all subagents. */
  readonly all: UsageTotal | null;
  /** By the id of the subagent. */
  readonly bySubagent: ReadonlyMap<string, UsageTotal>;
  /** How full the context of the main conversation is, 0 to 1. */
  readonly context: number | null;
}

/** Adds up the usage of one session and its subagents; each byte of their transcripts is read once. */
export class TranscriptUsage {
  readonly #answers: TranscriptAnswers;
  /** By conversation: "" is the main one. */
  readonly #totals = new Map<string, UsageTotal>();
  #context = 0;

  constructor(file: string) {
    this.#answers = new TranscriptAnswers(file);
  }

  /** How much was read in all. */
  get bytes(): number {
    return this.#answers.bytes;
  }

  /** Reads on for at most so many bytes. True when there is more. */
  read(budget: number): boolean {
    return this.#answers.read(budget, {
      spent: ({ conversation, model, tokens }) => {
        const total = this.#totals.get(conversation) ?? null;
        this.#totals.set(conversation, added(total, totalOf(tokens, model)));
      },
      context: (tokens) => {
        this.#context = tokens;
      },
    });
  }

  get usage(): SessionUsage {
    const totals = [...this.#totals];
    const bySubagent = new Map(totals.filter(([conversation]) => conversation !== ""));
    const all = totals.map(([, total]) => total).reduce<UsageTotal | null>((sum, one) => added(sum, one), null);
    return { all, bySubagent, context: this.#context === 0 ? null : this.#context / windowOf(this.#context, {}) };
  }
}

function totalOf(tokens: Tokens, model: string): UsageTotal {
  const price = priceOf(model);
  const isNothing = Object.values(tokens).every((count) => count === 0);
  return {
    inputTokens: tokens.input,
    outputTokens: tokens.output,
    cacheReadTokens: tokens.cacheRead,
    cacheWriteTokens: tokens.cacheWrite,
    dollars: price ? dollarsFor(tokens, price) : isNothing ? 0 : null,
  };
}

function added(sum: UsageTotal | null, one: UsageTotal): UsageTotal {
  if (sum === null) return one;
  return {
    inputTokens: sum.inputTokens + one.inputTokens,
    outputTokens: sum.outputTokens + one.outputTokens,
    cacheReadTokens: sum.cacheReadTokens + one.cacheReadTokens,
    cacheWriteTokens: sum.cacheWriteTokens + one.cacheWriteTokens,
    dollars: sum.dollars === null || one.dollars === null ? null : sum.dollars + one.dollars,
  };
}
