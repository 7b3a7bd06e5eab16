import { describe, expect, it } from "vitest";
import { listenAddress } from "./listen-address.ts";

describe("an address to listen at", () => {
  it.each([
    ["192.168.1.20:4443", { host: "192.168.1.20", port: 4443 }],
    ["Box.local:80", { host: "box.local", port: 80 }],
    ["[fe80::1]:4443", { host: "fe80::1", port: 4443 }],
    ["127.0.0.1:65535", { host: "127.0.0.1", port: 65_535 }],
  ])("is %s", (given, address) => {
    expect(listenAddress(given)).toEqual(address);
  });

  it.each([
    ...["0.0.0.0:4443", "[::]:4443", "[0:0:0:0:0:0:0:0]:4443", "*:4443", ":4443", "4443", "192.168.1.20", "0:4443"],
    ...["192.168.1.20:", "192.168.1.20:0", "192.168.1.20:70000", "192.168.1.999:4443", "fe80::1:4443", "a b:1", "-x:1"],
    ...["https://box.local:4443", "box.local:4443/", "[box]:4443", ""],
  ])("is not %j", (given) => {
    expect(() => listenAddress(given)).toThrow(/`--listen` takes/);
  });
});
