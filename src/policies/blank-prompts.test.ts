import { expect, it } from "vitest";
import { runsIn } from "../domain/mode/mode.samples.ts";
import { prompt } from "../testing/events.ts";
import { createSandbox } from "../testing/sandbox.ts";
import keywordDetector from "./detection/keyword-detector.ts";
import { registry } from "./index.gen.ts";

const asked = registry.filter(({ events }) => events.includes("prompt.submit") || events.includes("prompt.expand"));
const policies = await Promise.all(asked.map(async (entry) => (await entry.load()).default));
const BLANK = ["", " ", "\n", " \t\r\n ", "\v\f", "\u00a0", "\u3000", "\ufeff"];

it.each(policies)("$id has nothing to say about a prompt of blanks", async (policy) => {
  const sandbox = createSandbox([policy]);
  for (const blanks of BLANK) {
    const { results } = await sandbox.send(prompt(blanks));
    expect(
      results.flatMap(({ verdicts, error }) => [...verdicts, ...(error ? [error] : [])]),
      JSON.stringify(blanks),
    ).toEqual([]);
  }
  sandbox.close();
});

it("a prompt of blanks is not the request that a mode takes up later", async () => {
  const sandbox = createSandbox([keywordDetector]);
  for (const text of ["fix the login", ...BLANK, "ultrawork"]) await sandbox.send(prompt(text));
  const runs = runsIn(sandbox.db).all();
  sandbox.close();
  expect(runs.map(({ mode, request }) => [mode, request])).toEqual([["ultrawork", "fix the login"]]);
});
