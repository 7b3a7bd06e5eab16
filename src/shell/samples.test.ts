import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { writtenPaths } from "../effects/files/written-paths.ts";
import type { Command, Word } from "./command.ts";
import { readShell, type Shell } from "./shell.ts";

/**
 * Lines and the result of reading them, in files without escaping. A word after `?` is unknown, one before `…` may
 * become several. HOOKWRIGHT_UPDATE=1 writes the results anew; read them before you commit them.
 */
const FILES: Readonly<Record<string, (shell: Shell) => readonly string[]>> = {
  words: (shell) => shell.commands.map(wordsOf),
  launchers: (shell) => shell.commands.map((command) => `${"  ".repeat(levelOf(command))}${launched(command)}`),
  context: (shell) => shell.commands.map(placeOf),
  certain: (shell) => [true, false].map((ok) => `${ok ? "ok" : "failed"}: ${conclusions(shell, ok)}`),
  written: (shell) =>
    writtenPaths(shell, "/w")
      .filter(({ whenFolder }) => whenFolder === undefined)
      .map(({ path, inside, by }) => `${path ?? `? ${inside ?? ""}`.trim()} by ${by.program || "the shell"}`),
};

for (const [name, show] of Object.entries(FILES)) {
  describe(name, () => {
    const file = new URL(`samples/${name}.txt`, import.meta.url);
    const samples = readSamples(fs.readFileSync(file, "utf8"));
    if (process.env.HOOKWRIGHT_UPDATE) {
      const texts = samples.map(({ title, line }) => `=== ${title}\n${line}\n---\n${answer(line, show)}\n`);
      fs.writeFileSync(file, texts.join("\n"));
    }
    test.each(samples)("$title", ({ line, expected }) => {
      expect(answer(line, show)).toBe(expected);
    });
  });
}

function answer(line: string, show: (shell: Shell) => readonly string[]): string {
  const shell = readShell(line, { cwd: "/w" });
  return shell.unreadable === undefined ? show(shell).join("\n") : `unreadable: ${shell.unreadable}`;
}

function readSamples(text: string): { title: string; line: string; expected: string }[] {
  return text
    .split(/^=== /m)
    .slice(1)
    .map((block) => {
      const [, title = "", line = "", expected = ""] = /^(.*)\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(block) ?? [];
      return { title, line, expected: expected.trimEnd() };
    });
}

function shown(word: Word): string {
  const plain = /^[^\s"?…]+$/.test(word.text) ? word.text : JSON.stringify(word.text);
  return `${word.known ? "" : "?"}${plain}${word.many ? "…" : ""}`;
}

function wordsOf(command: Command): string {
  const before = command.assignments.map(
    ({ name, value }) => `${name}=${"text" in value ? shown(value) : `(${value.map(shown).join(" ")})`}`,
  );
  const after = command.redirections.map(
    ({ fd, operator, target, body }) => `${fd ?? ""}${operator}${target ? shown(target) : body ? shown(body) : ""}`,
  );
  const doubts = command.uncertain.filter((doubt) => doubt !== "words" && doubt !== "count");
  return [
    ...before,
    ...command.argv.map(shown),
    ...after,
    ...(doubts.length > 0 ? [`(${doubts.join(", ")})`] : []),
  ].join(" ");
}

function levelOf(command: Command): number {
  return command.via ? 1 + levelOf(command.via) : 0;
}

function launched(command: Command): string {
  const remote = command.remote ? " [remote]" : "";
  const cwd = command.cwd === "/w" || command.remote ? "" : ` in ${command.cwd ?? "?"}`;
  return wordsOf(command) + cwd + remote;
}

function placeOf(command: Command): string {
  const { joined, within, background, negated, cwds, functionName } = command;
  const facts = [
    joined && `after ${JSON.stringify(joined)}`,
    within.length > 0 && `within ${within.join("/")}`,
    functionName && `of ${functionName}`,
    background && "in the background",
    negated && "negated",
    cwds?.join() !== "/w" && `in ${cwds?.join(" or ") ?? "?"}`,
  ];
  return [wordsOf(command), ...facts.filter(Boolean)].join(" | ");
}

function conclusions(shell: Shell, ok: boolean): string {
  const names = (commands: readonly Command[]) =>
    commands.filter(({ argv }) => argv.length > 0).map(({ argv }) => argv.map(({ text }) => text).join(" "));
  const certain = names(shell.certain(ok));
  const ran = names(shell.ran(ok)).filter((name) => !certain.includes(name));
  return [
    certain.length > 0 ? certain.join(", ") : "nothing",
    ...(ran.length > 0 ? [`ran ${ran.join(", ")}`] : []),
  ].join("; ");
}
