import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HookwrightError } from "../../../core/errors.ts";
import { runTranscript } from "./run.ts";
import { openTranscript, writeCopy } from "./transcript-file.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-transcript-"));
  file = path.join(folder, "session.jsonl");
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const USER = '{"type":"user", "message":{"role":"user","content":"go"}}';
const EMPTY = '{"type":"user","uuid":"u-2","message":{"role":"user","content":[]}}';
const UNTHINKING =
  '{"type":"assistant","message":{"id":"m","role":"assistant","model":"claude-opus-4-1","content":[{"type":"text","text":"x"}]}}';

type Options = Parameters<typeof runTranscript>[0]["options"];

function run(args: readonly string[], options: Options = {}): { code: number; text: string } {
  const lines: string[] = [];
  const out = (text: string): void => void lines.push(text);
  const code = runTranscript({ args, options, cwd: folder, env: {}, out, err: out });
  return { code, text: lines.join("\n") };
}
const check = (options: Options = {}) => run(["check", "session.jsonl"], options);
function reasonOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof HookwrightError) return `${error.code} ${error.message}`;
    throw error;
  }
  return "";
}
const write = (...lines: string[]): void => fs.writeFileSync(file, lines.join("\n"));

describe("transcript check", () => {
  it("answers 0 where nothing is wrong", () => {
    write(USER, "");
    expect(check()).toEqual({ code: 0, text: "1 message, nothing to repair." });
  });
  it("answers 1 with a line for each finding", () => {
    write(USER, EMPTY, UNTHINKING, "{", "");
    expect(check()).toEqual({
      code: 1,
      text: [
        `${file}:2: the message of the user has no text and no tool part`,
        `${file}:3: the message of claude-opus-4-1 does not begin with thinking`,
        `${file}:4: the line is no JSON`,
        "3 messages, 3 findings.",
      ].join("\n"),
    });
  });
  it("prints one object as JSON", () => {
    write(USER, EMPTY, "");
    const { code, text } = check({ json: true });
    expect(code).toBe(1);
    expect(JSON.parse(text)).toEqual({
      ok: false,
      file,
      messages: 2,
      findings: [{ line: 2, kind: "empty-message", uuid: "u-2", role: "user", model: "" }],
      counts: { "no-thinking": 0, "empty-message": 1, "blank-text": 0, unreadable: 0 },
      cutLastLine: false,
      repaired: null,
      repairedLines: 0,
    });
  });
  it("says nothing against half a last line but that it was left alone", () => {
    write(USER, UNTHINKING.slice(0, 40));
    expect(check()).toEqual({
      code: 0,
      text: "1 message, nothing to repair.\nThe last line is half written, so it was left alone.",
    });
  });
  it("shows a hundred findings in a terminal and all as JSON", () => {
    write(...Array.from({ length: 130 }, () => EMPTY), USER, "");
    expect(check().text.split("\n")).toHaveLength(102);
    expect(check().text).toContain("… and 30 more; --json prints all.");
    expect(JSON.parse(check({ json: true }).text).findings).toHaveLength(130);
  });
  it("reads lines that are longer than what is read at once", () => {
    const long = USER.replace("go", "x".repeat(600_000));
    write(long, EMPTY, long, "");
    expect(JSON.parse(check({ json: true }).text)).toMatchObject({ messages: 3, findings: [{ line: 2 }] });
  });
  it("only reads the file", () => {
    write(USER, EMPTY, UNTHINKING);
    fs.chmodSync(file, 0o400);
    const before = { ...fs.statSync(file), atimeMs: 0, atime: 0 };
    check();
    check({ repair: "copy.jsonl" });
    expect({ ...fs.statSync(file), atimeMs: 0, atime: 0 }).toEqual(before);
    expect(fs.readdirSync(folder).sort()).toEqual(["copy.jsonl", "session.jsonl"]);
  });
  it("judges the file as it was when the command began", () => {
    write(USER, "");
    const transcript = openTranscript(file);
    fs.appendFileSync(file, `${EMPTY}\n`);
    expect([...transcript.lines()].map(({ number }) => number)).toEqual([1]);
    transcript.close();
  });
});

describe("transcript check --repair", () => {
  it("writes a copy that is the same byte for byte but for the repaired lines", () => {
    const odd = '{"type":"user",\t"n":1e400,"message":{"role":"user","content":"go"}}\r';
    write(odd, EMPTY, "{ no JSON", '{"half":');
    const { code, text } = check({ repair: "copy.jsonl" });
    expect(code).toBe(1);
    expect(text).toContain(`Wrote a copy with 1 repaired line to ${path.join(folder, "copy.jsonl")}.`);
    const [first, second, ...rest] = fs.readFileSync(path.join(folder, "copy.jsonl"), "utf8").split("\n");
    expect([first, ...rest]).toEqual([odd, "{ no JSON", '{"half":']);
    expect(JSON.parse(second as string).message.content).toEqual([
      { type: "text", text: "[user interrupted]", synthetic: true },
    ]);
    expect(fs.statSync(path.join(folder, "copy.jsonl")).mode & 0o777).toBe(0o600);
  });
  it("answers 0 for the copy", () => {
    write(USER, EMPTY, UNTHINKING, "");
    check({ repair: "copy.jsonl" });
    expect(run(["check", "copy.jsonl"])).toMatchObject({ code: 0 });
  });
  it("copies a transcript without mistakes whole", () => {
    write(USER, "");
    expect(check({ repair: "copy.jsonl" })).toMatchObject({ code: 0 });
    const sum = (name: string): string =>
      createHash("sha256")
        .update(fs.readFileSync(path.join(folder, name)))
        .digest("hex");
    expect(sum("copy.jsonl")).toBe(sum("session.jsonl"));
  });
  it.each([
    ["itself", "session.jsonl"],
    ["another name of it", "./sub/../session.jsonl"],
    ["a hard link to it", "hard"],
    ["a symbolic link to it", "soft"],
  ])("refuses %s", (_name, repair) => {
    write(USER, EMPTY);
    fs.linkSync(file, path.join(folder, "hard"));
    fs.symlinkSync(file, path.join(folder, "soft"));
    const text = fs.readFileSync(file, "utf8");
    expect(reasonOf(() => check({ repair }))).toMatch(/^HW_USAGE .*is the transcript itself/);
    expect(fs.readFileSync(file, "utf8")).toBe(text);
  });
  it("keeps a file that is there", () => {
    write(USER, EMPTY);
    fs.writeFileSync(path.join(folder, "copy.jsonl"), "mine");
    expect(reasonOf(() => check({ repair: "copy.jsonl" }))).toMatch(/^HW_FILE_EXISTS/);
    expect(fs.readFileSync(path.join(folder, "copy.jsonl"), "utf8")).toBe("mine");
  });
  it("says where it cannot write", () => {
    write(USER, EMPTY);
    expect(reasonOf(() => check({ repair: "missing/copy.jsonl" }))).toMatch(/^HW_WRITE_FAILED/);
  });
  it("removes a copy that it could not finish, and says what failed", () => {
    const copy = path.join(folder, "copy.jsonl");
    const unread = new HookwrightError("HW_READ_FAILED", { file, detail: "EIO" });
    const failing = (error: Error) =>
      reasonOf(() =>
        writeCopy(copy, (add) => {
          add("begun");
          throw error;
        }),
      );
    expect(failing(unread)).toMatch(/^HW_READ_FAILED/);
    expect(failing(Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" }))).toBe(
      `HW_WRITE_FAILED Could not write ${copy}: no space left on device (ENOSPC).`,
    );
    expect(fs.existsSync(copy)).toBe(false);
  });
});

describe("transcript says how it is used", () => {
  it.each([
    ["nothing to do", [], "check FILE"],
    ["another action", ["mend", "session.jsonl"], "`mend` is no action of it."],
    ["no file", ["check"], "Name the transcript to check."],
    ["two files", ["check", "a", "b"], "Only one transcript is checked at a time."],
  ])("%s", (_name, args, text) => {
    const reason = reasonOf(() => run(args));
    expect(reason).toMatch(/^HW_USAGE /);
    expect(reason).toContain(text);
  });
  it("of a file that is missing", () => {
    expect(reasonOf(() => check())).toBe(`HW_READ_FAILED Could not read ${file}: there is no such file.`);
  });
  it("of a folder", () => {
    expect(reasonOf(() => run(["check", "."]))).toMatch(/^HW_READ_FAILED .*no regular file/);
  });
});
