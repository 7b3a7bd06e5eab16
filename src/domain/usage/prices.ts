import { MODEL_PRICES, type Price } from "./model-prices.ts";

/** Of the price of an input token: keeping it in the cache for five minutes, or for an hour. */
const CACHE_5_MINUTES = 1.25;
const CACHE_1_HOUR = 2;
const MILLION = 1_000_000;

/** The tokens of one answer of a model. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** How many of those written are kept for an hour. */
  readonly cacheWriteHour: number;
}

/**
 * Undefined for a model whose price is not known: a wrong sum is worse than none. A newer version of a known model is
 * another model, so after the name only a date, a revision or the size of the context may follow.
 */
export function priceOf(model: string): Price | undefined {
  // Some services put a region and a vendor before the name, as in `us.anthropic.claude-…`.
  const name = model.slice(Math.max(0, model.indexOf("claude-")));
  const bare = name.replace(/\[1m\]$/, "").replace(/(?:[-@](?:20\d{6}|latest))?(?:-v\d+(?::\d+)?)?$/, "");
  return Object.hasOwn(MODEL_PRICES, bare) ? MODEL_PRICES[bare] : undefined;
}

export function dollarsFor(tokens: Tokens, price: Price): number {
  const prompt = tokens.input + tokens.cacheRead + tokens.cacheWrite;
  const { input, output, cacheRead } = price.long && prompt > price.long.above ? price.long : price;
  const written = (tokens.cacheWrite - tokens.cacheWriteHour) * CACHE_5_MINUTES + tokens.cacheWriteHour * CACHE_1_HOUR;
  return ((tokens.input + written) * input + tokens.cacheRead * cacheRead + tokens.output * output) / MILLION;
}
