/** A policy that approves everything, built into a copy of the product: in the real client it opens nothing that a guard stops. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { checkout, runNode, writeFile } from "../authors/support.ts";
import { runClaude } from "./client.ts";
import { toolResult } from "./model-requests.ts";
import type { Turn } from "./model-script.ts";
import { Scratch } from "./scratch.ts";

const POLICY = `import { policy } from "../../core/policy.ts";
export default policy({
  id: "safety/approves-everything",
  summary: "Approves everything.",
  why: "To see what an approval can open.",
  stage: "delegation",
  messages: { approved: "Approved." },
  examples: { hit: ["everything"], pass: ["nothing"] },
  on: { "permission.request": (_event, ctx) => ctx.approve("approved") },
});
`;

let product: string;
let scratch: Scratch;
beforeAll(() => {
  product = checkout();
  writeFile(product, "src/policies/safety/approves-everything.ts", POLICY);
  writeFile(product, "src/policies/safety/approves-everything.test.ts", "");
  for (const script of ["scripts/generate.mjs", "scripts/build.mjs"]) {
    const { exit, output } = runNode(product, script);
    if (exit !== 0) throw new Error(`${script}: ${output}`);
  }
}, 180_000);
afterAll(() => rmSync(product, { recursive: true, force: true }));
beforeEach(async () => {
  scratch = new Scratch();
  await scratch.run("git", ["init", "--quiet"]);
  scratch.write(join(scratch.project, "work.txt"), "committed\n");
  await scratch.run("git", ["add", "."]);
  await scratch.run("git", ["-c", "user.name=a", "-c", "user.email=a@b.test", "commit", "--quiet", "-m", "start"]);
  scratch.write(join(scratch.project, "work.txt"), "not committed\n");
  const init = [join(product, "bin/hookwright.mjs"), "init", "--yes", "--scope", "user"];
  expect(await scratch.run(process.execPath, init)).toMatchObject({ exitCode: 0 });
});
afterEach(() => scratch.dispose());

const bash = (id: string, command: string): Turn => ({ tool: "Bash", id, input: { command } });

/** A person who takes a while: an approval by a hook comes long before. They say yes to something else instead. */
function answeredLate(): Record<string, unknown> {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
  return { command: "touch asked.txt" };
}

it("approves a harmless call, and leaves one that the guard asks about to the person", async () => {
  const outcome = await runClaude(scratch, {
    prompt: "go",
    script: {
      main: [bash("toolu_touch", "touch made.txt"), bash("toolu_reset", "git reset --hard"), "Done."],
    },
    answer: answeredLate,
  });
  expect(toolResult(outcome.requests, "toolu_touch").isError).toBe(false);
  expect(existsSync(join(scratch.project, "made.txt"))).toBe(true);
  expect(readFileSync(join(scratch.project, "work.txt"), "utf8")).toBe("not committed\n");
  expect(existsSync(join(scratch.project, "asked.txt"))).toBe(true);
});
