import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HookwrightError } from "./errors.ts";
import { decodeFrame, encodeFrame, encodeReply, type Frame, frameLength } from "./frame.ts";

const text = fc.string({ unit: "grapheme" }).map((value) => value.replaceAll("\0", ""));
const name = fc.stringMatching(/^[A-Z_]{1,12}$/);
const frames: fc.Arbitrary<Frame> = fc.record(
  {
    nonce: fc.stringMatching(/^[0-9a-f]{32}$/),
    build: text,
    home: text,
    deadline: fc.nat(),
    cwd: text,
    ppid: fc.nat(),
    cut: fc.constantFrom("", "timeout", "too-large"),
    args: fc.array(text),
    env: fc.dictionary(name, text),
    body: fc.uint8Array({ maxLength: 3000 }).map((bytes) => Buffer.from(bytes)),
    waits: fc.constant(true as const),
  },
  { requiredKeys: ["nonce", "build", "home", "deadline", "cwd", "ppid", "cut", "args", "env", "body"] },
);

describe("frame", () => {
  it("carries everything there and back, body bytes unchanged", () => {
    fc.assert(
      fc.property(frames, (frame) => {
        const decoded = decodeFrame(encodeFrame(frame));
        expect({ ...decoded, env: { ...decoded.env } }).toEqual({ ...frame, env: { ...frame.env } });
      }),
    );
  });

  it("knows its length as soon as the header is there, and never before", () => {
    fc.assert(
      fc.property(frames, fc.nat(), (frame, cut) => {
        const bytes = encodeFrame(frame);
        const header = bytes.readUInt32LE(4);
        const part = bytes.subarray(0, cut % (bytes.length + 1));
        expect(frameLength(part)).toBe(part.length >= 12 + header ? bytes.length : undefined);
      }),
    );
  });

  it.each([
    ["other magic", Buffer.from("GET / HTTP/1.1\r\n"), "HW01"],
    ["a header that cannot be", Buffer.from("HW01\xff\xff\xff\xff", "latin1"), "a header of"],
    ["a body that cannot be", Buffer.from("HW01\0\0\0\0\xff\xff\xff\xff", "latin1"), "a body of"],
    ["the end missing", encodeFrame({ ...emptyFrame(), body: Buffer.from("xyz") }).subarray(0, -1), "cut short"],
  ])("refuses %s", (_name, bytes, detail) => {
    expect(() => decodeFrame(bytes)).toThrow(HookwrightError);
    expect(() => decodeFrame(bytes)).toThrow(detail);
  });

  it("writes a reply as exit code and two sized texts", () => {
    const bytes = encodeReply({ exit: 2, stdout: "é", stderr: "no" });
    expect([...bytes]).toEqual([2, 2, 0, 0, 0, 0xc3, 0xa9, 2, 0, 0, 0, 0x6e, 0x6f]);
  });
});

function emptyFrame(): Frame {
  return {
    nonce: "",
    build: "",
    home: "",
    deadline: 0,
    cwd: "",
    ppid: 0,
    cut: "",
    args: [],
    env: {},
    body: Buffer.alloc(0),
  };
}
