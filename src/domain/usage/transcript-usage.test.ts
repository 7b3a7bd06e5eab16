import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dollarsFor, priceOf } from "./prices.ts";
import { TranscriptUsage } from "./transcript-usage.ts";

const MODEL = "claude-sonnet-4-5-20250929";
let folder: string;
let file: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "hw-usage-"));
  file = path.join(folder, "session.jsonl");
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

function answer(id: string, output: number, more: object = {}, model = MODEL): string {
  const usage = {
    input_tokens: 10,
    output_tokens: output,
    cache_read_input_tokens: 1000,
    cache_creation_input_tokens: 100,
  };
  return `${JSON.stringify({ type: "assistant", message: { id, model, usage }, ...more })}\n`;
}

function usageOf(): TranscriptUsage {
  const usage = new TranscriptUsage(file);
  while (usage.read(1_000_000));
  return usage;
}

describe("the usage of a session", () => {
  it("counts an answer that stands on several lines once, with the largest numbers", () => {
    fs.writeFileSync(file, answer("m1", 1) + answer("m1", 50) + answer("m1", 20) + answer("m2", 7));
    expect(usageOf().usage.all).toMatchObject({
      inputTokens: 20,
      outputTokens: 57,
      cacheReadTokens: 2000,
      cacheWriteTokens: 200,
    });
  });

  it("reads each byte once, however often and in whatever pieces it is asked", () => {
    const lines = Array.from({ length: 40 }, (_, at) => answer(`m${at}`, 1)).join("");
    const usage = new TranscriptUsage(file);
    expect(usage.read(100)).toBe(false);
    for (let at = 0; at < lines.length; at += 777) {
      fs.appendFileSync(file, lines.slice(at, at + 777));
      while (usage.read(100));
    }
    expect(usage.usage.all?.outputTokens).toBe(40);
    expect(usage.bytes).toBe(lines.length);
  });

  it("tells subagents apart, those in the same file and those beside it", () => {
    fs.mkdirSync(path.join(folder, "session", "subagents"), { recursive: true });
    fs.writeFileSync(file, answer("m1", 1) + answer("m2", 2, { isSidechain: true, agentId: "a1" }));
    fs.writeFileSync(path.join(folder, "session", "subagents", "agent-b2.jsonl"), answer("m3", 4));
    fs.writeFileSync(path.join(folder, "session", "subagents", "other.jsonl"), answer("m4", 8));
    const { all, bySubagent, context } = usageOf().usage;
    expect(all?.outputTokens).toBe(7);
    expect([...bySubagent].map(([id, one]) => [id, one.outputTokens])).toEqual([
      ["a1", 2],
      ["b2", 4],
    ]);
    expect(context).toBeCloseTo(1111 / 200_000);
  });

  it("knows the cost where it knows every model", () => {
    fs.writeFileSync(
      file,
      answer("m1", 1_000_000) + answer("m0", 0, {}, "<synthetic>").replaceAll(/\d+(?=[,}])/g, "0"),
    );
    expect(usageOf().usage.all?.dollars).toBeCloseTo(15 + (10 + 100 + 125) * 3e-6, 6);
    fs.appendFileSync(file, answer("m2", 1, {}, "somebody-else-9"));
    expect(usageOf().usage.all?.dollars).toBeNull();
  });

  it("passes over what is damaged or only looks like usage, and starts again in a new file", () => {
    const odd = [
      '{"usage":',
      '"usage"',
      '{"type":"assistant","message":{"usage":5}}',
      '{"type":"user","message":{"usage":{}}}',
    ];
    fs.writeFileSync(file, `${odd.join("\n")}\n${answer("m1", 3)}{"type":"assistant","mess`);
    const usage = new TranscriptUsage(file);
    usage.read(1_000_000);
    expect(usage.usage.all?.outputTokens).toBe(3);
    fs.writeFileSync(file, answer("m9", 1));
    usage.read(1_000_000);
    expect(usage.usage.all?.outputTokens).toBe(4);
  });

  it.each(["missing", "folder", "pipe", "relative.jsonl", "/dev/zero"])("is unknown for %s", (kind) => {
    const name = path.isAbsolute(kind) || kind === "relative.jsonl" ? kind : path.join(folder, kind);
    if (kind === "folder") fs.mkdirSync(name);
    if (kind === "pipe") execFileSync("mkfifo", [name]);
    const usage = new TranscriptUsage(name);
    expect(usage.read(1_000_000)).toBe(false);
    expect(usage.usage).toEqual({ all: null, bySubagent: new Map(), context: null });
  });

  it("begins the context anew after a compaction", () => {
    fs.writeFileSync(file, `${answer("m1", 1)}{"type":"system","subtype":"compact_boundary"}\n`);
    expect(usageOf().usage.context).toBeNull();
  });
});

it("prices a cache by how long it is kept", () => {
  const tokens = { input: 0, output: 0, cacheRead: 1_000_000, cacheWrite: 2_000_000, cacheWriteHour: 1_000_000 };
  expect(dollarsFor(tokens, { input: 10, output: 0, cacheRead: 1 })).toBeCloseTo(1 + 12.5 + 20);
});

it("prices a long prompt by its own price, where the model has one", () => {
  const price = priceOf("claude-haiku-5-5") ?? expect.fail("no price");
  const tokens = { input: 100_000, output: 1_000, cacheRead: 0, cacheWrite: 0, cacheWriteHour: 0 };
  expect(dollarsFor(tokens, price)).toBeCloseTo(0.01 + 0.0005);
  expect(dollarsFor({ ...tokens, cacheRead: 1 }, price)).toBeCloseTo(0.05 + 0.0025);
});

it.each([
  ["claude-opus-4-20250514", 15],
  ["us.anthropic.claude-opus-4-20250514-v1:0", 15],
  ["claude-opus-4-5@20251101", 5],
  ["claude-opus-5", 5],
  ["claude-opus-5-5", 4],
  ["claude-sonnet-4-6[1m]", 3],
  ["claude-3-5-haiku-latest", 0.8],
])("knows the price of %s", (model, input) => {
  expect(priceOf(model)?.input).toBe(input);
});

it.each(["gpt-6", "", "claude-opus-5-9", "claude-opus-50", "constructor", "<synthetic>"])(
  "knows none of %s",
  (model) => {
    expect(priceOf(model)).toBeUndefined();
  },
);
