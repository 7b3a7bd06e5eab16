import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { readShell } from "../shell/shell.ts";
import type { Effect } from "./effect.ts";
import { effectsOf } from "./effects.ts";

/**
 * Lines and what they would do: `command => kind target; kind target`, `-` for nothing, `?` before what is only
 * possible and behind a file that decides it, `⏎` for a line's end inside a command. With HOOKWRIGHT_UPDATE=1 targets are written anew, to be read before
 * they are kept; the kinds stay what a person wrote.
 */
const folder = new URL("samples/", import.meta.url);
const files = fs.readdirSync(folder).filter((name) => name.endsWith(".txt"));

describe.each(files)("%s", (name) => {
  const file = new URL(name, folder);
  const written = fs.readFileSync(file, "utf8").split("\n");
  const lines = process.env.HOOKWRIGHT_UPDATE ? written.map(updated) : written;
  if (lines !== written) fs.writeFileSync(file, lines.join("\n"));
  const samples = lines.flatMap((line) => {
    const sample = readSample(line);
    return sample ? [sample] : [];
  });
  test.each(samples)("$command", ({ command, expected }) => {
    expect(shown(command)).toBe(expected);
  });
});

function updated(line: string): string {
  const sample = readSample(line);
  if (!sample) return line;
  const found = shown(sample.command);
  return kinds(found) === kinds(sample.expected) ? `${sample.command} => ${found}` : line;
}

function readSample(line: string): { command: string; expected: string } | undefined {
  const at = line.lastIndexOf(" => ");
  if (at < 0 || line.startsWith("#")) return undefined;
  return { command: line.slice(0, at), expected: line.slice(at + 4) };
}

function shown(line: string): string {
  const shell = readShell(line.replaceAll("⏎", "\n"), { cwd: "/w", variables: { HOME: "/home/u" } });
  if (shell.unreadable !== undefined) return `unreadable: ${shell.unreadable}`;
  // Content that lands in a new file is no effect; whether it is new is not seen here.
  const found = effectsOf(shell, { cwd: "/w", userHome: "/home/u" }).filter(
    ({ ifExists, by }) => !ifExists || (by.redirections.length === 0 && by.program !== "tee"),
  );
  const effects = found.map(one);
  return effects.length === 0 ? "-" : [...new Set(effects)].join("; ");
}

function one({ kind, target, path, inside, certainty, runs }: Effect): string {
  const place = path ?? (inside === undefined ? target.replaceAll(/[\uf000-\uf0ff]/g, "…") : `${inside}/?`);
  return `${certainty === "possible" ? "?" : ""}${kind} ${place.replaceAll("\n", "⏎")}${runs ? "?" : ""}`.trim();
}

function kinds(shownEffects: string): string {
  return shownEffects
    .split("; ")
    .map((part) => part.replace(/^\?/, "").split(" ")[0])
    .join();
}
