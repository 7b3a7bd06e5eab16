/** A loss in the real client: it happens, the model hears of the snapshot, and the work comes back. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { NO_PERMISSION_CHECKS, runClaude } from "./client.ts";
import { wholeText } from "./model-requests.ts";
import { hookwright, journal } from "./product.ts";
import { Scratch } from "./scratch.ts";

let scratch: Scratch;
const inProject = (name: string): string => join(scratch.project, name);
const git = async (...args: string[]): Promise<string> => {
  const { exitCode, stdout, stderr } = await scratch.run("git", [
    "-c",
    "user.name=A",
    "-c",
    "user.email=a@b.test",
    ...args,
  ]);
  if (exitCode !== 0) throw new Error(stderr);
  return stdout;
};

beforeEach(async () => {
  scratch = new Scratch();
  await git("init", "--quiet");
  scratch.write(inProject("a.txt"), "committed\n");
  await git("add", "-A");
  await git("commit", "--quiet", "-m", "first");
  scratch.write(inProject("a.txt"), "an hour of work\n");
  scratch.write(inProject("staged.txt"), "staged\n");
  await git("add", "staged.txt");
});
afterEach(() => scratch.dispose());

it("lets `git reset --hard` run after a snapshot, tells the model, and undoes it", async () => {
  await hookwright(scratch, ["init", "--yes", "--scope", "user"]);
  scratch.write(join(scratch.environment.HOOKWRIGHT_HOME ?? "", "config.yml"), "safety: { onLoss: snapshot }\n");
  const before = await git("status", "--porcelain");
  const outcome = await runClaude(scratch, {
    prompt: "start over",
    script: {
      main: [{ tool: "Bash", id: "toolu_reset", input: { command: "git reset --hard && touch it-ran" } }, "Done."],
    },
    ...NO_PERMISSION_CHECKS,
  });
  expect(existsSync(inProject("it-ran"))).toBe(true);
  expect(readFileSync(inProject("a.txt"), "utf8")).toBe("committed\n");
  expect(existsSync(inProject("staged.txt"))).toBe(false);
  const [ref = ""] = (await git("for-each-ref", "--format=%(refname)", "refs/hookwright")).split("\n");
  const id = ref.split("/").at(-1);
  const next = outcome.requests.filter((request) => JSON.stringify(request.body).includes("toolu_reset")).at(-1);
  expect(next && wholeText(next)).toContain(`hookwright undo ${id}`);

  expect(await hookwright(scratch, ["undo", "--list"])).toContain(id);
  await hookwright(scratch, ["undo", "--last"]);
  expect(readFileSync(inProject("a.txt"), "utf8")).toBe("an hour of work\n");
  expect(readFileSync(inProject("staged.txt"), "utf8")).toBe("staged\n");
  const ignored = (text: string): string => text.replace("?? it-ran\n", "");
  expect(ignored(await git("status", "--porcelain"))).toBe(before);
  expect(JSON.stringify(await journal(scratch))).toContain("undo --last");
});
