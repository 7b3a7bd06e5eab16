/** The pack `enhancement` of the profile omc in the real client: one scenario for each hook, by its name. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ClaudeOutcome, NO_PERMISSION_CHECKS, runClaude } from "./client.ts";
import { newText } from "./model-requests.ts";
import { type ModelScript, queueMarker, type Turn } from "./model-script.ts";
import { hookwright } from "./product.ts";
import { Scratch } from "./scratch.ts";

let scratch: Scratch;
beforeEach(async () => {
  scratch = new Scratch();
  await scratch.run("git", ["init", "--quiet"]);
  await hookwright(scratch, ["init", "--yes", "--scope", "user", "--profile", "omc"]);
});
afterEach(() => scratch.dispose());

const inProject = (name: string): string => join(scratch.project, name);
const bash = (command: string): Turn => ({ tool: "Bash", input: { command } });
const read = (name: string): Turn => ({ tool: "Read", input: { file_path: inProject(name) } });
const run = (script: ModelScript): Promise<ClaudeOutcome> =>
  runClaude(scratch, { prompt: "go", script, ...NO_PERMISSION_CHECKS });
/** For each request, how often something is said in what is new in it. */
const timesIn = ({ requests }: ClaudeOutcome, part: string): number[] =>
  requests.map((request) => newText(request).split(part).length - 1);
const agent = (queue: string): Turn => {
  const prompt = `${queueMarker(queue)} Look around.`;
  const input = { description: "look around", prompt, subagent_type: "general-purpose", run_in_background: false };
  return { tool: "Agent", input };
};

describe("rules-injector", () => {
  it("tells the rules that a file has once, and none that the client loads itself", async () => {
    scratch.write(inProject(".cursor/rules/ts.mdc"), "---\nglobs: **/*.ts\n---\nNo default exports.\n");
    scratch.write(inProject(".claude/rules/ts.md"), "---\npaths: '**/*.ts'\n---\nNo barrel files.\n");
    for (const name of ["a.ts", "src/b.ts", "c.py"]) scratch.write(inProject(name), "x\n");
    const outcome = await run({ main: [read("c.py"), read("a.ts"), read("src/b.ts"), "Done."] });
    expect(timesIn(outcome, "No default exports.")).toEqual([0, 0, 1, 0]);
    expect(newText(outcome.requests[2] ?? expect.fail("no request"))).toContain(".cursor/rules/ts.mdc (for **/*.ts)");
    expect(outcome.requests.map(newText).join("\n").split("No barrel files.").length - 1).toBeLessThanOrEqual(1);
  });
});

describe("directory-readme-injector", () => {
  it("tells the READMEs of a folder once, the root's first, and none that the client loaded", async () => {
    scratch.write(inProject("CLAUDE.md"), "See @docs/README.md\n");
    scratch.write(inProject("docs/README.md"), "How the manual is built.\n");
    scratch.write(inProject("README.md"), "A shop for maps.\n");
    scratch.write(inProject("src/README.md"), `Prices are in cents. ${"More about it. ".repeat(200)}\n`);
    for (const name of ["src/a.ts", "src/b.ts", "docs/x.md"]) scratch.write(inProject(name), "x\n");
    const outcome = await run({ main: [read("src/a.ts"), read("src/b.ts"), read("docs/x.md"), "Done."] });
    expect(timesIn(outcome, "A shop for maps.")).toEqual([0, 1, 0, 0]);
    expect(timesIn(outcome, "Prices are in cents.")).toEqual([0, 1, 0, 0]);
    expect(newText(outcome.requests[1] ?? expect.fail("no request"))).toMatch(
      /README\.md:\nA shop for maps\.[\s\S]*src\/README\.md:\nPrices[\s\S]*\(cut: read src\/README\.md\)/,
    );
    // The client has it by the include of CLAUDE.md.
    expect(outcome.requests.map(newText).join("\n").split("How the manual is built.").length - 1).toBe(1);
  });
});

describe("notepad", () => {
  it("keeps what a subagent wants to be remembered, and tells the next session what has priority", async () => {
    await hookwright(scratch, ["notepad", "add", "--priority", "The API is frozen."]);
    const first = await run({
      main: [agent("scout"), "The scout is back."],
      queues: { scout: ["Found it.\n<remember>The tests need port 5433.</remember>"] },
    });
    expect(timesIn(first, "The API is frozen.")[0]).toBe(1);
    const file = inProject(".omc/notepad.md");
    await expect.poll(() => existsSync(file) && readFileSync(file, "utf8"), { timeout: 10_000 }).toContain("port 5433");
    expect(readFileSync(file, "utf8")).toContain("The API is frozen.");
    const next = await run({ main: ["Hello."] });
    expect(timesIn(next, "The API is frozen.")).toEqual([1]);
    expect(newText(next.requests[0] ?? expect.fail("no request"))).toContain("Its working memory has 1 note.");
  });
});

describe("agent-usage-reminder", () => {
  const REMINDER = "without an agent: 3.";
  const search = (word: string): Turn => bash(`grep -rn ${word} . | head -3`);
  const words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
  const turnOn = (): string =>
    scratch.write(
      join(scratch.hookwrightHome, "config.yml"),
      "profiles: [omc]\npolicies: { enhancement/agent-usage-reminder: enforce }\n",
    );

  it("reminds twice of many searches, and not at all unless it is turned on", async () => {
    const script = { main: [...words.map(search), "Done."] };
    expect(timesIn(await run(script), REMINDER).some((times) => times > 0)).toBe(false);
    turnOn();
    expect(timesIn(await run(script), REMINDER)).toEqual([0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0]);
  });

  it("is silent once an agent was used", async () => {
    turnOn();
    const outcome = await run({
      main: [search("one"), search("two"), agent("scout"), ...words.map(search), "Done."],
      queues: { scout: ["Nothing but trees."] },
    });
    expect(timesIn(outcome, REMINDER).some((times) => times > 0)).toBe(false);
  });
});
