import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/event.ts";
import { examineTranscript, surveyTranscript } from "./check-transcript.ts";
import { PLACEHOLDER } from "./empty-messages.ts";
import type { Part } from "./parts.ts";
import { CONTINUED_THINKING } from "./thinking-parts.ts";
import type { Line } from "./transcript-line.ts";

const SONNET = "claude-sonnet-4-5";
const text = (words: string): Part => ({ type: "text", text: words });
const tool: Part = { type: "tool_use", id: "t", name: "Bash", input: {} };
const result: Part = { type: "tool_result", tool_use_id: "t", content: "" };
const thinking: Part = { type: "thinking", thinking: "so", signature: "x" };
const put: Part = { type: "text", text: PLACEHOLDER, synthetic: true };
const thought = (words: string, line: number): Part => ({
  type: "thinking",
  thinking: words,
  signature: "",
  id: `prt_0000000000_synthetic_thinking_${line}`,
  synthetic: true,
});

const asks = (...content: Part[]): JsonObject => ({ type: "user", message: { role: "user", content } });
const answers = (id: string, content: Part[], more: JsonObject = {}, model = SONNET): JsonObject => ({
  type: "assistant",
  message: { id, role: "assistant", model, content },
  ...more,
});
const go = asks(text("go"));
const inSubagent = { isSidechain: true, agentId: "a1" };

type Entry = JsonObject | string;

function linesOf(entries: readonly Entry[], isWhole = true): Line[] {
  return entries.map((entry, index) => ({
    number: index + 1,
    bytes: Buffer.from(`${typeof entry === "string" ? entry : JSON.stringify(entry)}\n`),
    isComplete: isWhole || index < entries.length - 1,
  }));
}

function examined(entries: readonly Entry[], isWhole = true) {
  const lines = linesOf(entries, isWhole);
  const survey = surveyTranscript(lines);
  return { survey, lines: [...examineTranscript(lines, survey)] };
}

/** `line kind` of every finding. */
function found(entries: readonly Entry[], isWhole = true): string[] {
  return examined(entries, isWhole).lines.flatMap(({ findings }) =>
    findings.map(({ line, kind }) => `${line} ${kind}`),
  );
}

/** The parts of the repaired lines; undefined for a line that stays. */
function repaired(entries: readonly Entry[]): (readonly Part[] | undefined)[] {
  return examined(entries).lines.map(({ repaired: line }) =>
    line === undefined ? undefined : JSON.parse(line).message.content,
  );
}

describe("nothing is found in", () => {
  it.each<[string, Entry[]]>([
    ["an empty transcript", []],
    ["blank lines", [go, "", "  ", answers("1", [thinking, text("x")])]],
    [
      "thinking, text and tool call of one message on three lines",
      [go, answers("1", [thinking]), answers("1", [text("x")]), answers("1", [tool]), asks(result)],
    ],
    ["a prompt that is a plain text", [{ type: "user", message: { role: "user", content: "go" } }, answers("1", [])]],
    [
      "records that are no messages",
      [
        { type: "summary", summary: "" },
        { type: "file-history-snapshot", message: { role: "user", content: [] } },
        { type: "system", message: { role: "assistant", content: [] } },
        go,
      ],
    ],
    ["values that are no records", ["null", "[]", "5", '"x"', "{}", '{"message":5}', go]],
    ["a last message of the assistant that is still empty", [go, answers("1", [])]],
    [
      "a last message of the assistant with thinking alone, on two lines",
      [go, answers("1", [thinking]), answers("1", [thinking])],
    ],
    [
      "the last messages of the main conversation and of a subagent",
      [go, { ...go, ...inSubagent }, answers("2", [], inSubagent), answers("1", [])],
    ],
    ["an answer of a model that does not think", [go, answers("1", [text("x")], {}, "claude-haiku-4-5"), go]],
    ["an error message that the agent wrote itself", [go, answers("1", [text("API Error")], {}, "<synthetic>"), go]],
  ])("%s", (_name, entries) => {
    expect(found(entries)).toEqual([]);
    expect(examined(entries).lines.every((line) => line.repaired === undefined)).toBe(true);
  });
});

describe("found is", () => {
  it.each<[string, Entry[], string[]]>([
    ["an answer without thinking", [go, answers("1", [text("x")]), go], ["2 no-thinking"]],
    [
      "one without thinking on three lines, once",
      [go, answers("1", [text("x")]), answers("1", [tool]), answers("1", [tool]), asks(result)],
      ["2 no-thinking"],
    ],
    [
      "one whose thinking stands on a later line",
      [go, answers("1", [text("x")]), answers("1", [thinking]), go],
      ["2 no-thinking"],
    ],
    ["the last answer without thinking", [go, answers("1", [text("x")])], ["2 no-thinking"]],
    [
      "the same message id in a subagent as a message of its own",
      [go, answers("1", [thinking, text("x")]), answers("1", [text("x")], inSubagent), { ...go, ...inSubagent }],
      ["3 no-thinking"],
    ],
    [
      "a model that only the answer before names",
      [go, answers("1", [thinking, tool]), answers("2", [tool], {}, "")],
      ["3 no-thinking"],
    ],
    ["an empty prompt", [asks(), answers("1", [thinking, text("x")])], ["1 empty-message"]],
    [
      "a prompt that is a blank text",
      [{ type: "user", message: { role: "user", content: " " } }, go],
      ["1 empty-message"],
    ],
    ["a last empty prompt", [go, asks(text(""))], ["2 empty-message"]],
    ["an empty answer that is not the last", [go, answers("1", []), go], ["2 empty-message"]],
    ["an empty answer on two lines, once", [go, answers("1", []), answers("1", [thinking]), go], ["3 empty-message"]],
    ["a blank text beside a tool call", [go, answers("1", [thinking, text(""), tool]), go], ["2 blank-text"]],
    [
      "a blank text on a line of its own",
      [go, answers("1", [thinking]), answers("1", [text("")]), answers("1", [tool]), go],
      ["3 blank-text"],
    ],
    ["a line that is no JSON", [go, "{", answers("1", [])], ["2 unreadable"]],
    ["two mistakes in one answer", [go, answers("1", [text(""), tool]), go], ["2 blank-text", "2 no-thinking"]],
    ["a record of another writer, without a type", [{ role: "user", content: [] }, go], ["1 empty-message"]],
  ])("%s", (_name, entries, expected) => {
    expect(found(entries)).toEqual(expected);
  });
});

describe("the end of the file", () => {
  it("half a line is no finding, and is left alone", () => {
    const { survey, lines } = examined([go, '{"type":"assis'], false);
    expect(survey.isCut).toBe(true);
    expect(lines.map(({ findings, repaired: line }) => [findings, line])).toEqual([
      [[], undefined],
      [[], undefined],
    ]);
  });
  it("a half line that is not the last is one", () => {
    expect(found(['{"type":"assis', go], false)).toEqual(["1 unreadable"]);
    expect(examined(['{"type":"assis', go], false).survey.isCut).toBe(false);
  });
  it("a whole last line is judged although its line break is missing", () => {
    expect(found([go, asks()], false)).toEqual(["2 empty-message"]);
  });
});

describe("a finding names", () => {
  it("line, id, role and model", () => {
    const entry = answers("1", [text("x")], { uuid: "u-1" });
    expect(examined([go, entry]).lines[1]?.findings).toEqual([
      { line: 2, kind: "no-thinking", uuid: "u-1", role: "assistant", model: SONNET },
    ]);
  });
});

describe("the repaired line", () => {
  it("begins with the nearest earlier thinking of the same conversation", () => {
    const inOther = answers("9", [{ type: "thinking", thinking: "of a subagent" }, text("x")], inSubagent);
    expect(repaired([go, answers("1", [thinking, tool]), inOther, answers("2", [tool]), go])).toEqual([
      undefined,
      undefined,
      undefined,
      [thought("so", 4), tool],
      undefined,
    ]);
  });
  it("begins with fixed words where nothing was thought before", () => {
    expect(repaired([go, answers("1", [tool]), go])[1]).toEqual([thought(CONTINUED_THINKING, 2), tool]);
  });
  it("of an empty answer gets thinking and the placeholder", () => {
    expect(repaired([go, answers("1", []), go])[1]).toEqual([thought(CONTINUED_THINKING, 2), put]);
  });
  it("of an empty answer that has thinking gets the placeholder behind it", () => {
    expect(repaired([go, answers("1", [thinking]), go])[1]).toEqual([thinking, put]);
  });
  it("keeps all other fields of the record and of the message", () => {
    const entry = { type: "user", uuid: "u", parentUuid: null, message: { role: "user", content: "", extra: [1] } };
    expect(JSON.parse(String(examined([entry, go]).lines[0]?.repaired))).toEqual({
      ...entry,
      message: { role: "user", content: [put], extra: [1] },
    });
  });
  it("of a record without a message around it keeps that shape", () => {
    const entry = { role: "user", content: [], id: "1" };
    expect(examined([entry, go]).lines[0]?.repaired).toBe(`${JSON.stringify({ ...entry, content: [put] })}\n`);
  });
  it("has nothing left to find", () => {
    const entries = [go, answers("1", [text(""), tool]), asks(), answers("2", [thinking]), asks(result, text(" ")), go];
    const again = examined(entries).lines.map(({ line, repaired: copy }) => (copy ?? line.bytes.toString()).trimEnd());
    expect(found(entries).length).toBe(5);
    expect(found(again)).toEqual([]);
  });
});
