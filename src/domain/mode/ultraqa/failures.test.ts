import { describe, expect, it } from "vitest";
import { cannotRun, normalised, shortFailure } from "./failures.ts";

const FAIL = "Exit code 1\nFAIL src/login.test.ts\n  expected 1 to be 2";

describe("two failures are equal", () => {
  it.each([
    ["word for word", FAIL, FAIL],
    ["but for an ISO time", "failed at 2026-01-02T03:04:05.678Z", "failed at 2025-12-31T23:59:59Z"],
    ["but for a time with a zone", "failed at 2026-01-02 03:04:05+01:00", "failed at 2026-01-02 13:14:15+01:00"],
    ["but for a time of day", " Start at  03:04:05\nfailed", " Start at  13:14:15\nfailed"],
    ["but for line and column", "at src/a.ts:12:34 failed", "at src/a.ts:3:4 failed"],
    ["but for line and column in brackets", "a.ts(12,34): error TS1", "a.ts(2,3): error TS1"],
    ["but for a line", "a_test.go:12: want 1", "a_test.go:140: want 1"],
    ["but for a line in words", 'File "a.py", line 12, in add', 'File "a.py", line 9, in add'],
    ["but for milliseconds", "✗ adds (12ms)", "✗ adds (7ms)"],
    ["but for milliseconds with a blank", "failed after 12 ms", "failed after 1300 ms"],
    ["but for seconds", "1 failed in 0.12s", "1 failed in 3.4s"],
    ["but for a time limit in minutes", "Command timed out after 2m 0s", "Command timed out after 10m 0s"],
    ["but for blanks", "a  failed\n\n b", "a failed b"],
    ["but for the ends of lines", "a failed\r\nb", "a failed\nb"],
    ["but for capital letters", "Error: X", "error: x"],
    ["but for colours", "\u001b[31mfailed\u001b[39m", "failed"],
    ["but for the exit code", "Exit code 1\nfailed", "Exit code 2\nfailed"],
    ["but for an address", "panic at 0x7ffe12ab", "panic at 0x55d0aa01"],
    ["but for a process number", "worker pid 123 died", "worker pid 9 died"],
  ])("%s", (_name, a, b) => {
    expect(normalised(a)).toBe(normalised(b));
  });
});

describe("two failures differ", () => {
  const long = (end: string): string => `${"the same beginning ".repeat(40)}${end}`;

  it.each([
    ["in a name", "adds: failed", "subtracts: failed"],
    ["in a number that counts", "1 failed, 2 passed", "2 failed, 1 passed"],
    ["in a value", "expected 1 to be 2", "expected 1 to be 3"],
    ["behind a long equal beginning", long("a"), long("b")],
    ["only in the exit code, without a text", "Exit code 1", "Exit code 2"],
    ["behind the middle of a huge report", `${"x\n".repeat(60_000)}a`, `${"x\n".repeat(60_000)}b`],
  ])("%s", (_name, a, b) => {
    expect(normalised(a)).not.toBe(normalised(b));
  });
});

it("keeps a failure short, and no secret in it", () => {
  const stored = normalised(`Error: token=ghp_${"A1b2".repeat(9)} ${"x ".repeat(5_000)}`);
  expect(stored.length).toBeLessThan(260);
  expect(stored).not.toContain("a1b2a1b2");
  expect(shortFailure(`Error: token=ghp_${"A1b2".repeat(9)}`)).not.toContain("A1b2A1b2");
});

describe("a failure in short", () => {
  it.each([
    [
      "begins with what failed",
      "Exit code 1\n\n> app@1.0.0 test\n> vitest run\n\nFAIL a.test.ts\nmore",
      "FAIL a.test.ts\nmore",
    ],
    ["begins at the top where nothing sounds like one", "Exit code 2\nusage: x\ny", "usage: x\ny"],
    ["names the exit code alone", "Exit code 3", "exit code 3, without a message"],
    ["says that there is none", "", "it gave no reason"],
    ["has no colours", "\u001b[31mFAIL\u001b[39m a", "FAIL a"],
  ])("%s", (_name, error, short) => {
    expect(shortFailure(error)).toBe(short);
  });

  it("has at most eight lines and 400 characters", () => {
    expect(shortFailure(`FAIL\n${"line\n".repeat(50)}`).split("\n")).toHaveLength(8);
    expect(shortFailure(`FAIL ${"x ".repeat(500)}\n${"y ".repeat(500)}`)).toHaveLength(401);
  });
});

describe("a command cannot be run", () => {
  it.each([
    ["bash does not find it", "Exit code 127\n/bin/bash: line 1: nosuch: command not found", "nosuch"],
    ["zsh does not find it", "Exit code 127\nzsh:1: command not found: nosuch", "nosuch"],
    ["its script is missing", "Exit code 127\nbash: ./check.sh: No such file or directory", "./check.sh"],
    ["it may not be run", "Exit code 126\nbash: line 1: ./check.sh: Permission denied", "./check.sh"],
    ["nothing is said", "Exit code 127", "nosuch"],
    ["npm has no such script", 'Exit code 1\nnpm error Missing script: "test"\nnpm error', "npm"],
    ["old npm has no such script", 'Exit code 1\nnpm ERR! Missing script: "lint"', "npm"],
    ["npm warns first", 'Exit code 1\nnpm warn Unknown config "x"\nnpm error Missing script: "test"', "npm"],
    ["there is no package.json", "Exit code 254\nnpm error code ENOENT\nnpm error path /p/package.json", "npm"],
    ["pnpm has no such script", "Exit code 1\n ERR_PNPM_NO_SCRIPT  Missing script: test", "pnpm"],
    ["yarn has no such script", 'Exit code 1\nerror Command "test" not found.', "yarn"],
    ["python has no such module", "Exit code 1\n/usr/bin/python3: No module named pytest", "python3"],
    ["make has no such target", "Exit code 2\nmake: *** No rule to make target 'test'.  Stop.", "make"],
    ["make has no makefile", "Exit code 2\nmake: *** No targets specified and no makefile found.  Stop.", "make"],
    ["cargo has no package", "Exit code 101\nerror: could not find `Cargo.toml` in `/p`", "cargo"],
    ["go has no module", "Exit code 1\ngo: cannot find main module, but found .git/config", "go"],
  ])("%s", (_name, error, program) => {
    expect(cannotRun(error, program)).toBe(true);
  });

  it.each([
    ["a test that fails", "Exit code 1\nFAIL a.test.ts", "npm"],
    ["a program inside a script is missing", "Exit code 127\n> vitest run\n\nsh: 1: vitest: not found", "npm"],
    ["a missing command inside a check", "Exit code 127\ncheck.sh: line 3: jq: command not found", "./check.sh"],
    ["output about a missing script", 'Exit code 1\nFAIL cli.test.ts\nnpm error Missing script: "x"', "npm"],
    ["make lacks a source", "Exit code 2\nmake: *** No rule to make target 'a.o', needed by 'test'.  Stop.", "make"],
    ["another exit code", "Exit code 1\nnosuch: command not found", "nosuch"],
  ])("not: %s", (_name, error, program) => {
    expect(cannotRun(error, program)).toBe(false);
  });
});
