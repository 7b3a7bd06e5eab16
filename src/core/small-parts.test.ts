import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseHookArguments } from "../engine/receive/hook-arguments.ts";
import { homeAt, resolveHome } from "../system/home.ts";
import { fakePorts } from "../testing/fake-ports.ts";
import { projectRoot } from "./actor.ts";
import { errorCodes, errorEntry, fill, HookwrightError, RETIRED_CODES } from "./errors.ts";
import { fingerprint } from "./text/fingerprint.ts";
import { nearestName } from "./text/nearest-name.ts";
import { safeName } from "./text/safe-name.ts";

describe("fingerprint", () => {
  it("differs for different parts, also when their concatenation is the same", () => {
    const parts = fc.array(fc.string(), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(parts, parts, (a, b) => {
        expect(fingerprint(...a) === fingerprint(...b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
      { numRuns: 2000 },
    );
    expect(fingerprint("ab", "c")).not.toBe(fingerprint("a", "bc"));
  });

  it("has no collision among many similar inputs", () => {
    const seen = new Set(Array.from({ length: 50_000 }, (_, index) => fingerprint(`{"tool_use_id":"toolu_${index}"}`)));
    expect(seen.size).toBe(50_000);
  });

  it("sees every byte of a long text, wherever its bytes lie", () => {
    const long = (at: number): Uint8Array => Buffer.alloc(5003, "a").fill("b", at, at + 1);
    const seen = new Set(Array.from({ length: 5003 }, (_, at) => fingerprint("x", long(at))));
    expect(seen.size).toBe(5003);
    const within = Buffer.concat([Buffer.from("?"), long(7), Buffer.from("?")]).subarray(1, 5004);
    expect(fingerprint("x", within)).toBe(fingerprint("x", long(7)));
    expect(fingerprint("x", `${"a".repeat(4999)}é`)).not.toBe(fingerprint("x", `${"a".repeat(4999)}è`));
  });
});

describe("safeName", () => {
  it("never yields a path separator, a dot name or more than 128 characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (name) => {
        let safe: string;
        try {
          safe = safeName(name);
        } catch (error) {
          expect(error).toBeInstanceOf(HookwrightError);
          return;
        }
        expect(safe).toMatch(/^[A-Za-z0-9_.-]{1,128}$/);
        expect([".", ".."]).not.toContain(safe);
      }),
    );
  });

  it.each(["", ".", ".."])("refuses %j", (name) => {
    expect(() => safeName(name)).toThrow(HookwrightError);
  });
});

describe("hook arguments", () => {
  it.each([
    [[], { agent: "claude-code", event: "", reply: "exit", via: "", profiles: undefined }],
    [["--event", "Stop", "--reply", "json", "--no-daemon"], { event: "Stop", reply: "json" }],
    [["--event=Stop", "--profile=safety,ntm"], { event: "Stop", profiles: ["safety", "ntm"] }],
    [["--via", "user", "--deadline-ms", "1200"], { via: "user" }],
  ])("reads %j", (args, expected) => {
    expect(parseHookArguments(args)).toMatchObject(expected);
  });

  it.each([
    [["--reply", "xml"], "exit or json"],
    [["--event"], "needs a value"],
    [["--profile", "saftey"], "not known"],
    [["--frobnicate"], "unknown argument"],
    [["Stop"], "unknown argument"],
  ])("says what is wrong with %j", (args, detail) => {
    expect(parseHookArguments(args)).toContain(detail);
  });
});

describe("project root", () => {
  const root = (cwd: string, files: Parameters<typeof fakePorts>[0] = {}): string => projectRoot(cwd, fakePorts(files));
  it.each([
    ["the git root above", "/p/src/deep", { "/p/.git": { dir: 0o755 } }, "/p"],
    ["the directory itself without git", "/p/src", {}, "/p/src"],
    [
      "the main checkout of a worktree",
      "/wt/src",
      { "/wt/.git": "gitdir: /p/.git/worktrees/wt\n", "/p/.git/worktrees/wt/commondir": "../..\n" },
      "/p",
    ],
    [
      "a submodule itself",
      "/p/sub",
      { "/p/sub/.git": "gitdir: ../.git/modules/sub\n", "/p/.git": { dir: 0o755 } },
      "/p/sub",
    ],
    ["the root for something that is no path", "x\0y", {}, "/"],
  ] as const)("is %s", (_name, cwd, files, expected) => {
    expect(root(cwd, { files })).toBe(expected);
  });
});

describe("home", () => {
  it("keeps a person's configuration where people look for it, unless the home was moved", () => {
    const { realPath } = fakePorts();
    expect(resolveHome({}, "/home/dev", realPath)).toMatchObject({
      root: "/home/dev/.local/share/hookwright",
      config: "/home/dev/.config/hookwright/config.yml",
    });
    expect(resolveHome({ HOOKWRIGHT_HOME: "/x" }, "/home/dev", realPath).config).toBe("/x/config.yml");
    const elsewhere = resolveHome({ HOOKWRIGHT_HOME: "relative" }, "/home/dev", realPath);
    expect(elsewhere.root).toBe("/home/dev/.local/share/hookwright");
    expect(homeAt("/home/dev/.local/share/hookwright", "/home/dev").config).toContain(".config");
  });

  it("has one name, however it is spelt", () => {
    const { realPath } = fakePorts({ files: { "/link": { link: "/real" }, "/home/dev": { link: "/mnt/dev" } } });
    const at = (home: string): string => resolveHome({ HOOKWRIGHT_HOME: home }, "/home/dev", realPath).root;
    expect(["/real/hw", "/real/hw/", "/real//hw//", "/link/hw", "/real/x/../hw"].map(at)).toEqual(
      Array(5).fill("/real/hw"),
    );
    // Also the usual one, which is still the usual one behind a link.
    expect(resolveHome({}, "/home/dev", realPath)).toMatchObject({
      root: "/mnt/dev/.local/share/hookwright",
      config: "/home/dev/.config/hookwright/config.yml",
    });
  });
});

describe("errors", () => {
  it("has a text and a way out for every code, and reuses no retired one", () => {
    for (const code of errorCodes) {
      expect(code).toMatch(/^HW_[A-Z_]+$/);
      expect(errorEntry(code).text).not.toBe("");
      expect(errorEntry(code).fix).toMatch(/\.$/);
      expect(RETIRED_CODES).not.toContain(code);
    }
  });

  it("cuts a value that nobody could read anyway, between two characters", () => {
    expect(fill("<{a}> {b} {c}", { a: "x".repeat(4_096), b: 7 })).toBe(`<${"x".repeat(4_096)}> 7 {c}`);
    expect(fill("<{a}> {a}", { a: "x".repeat(4_097) })).toBe(`<${"x".repeat(4_096)}…> ${"x".repeat(4_096)}…`);
    const pairs = fill("{a}", { a: `x${"\u{1f600}".repeat(3_000)}` });
    expect([pairs.isWellFormed(), pairs.length]).toEqual([true, 4_097]);
    expect(new HookwrightError("HW_USAGE", { detail: "d".repeat(9_999), command: "x" }).message).toHaveLength(4_097);
  });

  it("names the nearest known word, and none when nothing is near", () => {
    expect(nearestName("saftey", ["safety", "ntm"])).toBe(" Did you mean `safety`?");
    expect(nearestName("9", ["1", "2"])).toBe("");
    expect(nearestName("qqqqqq", ["safety", "ntm"])).toBe("");
  });
});
