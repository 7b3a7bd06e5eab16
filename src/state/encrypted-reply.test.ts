import { describe, expect, it } from "vitest";
import { seal, unseal } from "./encrypted-reply.ts";

const reply = { exit: 2, stdout: '{"a":"ghp_é"}\n', stderr: "no\u0000\n" };
const body = Buffer.from('{"command":"x"}');

describe("a sealed reply", () => {
  it("opens to the same for whoever has the body, of any length", () => {
    for (const one of [body, Buffer.alloc(0), Buffer.alloc(5_000_000, 7)]) {
      expect(unseal(seal(reply, one), one)).toEqual(reply);
    }
  });

  it("opens for nobody else, and not after a change", () => {
    const sealed = seal(reply, body);
    expect(() => unseal(sealed, Buffer.from('{"command":"y"}'))).toThrow();
    const bytes = Buffer.from(sealed, "base64");
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    expect(() => unseal(bytes.toString("base64"), body)).toThrow();
  });

  it("does not show that two are the same", () => {
    expect(seal(reply, body)).not.toBe(seal(reply, body));
  });
});
