/** The pack `detection` of the profile omc in the real client: one scenario for each hook, by its name. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ClaudeOutcome, type ClaudeRun, NO_PERMISSION_CHECKS, runClaude } from "./client.ts";
import { newText, toolResult } from "./model-requests.ts";
import type { ModelScript, Turn } from "./model-script.ts";
import { hookwright } from "./product.ts";
import { Scratch } from "./scratch.ts";
import { Terminal } from "./terminal.ts";

let scratch: Scratch;
let terminal: Terminal | undefined;
beforeEach(async () => {
  scratch = new Scratch();
  await scratch.run("git", ["init", "--quiet"]);
  await hookwright(scratch, ["init", "--yes", "--scope", "user", "--profile", "omc"]);
});
afterEach(async () => {
  await terminal?.stop();
  terminal = undefined;
  scratch.dispose();
});

const inProject = (name: string): string => join(scratch.project, name);
const bash = (id: string, command: string): Turn => ({ tool: "Bash", id, input: { command } });
const run = (script: ModelScript, more: Partial<ClaudeRun> = {}): Promise<ClaudeOutcome> =>
  runClaude(scratch, {
    prompt: "go",
    script,
    ...more,
    args: [...NO_PERMISSION_CHECKS.args, ...(more.args ?? [])],
    env: { ...NO_PERMISSION_CHECKS.env, ...more.env },
  });
const timesIn = ({ requests }: Pick<ClaudeOutcome, "requests">, part: string): number[] =>
  requests.map((request) => newText(request).split(part).length - 1);

describe("think-mode", () => {
  it("tells the agent once that a prompt asks for thorough thinking, and nothing of an opinion", async () => {
    const NOTE = "The person asked for thorough thinking";
    const asked = await run({ main: [bash("toolu_ls", "true"), "Done."] }, { prompt: "Think hard about the login." });
    expect(timesIn(asked, `${NOTE} ("Think hard")`)).toEqual([1, 0]);
    expect(timesIn(await run({ main: ["Done."] }, { prompt: "I think this is fine." }), NOTE)).toEqual([0]);
  });
});

describe("non-interactive-env", () => {
  const SHOW = "env | grep -E '^(PAGER|GIT_PAGER|GIT_TERMINAL_PROMPT|PIP_NO_INPUT|EDITOR)=' | sort";
  const shown = (outcome: ClaudeOutcome, id: string): string[] =>
    toolResult(outcome.requests, id)
      .text.split("\n")
      .filter((line) => /^[A-Z_]+=/.test(line));
  const exported = (id: string): string => {
    const folder = join(scratch.home, ".claude/session-env", id);
    return readFileSync(join(folder, "sessionstart-hook-0.sh"), "utf8");
  };

  it("sets the variables once where nobody is there, except those that are set", async () => {
    const first = await run({ main: [bash("toolu_env", SHOW), "Done."] }, { env: { PAGER: "bat" } });
    const expected = ["EDITOR=:", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "PAGER=bat", "PIP_NO_INPUT=1"];
    expect(shown(first, "toolu_env")).toEqual(expected);
    const id = first.result.session_id;
    const before = exported(id);
    const resumed = { args: ["--resume", id], env: { PAGER: "bat" } };
    const second = await run({ main: [bash("toolu_again", SHOW), "Done."] }, resumed);
    expect(shown(second, "toolu_again")).toEqual(expected);
    expect(exported(id)).toBe(before);
  });

  it("sets nothing in a terminal with a person", async () => {
    const script = { main: [bash("toolu_env", `${SHOW}; echo the end`), "Done."] };
    const opened = await Terminal.start(scratch, { script });
    terminal = opened;
    await opened.type("show me");
    await opened.sees(/Done\./);
    const { text } = toolResult(opened.model.conversation(), "toolu_env");
    expect(text).toContain("the end");
    expect(text).not.toMatch(/PAGER=|GIT_TERMINAL_PROMPT=/);
  });

  it("names what needs a terminal, once for each kind, and never what is only a word", async () => {
    const outcome = await run({
      main: [
        bash("toolu_1", "echo vim; true git add -p"),
        bash("toolu_2", "git add -p < /dev/null"),
        bash("toolu_3", "git log | less"),
        bash("toolu_4", "man -k x; less /dev/null"),
        bash("toolu_5", "git -C . rebase -i HEAD"),
        bash("toolu_6", "test -e missing && nano missing; true"),
        bash("toolu_7", "test -e missing && vim missing; true"),
        "Done.",
      ],
    });
    const told = outcome.requests.map(
      (request) => /additional context: ([\w -]+?) (?:waits|shows|opens|asks)/.exec(newText(request))?.[1],
    );
    expect(told).toEqual([
      undefined,
      undefined,
      undefined,
      "less",
      undefined,
      "git rebase --interactive",
      "nano",
      undefined,
    ]);
  });
});

describe("plugin-patterns", () => {
  const turnOn = (options: string): string =>
    scratch.write(
      join(scratch.hookwrightHome, "config.yml"),
      `profiles: [omc]\npolicies: { detection/plugin-patterns: { mode: enforce${options} } }\n`,
    );
  const tool = (name: string, text: string): string =>
    scratch.write(inProject(`node_modules/.bin/${name}`), `#!/bin/sh\n${text}\n`, 0o755);
  const write = (name: string): Turn => ({
    tool: "Write",
    input: { file_path: inProject(name), content: "let a=1\n" },
  });

  it("formats and checks a file after an edit, and tells with a later call what failed", async () => {
    turnOn("");
    // Both get the path of the file as their last argument.
    tool("prettier", `for file; do :; done; printf 'let a = 1;\\n' > "$file"`);
    tool("eslint", `echo "$2"; echo '  1:5  error  a is never used'; touch ${scratch.root}/linted; exit 1`);
    const outcome = await run({
      main: [
        write("src/a.ts"),
        bash("toolu_wait", `for i in $(seq 100); do test -e ${scratch.root}/linted && break; sleep 0.1; done; sleep 1`),
        bash("toolu_then", "cat src/a.ts"),
        bash("toolu_last", "true"),
        "Done.",
      ],
    });
    const NOTE = "eslint failed with exit code 1 for src/a.ts:\nsrc/a.ts\n  1:5  error  a is never used";
    expect(timesIn(outcome, NOTE).reduce((sum, times) => sum + times, 0)).toBe(1);
    expect(timesIn(outcome, NOTE).slice(0, 2)).toEqual([0, 0]);
    expect(toolResult(outcome.requests, "toolu_then").text).toContain("let a = 1;");
  });

  it("denies the commit of an unusual message, and is silent about a tool that is missing", async () => {
    turnOn(", commits: deny");
    const commit = (message: string): string =>
      `git -c user.name=a -c user.email=a@b.test commit --allow-empty -q -m '${message}'`;
    const outcome = await run({
      main: [
        write("src/a.ts"),
        bash("toolu_bad", commit("Fixed the login")),
        bash("toolu_good", commit("fix(login): keep the session")),
        "Done.",
      ],
    });
    const refused = toolResult(outcome.requests, "toolu_bad");
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain('"Fixed the login" is no conventional commit');
    expect(toolResult(outcome.requests, "toolu_good").isError).toBe(false);
    const log = await scratch.run("git", ["log", "--format=%s"]);
    expect(log.stdout.trim()).toBe("fix(login): keep the session");
    expect(timesIn(outcome, "failed with exit code")).toEqual([0, 0, 0, 0]);
  });

  it("is not turned on by a project that nobody trusts", async () => {
    scratch.write(inProject("hookwright.yml"), "policies: { detection/plugin-patterns: enforce }\n");
    tool("eslint", `touch ${scratch.root}/linted`);
    await run({ main: [write("src/a.ts"), bash("toolu_wait", "sleep 2"), "Done."] });
    const { stdout } = await scratch.run("ls", [scratch.root]);
    expect(stdout).not.toContain("linted");
  });
});
