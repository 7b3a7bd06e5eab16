// A worker with one copy of the tree and one vitest instance, since starting vitest takes longer than most tests.
import fs from "node:fs";
import path from "node:path";
import { createVitest } from "vitest/node";

const copy = process.argv[2];
process.chdir(copy);
process.env.CI = "true";
const vitest = await createVitest("test", {
  root: copy,
  watch: false,
  bail: 1,
  retry: 0,
  maxWorkers: 1,
  // A worker that is used again would still have the source before the mutation.
  isolate: true,
  testTimeout: 30_000,
  reporters: [{}],
});
await vitest.standalone();

async function testsPass(tests) {
  const chosen = await vitest.globTestSpecifications(tests);
  if (chosen.length === 0) throw new Error(`no test in ${tests}`);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(chosen, true);
  // The result also contains the modules of earlier runs.
  const files = new Set(chosen.map(({ moduleId }) => moduleId));
  const run = testModules.filter(({ moduleId }) => files.has(moduleId));
  const isWhole = run.length === files.size && run.every((one) => one.state() === "passed");
  return isWhole && unhandledErrors.length === 0;
}

process.on("disconnect", () => process.exit());
process.on("message", async ({ file, source, tests }) => {
  const target = file && path.join(copy, file);
  const original = target && fs.readFileSync(target, "utf8");
  if (target) change(target, source);
  const passed = await testsPass(tests);
  if (target) change(target, original);
  process.send({ passed });
});

function change(file, text) {
  fs.writeFileSync(file, text);
  vitest.invalidateFile(file);
}
process.send({ ready: true });
