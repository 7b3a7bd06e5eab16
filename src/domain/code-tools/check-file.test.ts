/** With real files and real programs: scripts in the place of the tools. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { system } from "../../system/system.ts";
import { checkFile } from "./check-file.ts";
import type { CheckOrder } from "./order.ts";

let folder: string;
let project: string;
let bin: string;
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hwc-")));
  project = path.join(folder, "project");
  bin = path.join(folder, "bin");
  for (const one of [project, bin]) fs.mkdirSync(one);
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

function put(file: string, text: string, mode = 0o644): string {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text, { mode });
  return file;
}
/** A program that writes down how it was started, and then does this. */
const program = (file: string, text = ""): string =>
  put(file, `#!/bin/sh\n{ pwd; printf '%s\\n' "$0" "$@"; } >> ${folder}/calls\n${text}\n`, 0o755);
const source = (name = "src/a.ts"): string => put(path.join(project, name), "let a = 1\n");
const calls = (): string[] => {
  const file = path.join(folder, "calls");
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8").replaceAll(`${folder}/`, "").trim().split("\n") : [];
};
const check = (
  file: string,
  more: Partial<CheckOrder> = {},
  env: Record<string, string> = {},
  toolMs?: number,
): Promise<string> =>
  checkFile(
    { agent: "claude-code", session: "s", file, project, cwd: project, format: true, lint: true, ...more },
    system,
    { PATH: `${bin}:/usr/bin:/bin`, HOME: folder, ...env },
    toolMs,
  );

describe("the formatter", () => {
  it("gets the absolute path of the file, as one argument and without a shell", async () => {
    program(path.join(bin, "prettier"));
    const file = source("src/a b;touch hacked.ts");
    expect(await check(file)).toBe("");
    expect(calls()).toEqual([
      "project/src",
      "bin/prettier",
      "--write",
      "--log-level",
      "warn",
      "project/src/a b;touch hacked.ts",
    ]);
    expect(fs.readdirSync(path.join(project, "src"))).toEqual(["a b;touch hacked.ts"]);
  });

  it.each([
    ["a.py", "black", ["--quiet"]],
    ["a.go", "gofmt", ["-w"]],
    ["a.rs", "rustfmt", ["--edition", "2021"]],
  ])("of %s is %s", async (name, tool, args) => {
    program(path.join(bin, tool));
    await check(source(name));
    expect(calls()).toEqual(["project", `bin/${tool}`, ...args, `project/${name}`]);
  });

  it("of the project goes before the one of the machine, the nearest first", async () => {
    program(path.join(bin, "prettier"));
    program(path.join(project, "node_modules/.bin/prettier"));
    program(path.join(project, "web/node_modules/.bin/prettier"));
    await check(source("web/src/a.ts"));
    await check(source("src/a.ts"));
    expect(calls().filter((line) => line.endsWith("bin/prettier"))).toEqual([
      "project/web/node_modules/.bin/prettier",
      "project/node_modules/.bin/prettier",
    ]);
  });

  it("is found in a virtual environment", async () => {
    program(path.join(project, ".venv/bin/black"));
    await check(source("api/a.py"));
    expect(calls()).toContain("project/.venv/bin/black");
  });

  it("is not looked for in folders that depend on where it runs", async () => {
    program(path.join(project, "prettier"));
    expect(await check(source("a.ts"), {}, { PATH: ".::node_modules/.bin" })).toBe("");
    expect(calls()).toEqual([]);
  });
});

describe("the linter", () => {
  it.each([
    ["a.ts", "eslint", ["--fix"], "go.mod"],
    ["a.py", "ruff", ["check", "--fix", "--quiet"], "go.mod"],
  ])("of %s is %s", async (name, tool, args) => {
    program(path.join(bin, tool));
    await check(source(name));
    expect(calls()).toEqual(["project", `bin/${tool}`, ...args, `project/${name}`]);
  });

  it.each([
    ["a.go", "golangci-lint", ["run", "."], "go.mod"],
    ["a.rs", "cargo", ["clippy", "--quiet", "--message-format", "short"], "Cargo.toml"],
  ])("of %s is %s, where there is a package", async (name, tool, args, needed) => {
    program(path.join(bin, tool));
    const file = source(`src/${name}`);
    await check(file);
    expect(calls()).toEqual([]);
    put(path.join(project, needed), "");
    await check(file);
    expect(calls()).toEqual(["project/src", `bin/${tool}`, ...args]);
  });

  it("runs after the formatter, and says what it found", async () => {
    program(path.join(bin, "prettier"));
    program(path.join(bin, "eslint"), `echo "$2"; printf '  1:5  \\033[31merror\\033[0m  a is never used\\n'; exit 1`);
    expect(await check(source())).toBe(
      "eslint failed with exit code 1 for src/a.ts:\nsrc/a.ts\n  1:5  error  a is never used",
    );
    expect(calls().filter((line) => line.startsWith("bin/"))).toEqual(["bin/prettier", "bin/eslint"]);
  });

  it("says nothing where the project has no configuration for it", async () => {
    program(path.join(bin, "eslint"), `echo "ESLint couldn't find an eslint.config.(js|mjs|cjs) file." >&2; exit 2`);
    expect(await check(source())).toBe("");
  });

  it("alone, if only that is wanted", async () => {
    program(path.join(bin, "prettier"));
    program(path.join(bin, "eslint"));
    await check(source(), { format: false });
    await check(source(), { lint: false });
    expect(calls().filter((line) => line.startsWith("bin/"))).toEqual(["bin/eslint", "bin/prettier"]);
  });
});

describe("what fails", () => {
  it("is told of both tools", async () => {
    program(path.join(bin, "prettier"), "echo '[error] src/a.ts: SyntaxError' >&2; exit 2");
    program(path.join(bin, "eslint"), "exit 1");
    expect(await check(source())).toBe(
      "prettier failed with exit code 2 for src/a.ts:\n[error] src/a.ts: SyntaxError\n\neslint failed with exit code 1 for src/a.ts.",
    );
  });

  it("is told in a few lines", async () => {
    program(
      path.join(bin, "eslint"),
      'i=0; while [ $i -lt 9000 ]; do echo "$i is wrong in many ways"; i=$((i+1)); done; exit 1',
    );
    const text = await check(source());
    expect(text.length).toBeLessThan(1_000);
    expect(text).toMatch(/11 is wrong in many ways\n\[…\]$/);
  });

  it("is ended with all that it has started when it takes too long", async () => {
    program(path.join(bin, "eslint"), `sleep 300 & echo $! > ${folder}/pid; wait`);
    expect(await check(source(), {}, {}, 2_000)).toBe("eslint did not end within 2 seconds for src/a.ts.");
    const pid = Number(fs.readFileSync(path.join(folder, "pid"), "utf8"));
    expect(fs.existsSync(`/proc/${pid}`) && !fs.readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ")).toBe(false);
  });

  it("by itself is told as well", async () => {
    program(path.join(bin, "eslint"), "kill -SEGV $$");
    expect(await check(source())).toBe("eslint was ended by SIGSEGV for src/a.ts.");
  });

  it("says nothing of a tool that cannot be started", async () => {
    put(path.join(bin, "eslint"), "#!/nowhere/node\n", 0o755);
    expect(await check(source())).toBe("");
  });

  it("says nothing of a tool that is missing, or that is no program", async () => {
    put(path.join(bin, "prettier"), "not a program");
    fs.mkdirSync(path.join(bin, "eslint"));
    expect(await check(source(), {}, { PATH: bin })).toBe("");
  });

  it("is not a secret: only a few variables reach the tool", async () => {
    program(path.join(bin, "eslint"), `env > ${folder}/env`);
    await check(source(), {}, { CLAUDE_CODE_SESSION_ID: "s", HOOKWRIGHT_HOME: "/h", TOKEN: "t" });
    const names = fs.readFileSync(path.join(folder, "env"), "utf8").match(/^\w+(?==)/gm);
    expect(names).toEqual(expect.arrayContaining(["PATH", "HOME", "CI", "NO_COLOR"]));
    expect(names?.filter((name) => /TOKEN|CLAUDE|HOOKWRIGHT/.test(name))).toEqual([]);
  });
});

describe("nothing is started for", () => {
  beforeEach(() => {
    program(path.join(bin, "prettier"));
  });
  const untouched = async (file: string, more: Partial<CheckOrder> = {}): Promise<void> => {
    expect(await check(file, more)).toBe("");
    expect(calls()).toEqual([]);
  };

  it("a file outside of the project", () => untouched(put(path.join(folder, "a.ts"), "")));
  it("a folder that only begins like it", () => untouched(put(path.join(folder, "project2/a.ts"), "")));
  it("a file that is gone", () => untouched(path.join(project, "gone.ts")));
  it("a folder", () => {
    fs.mkdirSync(path.join(project, "a.ts"));
    return untouched(path.join(project, "a.ts"));
  });
  it("a link that leads out of the project", () => {
    fs.symlinkSync(put(path.join(folder, "a.ts"), ""), path.join(project, "a.ts"));
    return untouched(path.join(project, "a.ts"));
  });
  it("a folder that leads out of the project", () => {
    put(path.join(folder, "other/a.ts"), "");
    fs.symlinkSync(path.join(folder, "other"), path.join(project, "src"));
    return untouched(path.join(project, "src/a.ts"));
  });
  it("a dependency that a link leads to", () => {
    fs.symlinkSync(source("node_modules/p/a.ts"), path.join(project, "a.ts"));
    return untouched(path.join(project, "a.ts"));
  });
  it("another project's linked worktree", () => {
    put(path.join(folder, "wt/.git"), `gitdir: ${project}/.git/worktrees/wt\n`);
    return untouched(put(path.join(folder, "wt/a.ts"), ""));
  });
});

it("a linked worktree that the agent works in is its project", async () => {
  program(path.join(bin, "prettier"));
  const worktree = path.join(folder, "wt");
  put(path.join(worktree, ".git"), `gitdir: ${project}/.git/worktrees/wt\n`);
  await check(put(path.join(worktree, "src/a.ts"), ""), { cwd: path.join(worktree, "src") });
  expect(calls().at(-1)).toBe("wt/src/a.ts");
});
