/** What people ask for beside guards: secrets out of outputs, loops broken, spending capped, collisions told. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { madeSecrets } from "../../src/core/secrets/secrets.samples.ts";
import { Database } from "../../src/state/database.ts";
import { type ClaudeOutcome, type ClaudeRun, NO_PERMISSION_CHECKS, runClaude } from "./client.ts";
import { bash, write } from "./mode-session.ts";
import { newText, toolResult, wholeText } from "./model-requests.ts";
import type { ToolCall } from "./model-script.ts";
import { hookwright, journal } from "./product.ts";
import { Scratch } from "./scratch.ts";
import { Terminal } from "./terminal.ts";

let scratch: Scratch;
let terminal: Terminal | undefined;
beforeEach(async () => {
  scratch = new Scratch();
  await scratch.run("git", ["init", "--quiet"]);
});
afterEach(async () => {
  await terminal?.stop();
  terminal = undefined;
  scratch.dispose();
});

/** The configuration is there before the events are registered. */
async function installed(config: object): Promise<void> {
  scratch.write(join(scratch.hookwrightHome, "config.yml"), JSON.stringify(config));
  await hookwright(scratch, ["init", "--yes", "--scope", "user"]);
}
const inProject = (name: string): string => join(scratch.project, name);
const run = (main: ClaudeRun["script"]["main"], ...args: string[]): Promise<ClaudeOutcome> => {
  const { env, args: unchecked } = NO_PERMISSION_CHECKS;
  return runClaude(scratch, { prompt: "go", script: { main }, env, args: [...unchecked, ...args] });
};
const sample = (of: string): string =>
  madeSecrets(400).find(({ shape }) => shape === of)?.secret ?? expect.fail("no sample");

describe("secrets in outputs", () => {
  it("are removed before the model sees them, and the rest of the output stays", async () => {
    await installed({ policies: { "safety/redact-output": "enforce" } });
    const token = sample("GitLab");
    scratch.write(inProject("build.log"), `step 1\nlogin with ${token}\nstep 2\n`);
    const read: ToolCall = { tool: "Read", id: "toolu_read", input: { file_path: inProject("build.log") } };
    const outcome = await run([bash("cat build.log", "toolu_cat"), read, bash("echo plain", "toolu_plain"), "Done."]);
    for (const id of ["toolu_cat", "toolu_read"]) {
      const { text, isError } = toolResult(outcome.requests, id);
      expect([id, isError]).toEqual([id, false]);
      expect(text).toContain("login with [removed: GitLab token]");
      expect(text).toContain("step 2");
    }
    expect(toolResult(outcome.requests, "toolu_plain").text).toContain("plain");
    const [, cat, , plain] = outcome.requests;
    expect(cat && newText(cat)).toContain("1 value was removed from the output of Bash");
    expect(plain && newText(plain)).not.toContain("removed from the output");
    for (const request of outcome.requests) expect(wholeText(request)).not.toContain(token);
  });

  it("reach the model as they are in observe mode", async () => {
    await installed({ policies: { "safety/redact-output": "observe" } });
    const token = sample("GitLab");
    scratch.write(inProject("build.log"), `${token}\n`);
    const outcome = await run([bash("cat build.log", "toolu_cat"), "Done."]);
    expect(toolResult(outcome.requests, "toolu_cat").text).toContain(token);
  });
});

describe("a call that fails again and again", () => {
  it("is told of after the third time, and asked about at the fourth", async () => {
    await installed({});
    const tries = ["toolu_1", "toolu_2", "toolu_3", "toolu_4"].map((id) => bash("cat no-such-file", id));
    const outcome = await run([
      ...tries,
      bash("echo other", "toolu_other"),
      bash("cat no-such-file", "toolu_5"),
      "Done.",
    ]);
    const told = outcome.requests.map(newText).map((text) => text.includes("has failed 3 times in a row"));
    expect(told.indexOf(true)).toBe(3);
    expect(toolResult(outcome.requests, "toolu_3").text).toContain("No such file");
    // Nobody can be asked in a run without a terminal.
    expect(toolResult(outcome.requests, "toolu_4").text).toContain("Should it be tried once more?");
    expect(toolResult(outcome.requests, "toolu_5").text).toContain("No such file");
  });
});

describe("spending", () => {
  it("is read from the transcript, and asked about once the cap is spent", async () => {
    await installed({ policies: { "safety/spend-cap": { sessionTokens: 4_000 } } });
    const first = await run([{ say: bash("echo one", "toolu_1"), outputTokens: 5_000 }, "Done."]);
    expect(toolResult(first.requests, "toolu_1").isError).toBe(false);
    await expect.poll(spentTokens, { timeout: 20_000, interval: 200 }).toBeGreaterThanOrEqual(5_000);
    const again = await run([bash("touch made", "toolu_2"), "Done."], "--resume", first.result.session_id);
    const { text } = toolResult(again.requests, "toolu_2");
    expect(text).toMatch(/This session has used \d+ tokens, which is 1\d\d % of the cap of 4000 tokens/);
    expect(existsSync(inProject("made"))).toBe(false);
  });

  function spentTokens(): number {
    const db = new Database(join(scratch.hookwrightHome, "state.db"), 1_000);
    const rows = db.all("SELECT value FROM entries WHERE store = 'spending' AND key LIKE 'session:%'");
    db.close();
    return rows.reduce(
      (sum, { value }) => sum + (JSON.parse(String(value)) as { sum: { tokens: number } }).sum.tokens,
      0,
    );
  }
});

describe("two sessions in one tree", () => {
  it("the second is told once of a file that the first has edited, and may edit it", async () => {
    await installed({});
    let second: ClaudeOutcome | undefined;
    const edit = (id: string, old_string: string, new_string: string): ToolCall => {
      return { tool: "Edit", id, input: { file_path: inProject("a.txt"), old_string, new_string } };
    };
    const read: ToolCall = { tool: "Read", input: { file_path: inProject("a.txt") } };
    const beside = async (): Promise<void> => {
      second = await run([read, edit("toolu_b1", "first", "second"), edit("toolu_b2", "second", "third"), "Done."]);
    };
    const first = await run([write(inProject("a.txt"), "first\n", "toolu_a"), { say: "Done.", before: beside }]);
    expect(toolResult(first.requests, "toolu_a").isError).toBe(false);
    const { requests } = second ?? expect.fail("there was no second session");
    const told = requests
      .map(newText)
      .map((text) => text.includes("a.txt was edited less than a minute ago by another"));
    expect(told).toEqual([false, false, true, false]);
    expect(requests.map(newText).join()).toContain(`claude-code ${first.result.session_id.slice(0, 8)}`);
    expect(readFileSync(inProject("a.txt"), "utf8")).toBe("third\n");
  });
});

describe("notifications", () => {
  it("reach the terminal when the work that a person asked for is over", async () => {
    await installed({ notifications: { terminal: true } });
    const opened = await Terminal.start(scratch, { script: { main: ["All fine."] } });
    terminal = opened;
    const output = join(scratch.root, "output");
    await opened.tmux("pipe-pane", "-t", "client", `cat > ${output}`);
    await opened.type("go");
    await opened.until(
      async () => (await journal(scratch)).some(({ agentEvent }) => agentEvent === "Stop"),
      "the turn did not end",
    );
    const raw = (): string => (existsSync(output) ? readFileSync(output, "utf8") : "");
    await opened.until(
      async () => raw().includes("]9;claude-code in project: it is done"),
      "the terminal was not told",
    );
  });
});
