import { describe, expect, it } from "vitest";
import { privateKind } from "../../domain/tools/private-address.ts";
import { shell, toolBefore } from "../../testing/events.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./private-address.ts";

const fetches = (url: string) => toolBefore("WebFetch", { url, prompt: "read it" });
const refused = { says: "deny", message: "refused" } as const;

/** One address in every spelling that clients understand. */
const METADATA = [
  "http://169.254.169.254/latest/meta-data/",
  "https://169.254.169.254",
  "169.254.169.254/latest",
  "169.254.169.254:80/latest",
  "http://169.254.169.254.:80/",
  "http://2852039166/",
  "http://0xa9fea9fe/",
  "http://0xa9.0xfe.0xa9.0xfe/",
  "http://0251.0376.0251.0376/",
  "http://025177524776/",
  "http://169.254.43518/",
  "http://169.16689662/",
  "http://0xA9.254.0251.254/",
  "http://%31%36%39.254.169.254/",
  "http://１６９.２５４.１６９.２５４/",
  "http://169。254。169。254/",
  "http://[::ffff:169.254.169.254]/",
  "http://[::ffff:a9fe:a9fe]/",
  "http://[0:0:0:0:0:ffff:a9fe:a9fe]/",
  "http://[::169.254.169.254]/",
  "http://[64:ff9b::169.254.169.254]/",
  "http://[2002:a9fe:a9fe::1]/",
  "http://[fd00:ec2::254]/",
  "http://[FD00:EC2:0:0:0:0:0:254]/",
  "http://example.com@169.254.169.254/",
  "http://example.com:80@169.254.169.254:80/",
  "http://example.com%2F@169.254.169.254/",
  "http:169.254.169.254/",
  "http:\\\\169.254.169.254\\latest",
  "HTTP://169.254.169.254/",
  " http://169.254.169.254/ ",
  "http://169.254\t.169.254/",
  "ws://169.254.169.254/",
  "http://metadata.google.internal/computeMetadata/v1/",
  "http://METADATA.google.internal./",
  "http://metadata/computeMetadata/v1/",
  "http://169.254.169.254.nip.io/",
  "http://a9fe.169-254-169-254.sslip.io/",
  "http://169.254.170.2/v2/credentials",
  "http://100.100.100.200/latest/meta-data/",
  "http://168.63.129.16/metadata",
];

describe("what an address leads to", () => {
  it.each([
    ["http://localhost:3000/", "loopback"],
    ["http://app.localhost/", "loopback"],
    ["http://127.1/", "loopback"],
    ["http://0/", "loopback"],
    ["http://0x7f000001/", "loopback"],
    ["http://2130706433/", "loopback"],
    ["http://[::1]:8080/", "loopback"],
    ["http://[::]/", "loopback"],
    ["http://[::ffff:7f00:1]/", "loopback"],
    ["localhost:3000", "loopback"],
    ["http://10.0.0.1/", "private"],
    ["http://012.0.0.1/", "private"],
    ["http://172.16.0.1/", "private"],
    ["http://172.31.255.255/", "private"],
    ["http://192.168.1.1/", "private"],
    ["http://3232235777/", "private"],
    ["http://100.64.0.1/", "private"],
    ["http://[fc00::1]/", "private"],
    ["http://[::ffff:10.0.0.1]/", "private"],
    ["http://169.254.1.1/", "link-local"],
    ["http://[fe80::1]/", "link-local"],
    ["http://git.corp/", "internal"],
    ["http://db.prod.internal/", "internal"],
    ["http://printer.local/", "internal"],
    ["https://example.com/169.254.169.254", undefined],
    ["https://169.254.169.254.example.com/", undefined],
    ["https://example.com/?u=http://127.0.0.1", undefined],
    ["https://169.254.169.254@example.com/", undefined],
    ["http://172.32.0.1/", undefined],
    ["http://11.0.0.1/", undefined],
    ["http://[2606:4700::1111]/", undefined],
    ["https://localhost.example.com/", undefined],
    ["https://internal.example.com/", undefined],
    ["not an address", undefined],
    ["", undefined],
  ])("%s: %s", (url, kind) => {
    expect(privateKind(url)).toBe(kind);
  });
});

testPolicy(policy, {
  hit: [
    ...METADATA.map((url) => ({ name: url, event: fetches(url), ...refused })),
    {
      name: "by the tool of a well-known server",
      event: toolBefore("mcp__fetch__fetch", { url: "http://169.254.169.254/" }),
      ...refused,
      text: "a cloud metadata service",
    },
    {
      name: "by a tool that the person declared",
      event: toolBefore("mcp__mine__get", { address: ["https://example.com", "http://2852039166/"] }),
      options: { tools: [{ tool: "mcp__mine__*", url: "address" }] },
      ...refused,
    },
    {
      name: "a private network, where the person wants a question",
      event: fetches("http://10.0.0.1/"),
      options: { private: "ask" },
      says: "ask",
      message: "question",
      text: "10.0.0.1 is an address of a private network",
    },
    {
      name: "this machine, where the person forbids it",
      event: fetches("http://0x7f.1/"),
      options: { loopback: "deny" },
      ...refused,
    },
    {
      name: "a password in the address is not told",
      event: fetches("http://me:Zk4pq9Lw2X0@169.254.169.254/"),
      ...refused,
      text: "169.254.169.254 is an address of a cloud metadata service",
    },
  ],
  pass: [
    { name: "the open network", event: fetches("https://example.com/a?b=169.254.169.254") },
    { name: "this machine", event: fetches("http://localhost:3000/") },
    {
      name: "the open network, where private ones are forbidden",
      event: fetches("https://example.com/"),
      options: { private: "deny", loopback: "deny" },
    },
    { name: "a private network", event: fetches("http://192.168.1.10:8080/") },
    { name: "no address", event: toolBefore("WebFetch", { url: 5 }) },
    { name: "an allowed host", event: fetches("http://169.254.169.254/"), options: { allow: ["169.254.169.254"] } },
    { name: "an undeclared tool", event: toolBefore("mcp__mine__get", { address: "http://169.254.169.254/" }) },
    { name: "another tool", event: toolBefore("WebSearch", { query: "http://169.254.169.254/" }) },
    { name: "a command", event: shell("curl http://localhost:3000") },
  ],
});
