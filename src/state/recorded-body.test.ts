import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../core/event.ts";
import { sha256 } from "../core/text/sha256.ts";
import { toolBefore } from "../testing/events.ts";
import { isWhole, recordedBody } from "./recorded-body.ts";

const listOf = (count: number): JsonObject => ({ list: Array<Json>(count).fill(7) });

/** Not made from text like others: how deep JSON may be nested there is not what is looked at here. */
const event = toolBefore("mcp__x__y", {});
const withInput = (input: Json): typeof event => ({ ...event, raw: { ...event.raw, tool_input: input } });

function nested(depth: number): Json {
  let value: Json = 7;
  for (let i = 0; i < depth; i++) value = [value];
  return value;
}

function fastest(times: number, work: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < times; i++) {
    const started = performance.now();
    work();
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

describe("a small edit", () => {
  const recorded = (input: string): string => {
    const text = JSON.stringify(toolBefore("Write", {}).raw).replace('"tool_input":{}', `"tool_input":${input}`);
    return recordedBody({ ...toolBefore("Write", {}), raw: JSON.parse(text) as JsonObject }, Buffer.from(text));
  };

  it("is kept as a place and the hash of its content, whatever its fields are called", () => {
    const digest = JSON.stringify({ sha256: sha256("text"), length: 4 });
    const kept = recorded('{"file_path":"/w/a","content":"text","__proto__":{"constructor":"text"}}');
    expect(kept).toContain(
      `"tool_input":{"file_path":"/w/a","content":${digest},"__proto__":{"constructor":${digest}}}`,
    );
    expect(recorded("{}")).toContain('"tool_input":{}');
  });
});

describe("a small body", () => {
  const bytes = (command: string, written = (text: string): string => text): Buffer =>
    Buffer.from(written(JSON.stringify(toolBefore("Bash", { command }).raw)));
  const recorded = (body: Buffer): string => recordedBody(shellEvent(JSON.parse(body.toString())), body);
  const shellEvent = (raw: JsonObject): typeof event => ({ ...toolBefore("Bash", {}), raw });
  const secret = `ghp_${"Zx9Qw3Er7Ty1Ui5Op2As".repeat(2).slice(0, 36)}`;

  it("is kept as it came", () => {
    const body = bytes('grep -rn "a: b" src\techo done');
    expect(recorded(body)).toBe(body.toString());
    const spaced = Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 1));
    expect(JSON.parse(recorded(spaced))).toEqual(JSON.parse(body.toString()));
  });

  it.each<[string, (text: string) => string]>([
    ["plainly", (text) => text],
    ["behind an escape", (text) => text.replace("ghp_", "gh\\u0070_")],
    ["behind an escaped slash", (text) => text.replace("ghp_", "\\/ghp_")],
  ])("loses a secret that stands in it %s", (_, written) => {
    const body = bytes(`echo ${secret}`, written);
    expect(recorded(body)).toContain("[masked]");
    expect(recorded(body)).not.toContain(secret.slice(8));
  });

  it("of an edit loses the contents of the file", () => {
    const edit = toolBefore("Write", { file_path: "/a.ts", content: "one line" });
    expect(recordedBody(edit, Buffer.from(JSON.stringify(edit.raw)))).not.toContain("one line");
  });

  it("is the same as without the bytes, where nothing is unusual", () => {
    const shell = toolBefore("Bash", { command: "ls -la" });
    expect(recordedBody(shell, Buffer.from(JSON.stringify(shell.raw)))).toBe(recordedBody(shell));
  });
});

describe("a body of many values", () => {
  it("is kept while a row can hold it", () => {
    const body = recordedBody(withInput(listOf(4_900)));
    expect(isWhole(body)).toBe(true);
    expect(JSON.parse(body).tool_input).toEqual(listOf(4_900));
  });

  it.each<[string, JsonObject]>([
    ["in one list", listOf(5_001)],
    ["in one object", Object.fromEntries(Array.from({ length: 5_001 }, (_, i) => [`field-${i}`, i]))],
    ["in many lists", { lists: Array<Json>(600).fill(Array<Json>(10).fill(null)) }],
  ])("is kept as hash and length beyond 5,000, %s", (_, input) => {
    const large = withInput(input);
    const whole = JSON.stringify(large.raw);
    expect(JSON.parse(recordedBody(large))).toEqual({
      hook_event_name: "PreToolUse",
      not_kept: { sha256: sha256(whole), length: whole.length },
    });
    expect(isWhole(recordedBody(large))).toBe(false);
  });

  it("is told from another like it", () => {
    const bodyOf = (last: number): string => recordedBody(withInput([...Array<Json>(6_000).fill(7), last]));
    expect(bodyOf(1)).not.toBe(bodyOf(2));
    expect(bodyOf(1)).toBe(bodyOf(1));
  });

  it.each([101, 4_000, 100_000, 1_000_000])("may be nested %i deep", (depth) => {
    const body = recordedBody(withInput(nested(depth)));
    expect(body.length).toBeLessThan(1_000);
    expect(isWhole(body)).toBe(false);
  });

  it("costs little more than writing it out once", () => {
    const large = withInput(Array.from({ length: 300_000 }, (_, i) => `value ${i}`));
    const once = fastest(5, () => JSON.stringify(large.raw));
    const recorded = fastest(5, () => recordedBody(large));
    console.log(`300,000 values: written out in ${once.toFixed(1)} ms, recorded in ${recorded.toFixed(1)} ms`);
    expect(recorded / once).toBeLessThan(4);
  });
});

describe("a secret in a body", () => {
  it.each([
    "curl\n-u me:hunter22 x",
    "curl\t-u me:hunter22",
    "curl\v-u me:hunter22",
    "x --token\n hunter22",
    'a:"password":\n"hunter22"',
  ])("is masked in %j, however JSON writes what stands before it", (command) => {
    expect(recordedBody(withInput({ command }))).not.toContain("hunter22");
  });
});
