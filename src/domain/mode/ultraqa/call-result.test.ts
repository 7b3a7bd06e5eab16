import { describe, expect, it } from "vitest";
import { claudeEvent, PROJECT, toolAfter, USER_HOME } from "../../../testing/events.ts";
import { callResult, type EndedCall, isFailedTest } from "./call-result.ts";
import type { FolderLook } from "./same-folder.ts";
import { failed, ran, readerOf } from "./ultraqa.samples.ts";

const look = (files: Record<string, string> = {}, links: Record<string, string> = {}) => ({
  ...readerOf(files),
  userHome: USER_HOME,
  realPath: (folder: string) => links[folder] ?? folder,
});
const NPM = { goal: "tests", command: "npm test", folder: PROJECT } as const;
const result = (event: EndedCall, wanted: Partial<typeof NPM | { command: string }> = {}, by: FolderLook = look()) =>
  callResult(event, { ...NPM, ...wanted }, { ...by, userHome: USER_HOME })?.kind;

describe("npm test has surely succeeded", () => {
  it.each([
    "npm test",
    "  npm test\n",
    "npm run test",
    "npm t",
    "npm test > log.txt 2>&1",
    "npm test && echo ok",
    "npm test && npm run lint",
    "npm ci && npm test",
    "cd /home/dev/app && npm test",
    "(npm test)",
    "CI=1 npm test",
    "timeout 600 npm test",
    "time npm test",
    "bash -c 'npm test'",
    "set -e; npm test; echo ok",
    "set -o pipefail; npm test | tail -5",
    "npm test || exit 1",
    "if npm test; then echo ok; else exit 1; fi",
  ])("%s", (line) => {
    expect(result(ran(line))).toBe("met");
  });
});

describe("this proves nothing about npm test", () => {
  it.each([
    "npm test || true",
    "npm test || echo failed",
    "npm test; echo ok",
    "npm test; true",
    "npm test | tail -5",
    "npm test 2>&1 | tee log",
    "npm test &",
    "npm test & wait",
    "nohup npm test > log &",
    "! npm test",
    "if npm test; then echo ok; else echo bad; fi",
    "sh -c 'npm test || true'",
    "npm test || npm test",
    "trap 'exit 0' EXIT; npm test",
    "false && npm test || true",
    "alias npm=true; npm test",
    "export PATH=/tmp/fake; npm test",
    "setsid npm test",
    "sudo -b npm test",
    "tmux new -d 'npm test'",
  ])("%s", (line) => {
    expect(result(ran(line))).toBe("unproven");
  });

  it.each<[string, EndedCall]>([
    ["a call in the background", ran("npm test", {}, { run_in_background: true })],
    ["a call that was moved there", ran("npm test", { tool_response: { backgroundTaskId: "b1" } })],
    ["a call that was interrupted", ran("npm test", { tool_response: { interrupted: true } })],
    ["an exit code that the agent explains", ran("npm test", { tool_response: { returnCodeInterpretation: "x" } })],
    ["a failure that a person caused", failed("npm test", "Exit code 1", { is_interrupt: true })],
    ["a killed process", failed("npm test", "Exit code 137")],
    ["an interrupted process", failed("npm test", "Exit code 130")],
    ["a broken pipe", failed("set -o pipefail; npm test | tail -5", "Exit code 141")],
  ])("%s", (_name, event) => {
    expect(result(event)).toBe("unproven");
  });
});

describe("this does not concern npm test", () => {
  it.each([
    "npm run lint",
    "npm test -- --grep login",
    "npm_config_script_shell=true npm test",
    "NODE_OPTIONS=--require=./fake.js npm test",
    "PATH=/tmp/fake:$PATH npm test",
    "npm test login",
    "npm run test:unit",
    "npx vitest run",
    "echo npm test",
    "git commit -m 'npm test'",
    "npm(){ :; }; npm test",
    "docker exec app npm test",
    "ssh host npm test",
    "cd web && npm test",
    "cd /tmp && npm test",
    "npm --prefix web test",
    "yarn test",
    "pnpm test",
    "ls",
    "",
  ])("%s", (line) => {
    expect([undefined, "unproven"]).toContain(result(ran(line)));
    expect([undefined, "unproven"]).toContain(result(failed(line)));
  });

  it.each<[string, EndedCall]>([
    ["another tool", toolAfter("Read", { file_path: "package.json" }, "x") as EndedCall],
    ["a call without a command", toolAfter("Bash", {}, "x") as EndedCall],
    ["another folder", ran("npm test", { cwd: `${PROJECT}/web` })],
  ])("%s", (_name, event) => {
    expect(result(event)).toBeUndefined();
  });
});

describe("npm test has surely failed", () => {
  it.each([
    "npm test",
    "npm run test",
    "npm test > log.txt 2>&1",
    "CI=1 npm test",
    "cd /home/dev/app && npm test",
    "timeout 600 npm test",
    "bash -c 'npm test'",
    "set -o pipefail; npm test | tail -5",
    "npm test && echo ok",
  ])("%s", (line) => {
    expect(result(failed(line))).toBe("failed");
  });

  it.each([
    ["another command may have failed", "npm run lint && npm test"],
    ["another command is the last one", "npm test; npm run lint"],
    ["a report may be missing", "npm test; cat report.txt"],
    ["it may be the condition", "if npm test; then exit 3; else exit 4; fi"],
    ["the pipe hides it", "npm test | grep ok"],
  ])("not certainly: %s", (_name, line) => {
    expect(result(failed(line))).toBe("unproven");
  });

  it("not certainly: the folder does not exist", () => {
    const error = "Exit code 1\n/bin/bash: line 1: cd: /home/dev/app: No such file or directory";
    expect(result(failed("cd /home/dev/app && npm test", error))).toBe("unproven");
  });

  it("has even succeeded where its success is the failure", () => {
    expect(result(failed("! npm test"))).toBe("met");
  });

  it("where it was not ready in time", () => {
    expect(result(failed("npm test", "Command timed out after 2m 0.0s"))).toBe("failed");
    expect(result(failed("npm test", "Exit code 143\nCommand timed out after 2m 0.0s\n"))).toBe("failed");
  });

  it("and otherwise than by a missing script", () => {
    expect(result(failed("npm test", 'Exit code 1\nnpm error Missing script: "test"'))).toBe("cannot-run");
  });
});

describe("a command of the person", () => {
  it.each([
    ["make check", "make check", "met"],
    ["make check", "make -k check", undefined],
    ["make check", "make -C sub check", undefined],
    ["sh check.sh --all", "sh check.sh --all", "met"],
    ["sh check.sh --all", "sh check.sh", undefined],
    ["npm run build && npm test", "npm run build && npm test", "met"],
    ["npm run build && npm test", "npm run build; npm test", "unproven"],
    ["npm run build && npm test", "npm test", "unproven"],
    ["npm run build && npm test", "npm test && npm run build", "unproven"],
    ["CI=1 npm test", "CI=1 npm test", "met"],
    ["CI=1 npm test", "npm test", undefined],
    ["CI=1 npm test", "CI=0 npm test", undefined],
    ["cd web && npm test", "cd web && npm test", "met"],
    ["cd web && npm test", "(cd web && npm test)", "met"],
    ["cd web && npm test", "npm test", undefined],
    ["make check | grep ok", "make check | grep ok", "met"],
    ["make check | grep ok", "make check | grep ok || true", undefined],
    ["pytest", "python3 -m pytest", "met"],
    ["pytest", "uv run pytest", "met"],
    ["pytest", "pytest -k login", undefined],
    ["PATH=/x:$PATH check", "PATH=/x:$PATH check", "met"],
  ])("%s, by %s: %s", (command, line, kind) => {
    expect(result(ran(line), { command })).toBe(kind);
  });

  it.each([
    ["make check | grep ok", "make check | grep ok", "failed"],
    ["npm run build && npm test", "npm run build && npm test", "failed"],
    ["npm run build && npm test", "cd /home/dev/app && npm run build && npm test", "failed"],
  ])("%s has failed by %s", (command, line, kind) => {
    expect(result(failed(line), { command })).toBe(kind);
  });

  it("is missing itself", () => {
    const error = "Exit code 127\n/bin/bash: line 1: nosuch: command not found";
    expect(result(failed("nosuch --all", error), { command: "nosuch --all" })).toBe("cannot-run");
    expect(result(failed("npm test", "Exit code 127\nsh: 1: vitest: not found"))).toBe("failed");
  });

  it("runs in PowerShell, word for word", () => {
    const power = (command: string) =>
      claudeEvent({
        hook_event_name: "PostToolUse",
        tool_name: "PowerShell",
        tool_input: { command },
        tool_use_id: "p1",
        tool_response: {},
      }) as EndedCall;
    expect(result(power("npm test"))).toBe("met");
    expect(result(power("npm test; exit 0"))).not.toBe("met");
  });
});

describe("the folder", () => {
  const worktree = { "/wt/.git": `gitdir: ${PROJECT}/.git/worktrees/wt\n` };

  it.each<[string, EndedCall, string, Record<string, string>, string | undefined]>([
    ["a subfolder that is meant", ran("npm test", { cwd: `${PROJECT}/web` }), `${PROJECT}/web`, {}, "met"],
    ["a change into it", ran("cd web && npm test"), `${PROJECT}/web`, {}, "met"],
    ["the root, where a subfolder is meant", ran("npm test"), `${PROJECT}/web`, {}, undefined],
    ["a worktree", ran("npm test", { cwd: "/wt" }), PROJECT, worktree, "met"],
    ["a folder in a worktree", ran("npm test", { cwd: "/wt/web" }), PROJECT, worktree, undefined],
    ["the same folder in a worktree", ran("npm test", { cwd: "/wt/web" }), `${PROJECT}/web`, worktree, "met"],
    ["a worktree that is meant", ran("npm test", { cwd: "/wt" }), "/wt", {}, "met"],
    [
      "a worktree of another project",
      ran("npm test", { cwd: "/wt" }),
      PROJECT,
      { "/wt/.git": "gitdir: /home/dev/other/.git/worktrees/wt" },
      undefined,
    ],
    [
      "a submodule",
      ran("npm test", { cwd: `${PROJECT}/lib` }),
      PROJECT,
      { "lib/.git": `gitdir: ${PROJECT}/.git/modules/lib` },
      undefined,
    ],
  ])("%s", (_name, event, folder, files, kind) => {
    expect(callResult(event, { ...NPM, folder }, look(files))?.kind).toBe(kind);
  });

  it("may be a link", () => {
    const links = look({}, { "/home/dev/link": PROJECT });
    expect(callResult(ran("npm test", { cwd: "/home/dev/link" }), NPM, links)?.kind).toBe("met");
  });
});

describe("without a known command any usual one counts that checks everything", () => {
  const usual = (event: EndedCall) => result(event, { command: "" });

  it.each(["npm test", "npx vitest run", "cargo test", "go test ./...", "pytest", "make check", "node --test"])(
    "%s",
    (line) => {
      expect(usual(ran(line))).toBe("met");
      expect(usual(failed(line))).toBe("failed");
      expect(usual(ran(`${line} || true`))).toBe("unproven");
    },
  );

  it.each([
    "npm test -- login",
    "vitest run a.test.ts",
    "cargo test login",
    "go test ./a",
    "pytest -k x",
    "npm run build",
  ])("not %s", (line) => {
    expect(usual(ran(line))).toBeUndefined();
  });

  it("also in a subfolder, but not outside of the project", () => {
    expect(usual(ran("cd web && npm test"))).toBe("met");
    expect(usual(ran("cd /tmp && npm test"))).toBeUndefined();
  });
});

describe("a failed test, for the suggestion", () => {
  it.each([
    ["npm test", true],
    ["npm test -- login", true],
    ["pytest -k login", true],
    ["cargo test login", true],
    ["cd web && npm test", true],
    ["npm run build", false],
    ["npm run lint", false],
    ["ls missing", false],
    ["npm ci && npm test", false],
    ["npm test; ls missing", false],
    ["grep 'npm test' README.md", false],
  ])("%s: %s", (line, is) => {
    expect(isFailedTest(failed(line) as Parameters<typeof isFailedTest>[0], USER_HOME)).toBe(is);
  });

  it("was not ended by a person", () => {
    const event = failed("npm test", "Exit code 130", { is_interrupt: true });
    expect(isFailedTest(event as Parameters<typeof isFailedTest>[0], USER_HOME)).toBe(false);
  });
});
