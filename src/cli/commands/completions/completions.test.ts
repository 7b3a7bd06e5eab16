import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commands } from "../index.ts";
import { firstWords } from "./choices.ts";
import { scripts } from "./scripts.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "hw-completions-"));
const fileOf = (shell: string): string => path.join(folder, shell === "zsh" ? "_hookwright" : `hookwright.${shell}`);
beforeAll(() => {
  for (const [shell, script] of Object.entries(scripts)) fs.writeFileSync(fileOf(shell), script(commands));
  fs.writeFileSync(path.join(folder, "notes.txt"), "");
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

function run(program: string, args: readonly string[], input = ""): string {
  const env = { PATH: process.env.PATH, HOME: folder, TERM: "dumb", PS1: "> " };
  const done = spawnSync(program, args, { cwd: folder, env, input, encoding: "utf8", timeout: 60_000 });
  if (done.error) throw done.error;
  expect(done.stderr).toBe("");
  return done.stdout;
}
const isHere = (program: string): boolean => spawnSync(program, ["--version"]).error === undefined;

/** What is typed last, and all that may stand there then. */
const TYPED: readonly (readonly [line: string, expected: readonly string[]])[] = [
  ["hookwright unin", ["uninstall"]],
  ["hookwright daemon st", ["start", "status", "stop"]],
  ["hookwright session de", ["deactivate", "debrief", "dehydrate"]],
  ["hookwright plan ab", ["abort"]],
  ["hookwright init --sc", ["--scope"]],
  ["hookwright init --scope ", ["local", "managed", "project", "user"]],
  ["hookwright hook --reply ", ["exit", "json"]],
  ["hookwright policies --profile s", ["safety", "session"]],
  ["hookwright replay --config no", ["notes.txt"]],
  ["hookwright explain --id no", []],
];

describe("the words that may stand first", () => {
  test.each([
    ["daemon", ["run", "start", "stop", "status"]],
    ["journal", ["stats", "export", "forget"]],
    ["plan", ["start", "status", "task", "finish", "abort"]],
    ["mode", ["start", "status", "cancel", "resume", "history", "split", "worker", "integrate"]],
    ["init", []],
    ["check", []],
    ["explain", []],
    ["run", []],
  ])("of %s", (name, words) => {
    expect(firstWords(commands.find((one) => one.name === name) ?? expect.fail(name))).toEqual(words);
  });
});

describe("bash", () => {
  // `complete -o default` adds file names itself where the function gives none; so does this.
  const ask = `
    source "$1"
    COMP_WORDS=($2); [[ $2 == *" " ]] && COMP_WORDS+=(""); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
    _hookwright
    printf '%s\\n' "\${COMPREPLY[@]}" | sort`;
  const words = TYPED.filter(([, expected]) => !expected.includes("notes.txt"));
  test.each(words)("%s", (line, expected) => {
    expect(
      run("bash", ["-c", ask, "bash", fileOf("bash"), line])
        .split("\n")
        .filter(Boolean),
    ).toEqual(expected);
  });

  test("completes with the Tab key, words, options and files", () => {
    const typed = [
      `source ${fileOf("bash")}; hookwright() { echo "ran: $*"; }; bind 'set enable-bracketed-paste off'`,
      "hookwright dae\tsto\t",
      "hookwright replay --conf\tno\t",
      "exit",
      "",
    ];
    const output = run("script", ["-qec", "bash --norc -i", "/dev/null"], typed.join("\n"));
    expect(output).toContain("ran: daemon stop\r\n");
    expect(output).toContain("ran: replay --config notes.txt\r\n");
  });
});

describe.runIf(isHere("fish"))("fish", () => {
  test.each(TYPED)("%s", (line, expected) => {
    const output = run("fish", ["--no-config", "-c", `source $argv[1]; complete -C $argv[2]`, fileOf("fish"), line]);
    const found = output.split("\n").filter(Boolean);
    expect(found.map((one) => one.split("\t")[0])).toEqual(expected);
  });
});

describe.runIf(isHere("zsh"))("zsh", () => {
  test("completes with the Tab key, words, options and values", () => {
    const typed = [
      `fpath=(${folder} $fpath); autoload -Uz compinit; compinit -u -d ${folder}/dump; hookwright() { echo "ran: $*" }`,
      "hookwright dae\tsto\t",
      "hookwright init --sco\tproj\t",
      "exit",
      "",
    ];
    const output = run("script", ["-qec", "zsh -f -i", "/dev/null"], typed.join("\n"));
    expect(output).toContain("ran: daemon stop\r\n");
    expect(output).toContain("ran: init --scope project\r\n");
  });
});

for (const shell of ["fish", "zsh"])
  if (!isHere(shell)) console.log(`skipped: completion in ${shell}, which is not here`);
