import { expect, it } from "vitest";
import { registry } from "../../policies/index.gen.ts";
import { prompt } from "../../testing/events.ts";
import { createSandbox } from "../../testing/sandbox.ts";

const entries = registry.filter(({ pack, events }) => pack === "detection" && events.includes("prompt.submit"));
const detectors = await Promise.all(entries.map(async (entry) => (await entry.load()).default));

it.each([
  ["nothing", ""],
  ["a blank", " "],
  ["line breaks", "\n\r\n"],
  ["tabs and other blanks", "\t\v\f\u00a0\u3000\ufeff"],
])("a prompt of %s is seen by no detector", async (_name, text) => {
  const sandbox = createSandbox(detectors);
  const rows = () => sandbox.db.all("SELECT * FROM outbox").length + sandbox.db.all("SELECT * FROM jobs").length;
  const { results, ruling, reply } = await sandbox.send(prompt(text));
  expect(results.flatMap(({ verdicts, error }) => [...verdicts, ...(error ? [error] : [])])).toEqual([]);
  expect(ruling).toMatchObject({ outcome: "pass", notes: [], notices: [] });
  expect(reply.stdout).toBe("");
  expect(rows()).toBe(0);
  sandbox.close();
});
