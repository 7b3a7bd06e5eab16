// Do the tests notice when the behaviour breaks? Each mutant is one small change in a copy of the tree; a mutant that
// every test still likes is a survivor, and a survivor fails the run. `npm run mutate [-- WORD]` limits it to files
// whose path contains WORD.
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const only = process.argv[2] ?? "";

/** Decision code whose every comparison must be covered, and the tests that have to notice. */
const DECISIONS = {
  "src/core/ruling.ts": ["src/core/ruling.test.ts", "src/core/pipeline.test.ts"],
  "src/core/arbiter.ts": ["src/core/arbiter.test.ts", "src/core/ruling.test.ts"],
  "src/core/pipeline.ts": ["src/core/pipeline.test.ts", "src/core/ruling.test.ts"],
  "src/core/context-budget.ts": ["src/core/context-budget.test.ts", "src/engine/after-effects.test.ts"],
  "src/core/session-flags.ts": ["src/engine/after-effects.test.ts"],
  "src/engine/bypass.ts": ["src/engine/after-effects.test.ts"],
  "src/domain/team/lifecycle.ts": ["src/domain/team/answer.test.ts", "src/policies/teams"],
  "src/domain/team/spawn.ts": ["src/policies/teams/spawn-gate.test.ts"],
  "src/domain/team/team-config.ts": ["src/domain/team/answer.test.ts", "src/policies/teams"],
  "src/engine/prepare.ts": ["src/engine/prepare.test.ts"],
  "src/domain/plan/progress.ts": ["src/policies/plan"],
  "src/domain/plan/settings.ts": ["src/policies/plan"],
  "src/domain/plan/state.ts": ["src/policies/plan"],
  "src/domain/plan/verification.ts": ["src/policies/plan"],
};

/** Mutants that change nothing anyone could see, each with the reason. Matched by file and the line's own text. */
const EQUIVALENT = JSON.parse(fs.readFileSync(path.join(root, "scripts/mutate.equivalent.json"), "utf8"));

const SWAPS = [
  [" === ", " !== "],
  [" !== ", " === "],
  [" <= ", " < "],
  [" >= ", " > "],
  [" < ", " <= "],
  [" > ", " >= "],
  [" && ", " || "],
  [" || ", " && "],
  [" ?? ", " && "],
  ["return true;", "return false;"],
  ["return false;", "return true;"],
  [" + 1", " + 2"],
  ["!isSame", "isSame"],
  [".some(", ".every("],
  [".every(", ".some("],
];

function decisionMutants() {
  return Object.entries(DECISIONS).flatMap(([file, tests]) => {
    const lines = fs.readFileSync(path.join(root, file), "utf8").split("\n");
    return lines.flatMap((line, index) => {
      const code = line.replace(/\/\/.*$/, "");
      if (/^\s*(\*|\/\*|import |export type |export interface )/.test(line) || /^\s*readonly /.test(line)) return [];
      return SWAPS.filter(([from]) => code.includes(from)).flatMap(([from, to]) =>
        occurrences(code, from).map((at) => ({
          file,
          tests,
          what: `${index + 1}: ${line.trim()}  [${from.trim()} → ${to.trim()}]`,
          isEquivalent: EQUIVALENT.some(
            (one) => one.file === file && one.line === line.trim() && one.swap === from.trim(),
          ),
          apply: () =>
            [
              ...lines.slice(0, index),
              line.slice(0, at) + to + line.slice(at + from.length),
              ...lines.slice(index + 1),
            ].join("\n"),
        })),
      );
    });
  });
}

function occurrences(text, part) {
  const found = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    // Inside a quoted text nothing is decided.
    if ((text.slice(0, at).match(/(?<!\\)["`]/g)?.length ?? 0) % 2 === 0) found.push(at);
  }
  return found;
}

/** A policy that says nothing, and one that always says its first message, must both fail their own test. */
function policyMutants() {
  const folder = path.join(root, "src/policies");
  return fs
    .readdirSync(folder, { recursive: true })
    .map((name) => path.join("src/policies", name))
    .filter((file) => /^src\/policies\/[^/]+\/[^/]+\.ts$/.test(file) && !file.endsWith(".test.ts"))
    .flatMap((file) => {
      const source = fs
        .readFileSync(path.join(root, file), "utf8")
        .replace("export default policy(", "const original = policy(");
      const tail = (handler) => `
const mutated = Object.fromEntries(Object.keys(original.on).map((name) => [name, ${handler}]));
// @ts-nocheck
export default { ...original, on: mutated };
`;
      const always = `(event: never, ctx: never) => alwaysSay(name, ctx)`;
      const helper = `
function alwaysSay(name: string, ctx: any) {
  const message = Object.keys(original.messages)[0] as never;
  if (name === "tool.before" || name === "prompt.submit") return ctx.deny(message);
  if (name.endsWith(".stop") || name === "teammate.idle" || name === "task.completed") return ctx.hold(message, {}, { exit: "x" });
  return name === "tool.after" || name === "tool.failed" || name === "session.start" ? ctx.notice(message) : ctx.deny(message);
}
`;
      const tests = [file.replace(/\.ts$/, ".test.ts")];
      // One that never speaks does its work while settling.
      if (source.includes("\n  on: {},\n")) {
        const silent = "\nexport default { ...(original as object), settled: {} } as never;\n";
        return [{ file, tests, what: "settles nothing", apply: () => source + silent }];
      }
      return [
        { file, tests, what: "says nothing", apply: () => source + tail("() => undefined") },
        { file, tests, what: "always says its first message", apply: () => source + helper + tail(always) },
      ];
    });
}

function makeCopy(number) {
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), `hookwright-mutate-${number}-`));
  fs.cpSync(path.join(root, "src"), path.join(copy, "src"), { recursive: true });
  for (const name of ["package.json", "tsconfig.json", "vitest.config.ts"])
    fs.copyFileSync(path.join(root, name), path.join(copy, name));
  fs.symlinkSync(path.join(root, "node_modules"), path.join(copy, "node_modules"));
  return copy;
}

function testsPass(copy, tests) {
  return new Promise((resolve) => {
    const args = [path.join(copy, "node_modules/vitest/vitest.mjs"), "run", "--bail=1", "--testTimeout=5000", ...tests];
    const child = spawn(process.execPath, args, { cwd: copy, stdio: "ignore", env: { ...process.env, CI: "true" } });
    // A mutant may loop for ever; that counts as noticed.
    const timer = setTimeout(() => child.kill("SIGKILL"), 60_000);
    child.on("exit", (code) => {
      clearTimeout(timer);
      resolve(code === 0);
    });
  });
}

const mutants = [...policyMutants(), ...decisionMutants()].filter(({ file }) => file.includes(only));
const waiting = mutants.filter((mutant) => !mutant.isEquivalent);
const survivors = [];
let done = 0;
async function worker(number) {
  const copy = makeCopy(number);
  try {
    const needed = [...new Set(waiting.flatMap(({ tests }) => tests))];
    if (number === 0 && !(await testsPass(copy, needed))) throw new Error("the tests fail without any change");
    for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
      const target = path.join(copy, mutant.file);
      const original = fs.readFileSync(target, "utf8");
      fs.writeFileSync(target, mutant.apply());
      if (await testsPass(copy, mutant.tests)) {
        survivors.push(mutant);
        console.log(`survived: ${mutant.file}:${mutant.what}`);
      }
      fs.writeFileSync(target, original);
      if (++done % 20 === 0) console.error(`${done} of ${mutants.length}`);
    }
  } finally {
    fs.rmSync(copy, { recursive: true, force: true });
  }
}
await Promise.all(Array.from({ length: Math.max(1, Math.min(4, os.cpus().length)) }, (_, number) => worker(number)));
const skipped = mutants.length - done;
console.log(`${done} mutants, ${done - survivors.length} noticed, ${survivors.length} survived, ${skipped} equivalent`);
process.exitCode = survivors.length > 0 || done === 0 ? 1 : 0;
