import { describe, expect, it } from "vitest";
import { type Refusal, refusalIn, sizeText } from "./refused-conversation.ts";

const tooLong = (used?: number, most?: number): Refusal =>
  used === undefined || most === undefined ? { kind: "too_long" } : { kind: "too_long", used, most };
const empty: Refusal = { kind: "empty_message" };

describe("an error of the model's service", () => {
  it.each<[string, string, Refusal]>([
    ["unknown", "Prompt is too long", tooLong()],
    ["invalid_request", "prompt is too long: 210000 tokens > 200000 maximum", tooLong(210_000, 200_000)],
    ["invalid_request", "PROMPT IS TOO LONG: 210,000 tokens > 200,000 maximum", tooLong(210_000, 200_000)],
    [
      "invalid_request",
      "input length and `max_tokens` exceed context limit: 195000 + 21333 > 200000, decrease input length",
      tooLong(216_333, 200_000),
    ],
    ["", "Too many tokens: the prompt has 210000 tokens, which exceeds 200000", tooLong(210_000, 200_000)],
    ["", "210000 tokens are over the token limit of 200000", tooLong(210_000, 200_000)],
    [
      "",
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens",
      tooLong(130_001, 128_000),
    ],
    ["", "max context 8192, but 9000 were sent (context_length_exceeded)", tooLong(9_000, 8_192)],
    ["context_length_exceeded", "", tooLong()],
    ["", "API Error: Input is too long for requested model.", tooLong()],
    ["", "token limit reached", tooLong()],
    ["", "max_tokens exceeded", tooLong()],
    ["", "too many tokens", tooLong()],
    ["invalid_request", "messages: all messages must have non-empty content", empty],
    ["invalid_request", "messages: text content blocks must be non-empty", empty],
  ])("%s %j", (error, text, refusal) => {
    expect(refusalIn(error, text)).toEqual(refusal);
  });

  it.each<[string, string]>([
    ["rate_limit", "Too many tokens, please wait before trying again."],
    ["overloaded", "Prompt is too long"],
    ["server_error", "API Error: 500 context length"],
    ["authentication_failed", "token limit"],
    ["billing_error", "token limit"],
    ["max_output_tokens", "The answer is too long"],
    ["model_not_found", "context length"],
    ["invalid_request", "max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens"],
    ["invalid_request", "messages.1.content.0.type: Expected `thinking`, but found `tool_use`: the prompt is too long"],
    ["invalid_request", "tool_use ids were found without tool_result blocks"],
    ["unknown", "API Error: 400 400"],
    ["", ""],
  ])("of another kind: %s %j", (error, text) => {
    expect(refusalIn(error, text)).toBeUndefined();
  });

  it("is not looked through without an end", () => {
    expect(refusalIn("", `${"1 token ".repeat(1_000)} prompt is too long`)).toBeUndefined();
  });
});

it.each([
  [{ used: 210_000, most: 200_000 }, " (210,000 tokens of at most 200,000)"],
  [{}, ""],
  [{ used: 1 }, ""],
])("the size in words: %j", (sizes, text) => {
  expect(sizeText(sizes)).toBe(text);
});
