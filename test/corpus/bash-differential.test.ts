import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { writtenPaths } from "../../src/effects/files/written-paths.ts";
import type { Command, Word } from "../../src/shell/command.ts";
import { readShell, type Shell } from "../../src/shell/shell.ts";
import { sized } from "../support/long.ts";
import { Dice } from "./dice.ts";
import { Grammar } from "./grammar.ts";
import { type Execution, findBash, RealBash, type Run } from "./real-bash.ts";

const SEED = Number(process.env.HOOKWRIGHT_SEED ?? 20_261_115);
const LINES = Number(process.env.HOOKWRIGHT_LINES ?? sized(250, 700));
const AT_ONCE = 6;
const bash = findBash();
if (!bash) console.log("skipped: no bash on this machine to compare with");

const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-bash-")));
afterAll(() => fs.rmSync(root, { recursive: true, force: true }), 300_000);

const tally = {
  compared: 0,
  executions: 0,
  words: 0,
  unknown: 0,
  certain: 0,
  ran: 0,
  files: 0,
  unseen: 0,
  refused: 0,
  unreadable: 0,
};

describe.skipIf(!bash)("what was read against what bash did", () => {
  test(`${LINES} random lines, seed ${SEED}`, { timeout: 600_000 }, async () => {
    const grammar = new Grammar(new Dice(SEED));
    const lines = Array.from({ length: LINES }, () => grammar.line());
    const real = new RealBash(root);
    const wrong: string[] = [];
    let next = 0;
    const work = async () => {
      while (next < lines.length) {
        const line = lines[next++] ?? "";
        const run = await real.run(line);
        const faults = compare(line, run);
        if (faults.length > 0 && !real.accepts(line)) tally.refused++;
        else if (faults.length > 0) wrong.push(`${faults.join("\n")}\n--- line (status ${run.status}):\n${line}\n---`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    console.log(`bash differential, seed ${SEED}: ${JSON.stringify(tally)}`);
    expect(wrong.slice(0, 10).join("\n\n")).toBe("");
    expect(tally.compared).toBeGreaterThanOrEqual(Math.min(500, LINES * 0.7));
    // Bash 5.2 refuses some valid lines, such as an array with an escaped quote inside a substitution.
    expect(tally.refused).toBeLessThan(LINES / 100);
    // `$(( …` with an escaped quote that turns out to hold commands is refused, not misread.
    expect(tally.unreadable).toBeLessThanOrEqual(LINES / 500);
    // The comparison must not become true by knowing nothing.
    expect(tally.unknown / tally.words).toBeLessThan(0.2);
    expect(tally.certain).toBeGreaterThan(LINES / 5);
  });
});

function compare(line: string, run: Run): string[] {
  const shell = readShell(line, { cwd: run.cwd });
  if (shell.unreadable !== undefined) {
    tally.unreadable++;
    return [];
  }
  if (run.status < 0) return ["bash did not end by itself"];
  tally.compared++;
  const stubs = shell.commands.filter((command) => /^(?:ok|fail|say)\d?$/.test(command.program ?? ""));
  tally.words += stubs.flatMap((command) => command.argv).length;
  tally.unknown += stubs.flatMap((command) => command.argv).filter((word) => !word.known).length;
  return [...executed(shell, run), ...claimed(shell, run), ...written(shell, run)];
}

function executed(shell: Shell, run: Run): string[] {
  tally.executions += run.executions.length;
  const missed = run.executions.filter((execution) => !shell.commands.some((command) => fits(command, execution)));
  // A text that the reader says it cannot see may run anything.
  if (missed.length > 0 && shell.commands.some(({ uncertain }) => uncertain.includes("script"))) {
    tally.unseen += missed.length;
    return [];
  }
  return missed.map(
    (execution) =>
      `ran but was not read: ${JSON.stringify(execution.argv)} in ${path.relative(run.cwd, execution.cwd) || "."}`,
  );
}

/** What is called certain must have happened, and well. */
function claimed(shell: Shell, run: Run): string[] {
  const ok = run.status === 0;
  const faults: string[] = [];
  for (const [claim, commands] of [
    ["certain", shell.certain(ok)],
    ["ran", shell.ran(ok)],
  ] as const) {
    for (const command of commands.filter(({ program }) => /^(?:ok|fail|say)\d?$/.test(program ?? ""))) {
      tally[claim]++;
      const happened = run.executions.some((execution) => fits(command, execution));
      const well = claim === "ran" || !command.program?.startsWith("fail");
      if (!happened || !well)
        faults.push(`${claim}(${ok}) is wrong about ${JSON.stringify(command.argv.map((word) => word.text))}`);
    }
  }
  return faults;
}

function written(shell: Shell, run: Run): string[] {
  const paths = writtenPaths(shell, run.cwd);
  if (paths.some(({ path: known, inside }) => known === undefined && inside === undefined)) return [];
  tally.files += run.files.length;
  return run.files
    .filter((file) => !paths.some((one) => one.path === file || (one.inside && file.startsWith(`${one.inside}/`))))
    .filter((file) => path.basename(file) !== "nohup.out")
    .map((file) => `wrote without being read to: ${path.relative(run.cwd, file)}`);
}

function fits(command: Command, { argv, cwd }: Execution): boolean {
  const [program = "", ...args] = argv;
  if (command.program !== undefined && command.program !== program) return false;
  if (command.cwds && !command.cwds.includes(cwd)) return false;
  // Of an unknown program nothing is claimed but that something runs.
  if (command.program === undefined) return true;
  return wordsFit(command.argv.slice(1), args);
}

function wordsFit(words: readonly Word[], args: readonly string[]): boolean {
  const [word, ...rest] = words;
  if (!word) return args.length === 0;
  if (word.many)
    return Array.from({ length: args.length + 1 }, (_, taken) => taken).some((taken) =>
      wordsFit(rest, args.slice(taken)),
    );
  const [arg, ...others] = args;
  if (arg === undefined || (word.known && word.text !== arg)) return false;
  return wordsFit(rest, others);
}
