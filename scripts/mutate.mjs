// Mutation testing: `npm run mutate [-- WORD…]`, limited to files whose path contains one of the words. Each mutant is
// one small change in a copy of the tree. A mutant with which all its tests pass is a survivor, and fails the run.
import { fork } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { allMutants, forgottenEquivalents, root } from "./mutate/mutants.mjs";

const WORKERS = 2;
/** A mutant may loop forever; a timeout counts as noticed. */
const LONGEST_MS = 180_000;

const words = process.argv.slice(2);
const all = allMutants();
const chosen = all.filter(({ file }) => words.length === 0 || words.some((word) => file.includes(word)));
const waiting = chosen.filter(({ equivalent }) => !equivalent);
const results = [];

function makeCopy() {
  const copy = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-mutate-")));
  for (const name of ["src", "test"]) fs.cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
  for (const name of ["package.json", "tsconfig.json", "vitest.config.ts"])
    fs.copyFileSync(path.join(root, name), path.join(copy, name));
  fs.symlinkSync(path.join(root, "node_modules"), path.join(copy, "node_modules"));
  return copy;
}

/** A worker process in its own process group, so that one in a loop can be killed with everything it has started. */
class Worker {
  constructor() {
    this.copy = makeCopy();
    this.child = fork(path.join(root, "scripts/mutate/worker.mjs"), [this.copy], {
      detached: true,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.ready = this.answer();
  }
  answer() {
    return new Promise((resolve) => {
      const end = () => resolve({ ended: true });
      this.child.once("exit", end).once("message", (message) => {
        this.child.off("exit", end);
        resolve(message);
      });
    });
  }
  async ask(question) {
    await this.ready;
    const timer = setTimeout(() => this.kill(), LONGEST_MS);
    const answer = this.answer();
    if (this.child.connected) this.child.send(question);
    const given = await answer;
    clearTimeout(timer);
    return given;
  }
  kill() {
    try {
      process.kill(-this.child.pid, "SIGKILL");
    } catch (error) {
      if (error.code !== "ESRCH") throw error;
    }
  }
  end() {
    this.kill();
    fs.rmSync(this.copy, { recursive: true, force: true });
  }
}

/** Without a mutant the tests must pass, or their failures prove nothing. */
async function mustPassUnchanged(worker) {
  const tests = [...new Set(waiting.flatMap((mutant) => mutant.tests))];
  for (const test of tests) {
    const attempt = async () => (await worker.ask({ tests: [test] })).passed;
    // On a busy machine a test may time out once.
    if (!(await attempt()) && !(await attempt())) throw new Error(`${test} fails without any change`);
  }
}

async function work() {
  let worker = new Worker();
  try {
    for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
      const { passed, ended } = await worker.ask(mutant);
      results.push({ ...mutant, survived: passed === true });
      if (passed) console.log(`survived: ${mutant.file}:${mutant.what}`);
      if (results.length % 50 === 0) console.error(`${results.length} of ${chosen.length}`);
      if (!ended) continue;
      worker.end();
      worker = new Worker();
    }
  } finally {
    worker.end();
  }
}

function printTable() {
  const families = [...new Set(chosen.map(({ family }) => family))];
  const row = (name, mutants, tried) => {
    const survived = tried.filter((one) => one.survived).length;
    const equivalent = mutants.filter((one) => one.equivalent).length;
    const cells = [mutants.length, tried.length - survived, survived, equivalent];
    return `${name.padEnd(18)}${cells.map((cell) => String(cell).padStart(12)).join("")}`;
  };
  const head = ["mutants", "noticed", "survived", "equivalent"].map((cell) => cell.padStart(12)).join("");
  console.log(`${"".padEnd(18)}${head}`);
  for (const family of families) {
    const of = (list) => list.filter((one) => one.family === family);
    console.log(row(family, of(chosen), of(results)));
  }
  console.log(row("all", chosen, results));
}

const forgotten = forgottenEquivalents(all);
for (const one of forgotten) console.log(`equivalent.json names a line that is not there: ${one.file}: ${one.line}`);
const first = new Worker();
try {
  await mustPassUnchanged(first);
} finally {
  first.end();
}
await Promise.all(Array.from({ length: WORKERS }, work));
printTable();
const isComplete = results.length > 0 && results.every(({ survived }) => !survived);
process.exitCode = isComplete && forgotten.length === 0 ? 0 : 1;
