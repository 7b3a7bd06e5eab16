import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PLACEHOLDER, sanitizeMessages } from "./empty-messages.ts";
import { isBlankText, isContent, type Message, type Part } from "./parts.ts";

const text = (words: string): Part => ({ type: "text", text: words });
const tool: Part = { type: "tool_use", id: "t", name: "Bash", input: {} };
const result: Part = { type: "tool_result", tool_use_id: "t", content: "" };
const oldTool: Part = { type: "tool", tool: "bash" };
const search: Part = { type: "server_tool_use", id: "s", name: "web_search", input: {} };
const found: Part = { type: "web_search_tool_result", tool_use_id: "s", content: [] };
const thinking: Part = { type: "thinking", thinking: "so", signature: "x" };
const redacted: Part = { type: "redacted_thinking", data: "x" };
const image: Part = { type: "image", source: {} };
const document: Part = { type: "document", source: {} };
const step: Part = { type: "step-start" };
const put: Part = { type: "text", text: PLACEHOLDER, synthetic: true };

const user = (...parts: Part[]): Message => ({ role: "user", model: "", parts });
const assistant = (...parts: Part[]): Message => ({ role: "assistant", model: "claude-sonnet-4-5", parts });
const system = (...parts: Part[]): Message => ({ role: "system", model: "", parts });
/** A message after the one in question, so that it is not the last. */
const next = user(text("go on"));

/** Messages that stay as they are. */
const KEPT: readonly [string, ...Message[]][] = [
  ["a text of the user", user(text("hello")), next],
  ["a text of the assistant", assistant(text("hello")), next],
  ["a text of one character", user(text(".")), next],
  ["a text with blanks around", user(text("  x \n")), next],
  ["a text of a digit", user(text("0")), next],
  ["a text in another alphabet", user(text("は")), next],
  ["a picture sign", user(text("👍")), next],
  ["a zero-width space, which is no blank for a server", user(text("\u200b")), next],
  ["a tool call", assistant(tool), next],
  ["a tool result", user(result), next],
  ["a tool part of the older form", assistant(oldTool), next],
  ["a tool call of the server", assistant(search), next],
  ["a tool result of the server", assistant(found), next],
  ["a tool result with text", user(result, text("also")), next],
  ["several tool calls", assistant(tool, tool), next],
  ["thinking and text", assistant(thinking, text("so it is")), next],
  ["thinking and a tool call", assistant(thinking, tool), next],
  ["redacted thinking and text", assistant(redacted, text("so it is")), next],
  ["an image", user(image), next],
  ["a document", user(document), next],
  ["an image and a text", user(image, text("look")), next],
  ["the empty last message of the assistant", user(text("hello")), assistant()],
  ["the blank last message of the assistant", user(text("hello")), assistant(text(""))],
  ["the last message of the assistant with thinking alone", user(text("hello")), assistant(thinking)],
  ["one message of the assistant alone", assistant()],
  ["no message at all"],
  ["the placeholder itself", user(put), next],
  ["a part between two texts that nobody knows", assistant(text("a"), step, text("b")), next],
];

/** Messages that are changed, with their parts after that. */
const CHANGED: readonly [string, Message, readonly Part[]][] = [
  ["no part, user", user(), [put]],
  ["no part, assistant", assistant(), [put]],
  ["no part, another role", system(), [put]],
  ["an empty text", user(text("")), [put]],
  ["a blank", user(text(" ")), [put]],
  ["a line break", user(text("\n")), [put]],
  ["a Windows line break", user(text("\r\n")), [put]],
  ["a tab", user(text("\t")), [put]],
  ["all kinds of blanks", user(text(" \t\n\v\f\r")), [put]],
  ["a blank that does not break", user(text("\u00a0")), [put]],
  ["a wide blank", user(text("\u3000")), [put]],
  ["a byte order mark", user(text("\ufeff")), [put]],
  ["an empty text of the assistant", assistant(text("")), [put]],
  ["two empty texts", user(text(""), text(" ")), [put, put]],
  ["thinking alone", assistant(thinking), [thinking, put]],
  ["redacted thinking alone", assistant(redacted), [redacted, put]],
  ["thinking and an empty text", assistant(thinking, text("")), [thinking, put]],
  ["thinking around an empty text", assistant(thinking, text(""), thinking), [thinking, put, thinking]],
  ["a part that nobody knows", assistant(step), [step, put]],
  ["several parts that nobody knows", assistant(step, step), [step, step, put]],
  ["a part without a type", user({ text: "hello" }), [{ text: "hello" }, put]],
  ["a part that is a word", user("hello"), ["hello", put]],
  ["a part that is null", user(null), [null, put]],
  ["a part that is a list", user([text("hello")]), [[text("hello")], put]],
  ["a text without words", user({ type: "text" }), [{ type: "text", text: PLACEHOLDER, synthetic: true }]],
  ["a text that is a number", user({ type: "text", text: 5 }), [put]],
  ["a text that is null", user({ type: "text", text: null }), [put]],
  [
    "a text with more fields, which stay",
    user({ type: "text", text: "", cache_control: {} }),
    [{ ...(put as object), cache_control: {} }],
  ],
  ["a blank text beside a text", user(text("hello"), text("")), [text("hello"), put]],
  ["a blank text before a text", user(text(""), text("hello")), [put, text("hello")]],
  ["a blank text before a tool call", assistant(text(""), tool), [put, tool]],
  ["a blank text behind a tool call", assistant(tool, text(" ")), [tool, put]],
  ["a blank text beside a tool result", user(result, text("")), [result, put]],
  ["a blank text beside an image", user(image, text("")), [image, put]],
  ["two blank texts around a tool call", assistant(text(""), tool, text("")), [put, tool, put]],
  [
    "a type that only contains the name of a tool",
    assistant({ type: "tool_use_summary" }),
    [{ type: "tool_use_summary" }, put],
  ],
  [
    "a type that only contains the name of a text",
    assistant({ type: "text_delta", text: "x" }),
    [{ type: "text_delta", text: "x" }, put],
  ],
];

describe("a message that stays", () => {
  it.each(KEPT)("%s", (_name, ...messages) => {
    const { messages: after, sanitizedCount, modified } = sanitizeMessages(messages);
    expect([after, sanitizedCount, modified]).toEqual([messages, 0, false]);
    expect(after.every((message, at) => message === messages[at])).toBe(true);
  });
});

describe("a message that is given the placeholder", () => {
  it.each(CHANGED)("%s", (_name, message, parts) => {
    const before = structuredClone(message);
    const { messages, sanitizedCount, modified } = sanitizeMessages([message, next]);
    expect([messages, sanitizedCount, modified]).toEqual([[{ ...message, parts }, next], 1, true]);
    expect(message).toEqual(before);
  });

  it("is a last one of the user, too", () => {
    expect(sanitizeMessages([next, user()]).messages).toEqual([next, user(put)]);
  });

  it("takes another placeholder", () => {
    expect(sanitizeMessages([user()], "…").messages).toEqual([user({ type: "text", text: "…", synthetic: true })]);
  });

  it("is counted once, however many texts of it are blank", () => {
    const { sanitizedCount } = sanitizeMessages([user(text(""), text("")), user(text("x")), assistant(), next]);
    expect(sanitizedCount).toBe(2);
  });
});

it("afterwards every message but a last one of the assistant has content and no blank text", () => {
  const part = fc.constantFrom(text("x"), text(""), text(" \n"), tool, result, thinking, step, image, null, "x");
  const message = fc.record({
    role: fc.constantFrom("user", "assistant"),
    model: fc.constant(""),
    parts: fc.array(part, { maxLength: 4 }),
  });
  fc.assert(
    fc.property(fc.array(message, { maxLength: 5 }), (messages) => {
      const { messages: after } = sanitizeMessages(messages);
      const judged = after.at(-1)?.role === "assistant" ? after.slice(0, -1) : after;
      expect(judged.every(({ parts }) => parts.some(isContent) && !parts.some(isBlankText))).toBe(true);
      expect(sanitizeMessages(after)).toEqual({ messages: after, sanitizedCount: 0, modified: false });
    }),
  );
});
