import { describe, expect, it } from "vitest";
import { usageFromTranscript } from "./context-usage.ts";

const line = (entry: object): string => JSON.stringify(entry);
const answer = (id: string, input: number, output = 0, more: object = {}): string =>
  line({ type: "assistant", message: { id, usage: { input_tokens: input, output_tokens: output } }, ...more });
const said = (text: string): string => line({ type: "user", message: { role: "user", content: text } });
const compacted = line({ type: "system", subtype: "compact_boundary" });

/** Each: the end of a transcript, and how full the context is by it. */
const METER: readonly { name: string; lines: readonly string[]; is: number | undefined }[] = [
  { name: "the last answer counts", lines: [answer("a", 20_000), answer("b", 100_000)], is: 0.5 },
  {
    name: "all kinds of tokens",
    lines: [
      line({
        type: "assistant",
        message: {
          id: "a",
          usage: {
            input_tokens: 10_000,
            cache_read_input_tokens: 20_000,
            cache_creation_input_tokens: 30_000,
            output_tokens: 40_000,
          },
        },
      }),
    ],
    is: 0.5,
  },
  {
    name: "an answer on several lines counts once",
    lines: [answer("a", 90_000, 1), answer("a", 90_000, 10_000)],
    is: 0.5,
  },
  { name: "whichever of them knows more", lines: [answer("a", 90_000, 10_000), answer("a", 90_000, 1)], is: 0.5 },
  { name: "a later, smaller answer counts", lines: [answer("a", 150_000), answer("b", 50_000)], is: 0.25 },
  { name: "answers without an id", lines: [answer("", 150_000), answer("", 50_000)], is: 0.25 },
  {
    name: "a subagent's do not",
    lines: [answer("a", 50_000), answer("b", 150_000, 0, { isSidechain: true })],
    is: 0.25,
  },
  {
    name: "an error is no answer",
    lines: [answer("a", 50_000), answer("b", 1, 0, { isApiErrorMessage: true })],
    is: 0.25,
  },
  { name: "a large window", lines: [answer("a", 500_000)], is: 0.5 },
  {
    name: "half lines at both ends",
    lines: ['sage":{"input_tokens":1}}', answer("a", 50_000), '{"type":"assis'],
    is: 0.25,
  },
  { name: "what was compacted is gone", lines: [answer("a", 190_000), compacted, answer("b", 20_000)], is: 0.1 },
  {
    name: "an estimate after a compaction",
    lines: [answer("a", 190_000), compacted, said("x".repeat(79_947))],
    is: 0.1,
  },
  { name: "an estimate when nobody counted", lines: [said("x".repeat(79_947))], is: 0.1 },
  { name: "nothing was said", lines: [line({ type: "summary" }), ""], is: undefined },
];

describe("how full the context is", () => {
  it.each(METER)("$name", ({ lines, is }) => {
    const usage = usageFromTranscript(lines.join("\n"));
    if (is === undefined) expect(usage).toBeUndefined();
    else expect(usage).toBeCloseTo(is, 3);
  });
  it.each(["ANTHROPIC_1M_CONTEXT", "VERTEX_ANTHROPIC_1M_CONTEXT"])("%s says that the window is large", (name) => {
    const lines = answer("a", 190_000);
    expect(usageFromTranscript(lines, { [name]: "true" })).toBeCloseTo(0.19, 3);
    expect(usageFromTranscript(lines, { [name]: "false" })).toBeCloseTo(0.95, 3);
  });
});
