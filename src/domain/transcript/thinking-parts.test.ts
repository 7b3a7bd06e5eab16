import { describe, expect, it } from "vitest";
import type { Message, Part } from "./parts.ts";
import { CONTINUED_THINKING, isThinkingModel, withThinkingParts } from "./thinking-parts.ts";

const SONNET = "claude-sonnet-4-5";
const text = (words: string): Part => ({ type: "text", text: words });
const tool: Part = { type: "tool_use", id: "t", name: "Bash", input: {} };
const thinking = (words: string): Part => ({ type: "thinking", thinking: words, signature: "x" });
const said = (parts: readonly Part[], model = SONNET): Message => ({ role: "assistant", model, parts });
const asked: Message = { role: "user", model: "", parts: [text("go")] };
const put = (words: string, number: number): Part => ({
  type: "thinking",
  thinking: words,
  signature: "",
  id: `prt_0000000000_synthetic_thinking_${number}`,
  synthetic: true,
});

describe("a model thinks", () => {
  it.each([
    [SONNET, true],
    ["claude-opus-4-1-20250805", true],
    ["claude-3-7-sonnet-20250219", true],
    ["Claude-Opus-4", true],
    ["us.anthropic.claude-sonnet-4-20250514-v1:0", true],
    ["kimi-k2-thinking", true],
    ["gpt-5-high", true],
    ["gpt-5-highest", false],
    ["gpt-5", false],
    ["claude-haiku-4-5", false],
    ["<synthetic>", false],
    ["", false],
  ])("%s: %s", (model, expected) => {
    expect(isThinkingModel(model)).toBe(expected);
  });
});

describe("a message that stays", () => {
  it.each<[string, Message]>([
    ["thinking and a text", said([thinking("so"), text("x")])],
    ["redacted thinking and a tool", said([{ type: "redacted_thinking", data: "x" }, tool])],
    ["a reasoning part of another agent", said([{ type: "reasoning", text: "so" }, text("x")])],
    ["thinking alone", said([thinking("so")])],
    ["no part", said([])],
    ["nothing but a part that nobody knows", said([{ type: "step-start" }])],
    ["a text of a model that does not think", said([text("x")], "gpt-5")],
    ["a text of a user", asked],
  ])("%s", (_name, message) => {
    const { messages, results, statistics } = withThinkingParts([message]);
    expect(messages).toEqual([message]);
    expect(results).toEqual([{ valid: true, fixed: false, issue: "", action: "" }]);
    expect(statistics).toEqual({ messages: 1, valid: 1, fixed: 0 });
  });
});

describe("a message that is given thinking", () => {
  it.each<[string, Part[]]>([
    ["a text", [text("x")]],
    ["a blank text", [text("")]],
    ["a tool call", [tool]],
    ["a tool part of the older form", [{ type: "tool" }]],
    ["a text before its thinking", [text("x"), thinking("late")]],
    ["a part that nobody knows before its text", [{ type: "step-start" }, text("x")]],
  ])("%s", (_name, parts) => {
    const message = said(parts);
    const { messages, results, statistics } = withThinkingParts([asked, message]);
    expect(messages).toEqual([asked, said([put(CONTINUED_THINKING, 2), ...parts])]);
    expect(results[1]).toMatchObject({ valid: false, fixed: true, issue: "does not begin with thinking" });
    expect(statistics).toEqual({ messages: 2, valid: 1, fixed: 1 });
    expect(message.parts).toBe(parts);
  });

  it("repeats the nearest earlier thinking that has words", () => {
    const before = [said([thinking("first"), text("a")]), said([thinking(" second "), thinking("  "), text("b")])];
    const { messages } = withThinkingParts([...before, said([{ type: "redacted_thinking", data: "x" }]), said([tool])]);
    expect(messages[3]?.parts).toEqual([put("second", 4), tool]);
  });

  it("does not repeat thinking that comes later", () => {
    const { messages } = withThinkingParts([said([tool]), said([thinking("late"), tool])]);
    expect(messages[0]?.parts).toEqual([put(CONTINUED_THINKING, 1), tool]);
  });

  it("is of the model that was named last, where it names none itself", () => {
    const request: Message = { ...asked, model: SONNET };
    expect(withThinkingParts([request, said([tool], "")]).statistics.fixed).toBe(1);
    expect(withThinkingParts([{ ...asked, model: "gpt-5" }, said([tool], "")]).statistics.fixed).toBe(0);
  });
});
