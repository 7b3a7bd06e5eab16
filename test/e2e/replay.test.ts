/** A session of the real client decided again: no difference under its own configuration, the expected ones under others. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { NO_PERMISSION_CHECKS, runClaude } from "./client.ts";
import type { Turn } from "./model-script.ts";
import { hookwright, journal } from "./product.ts";
import { Scratch } from "./scratch.ts";

interface Difference {
  readonly change: string;
  readonly policy: string;
  readonly subject: string;
  readonly afterwards: string;
}

let scratch: Scratch;
const inProject = (name: string): string => join(scratch.project, name);
const bash = (id: string, command: string): Turn => ({ tool: "Bash", id, input: { command } });

beforeAll(async () => {
  scratch = new Scratch();
  await scratch.run("git", ["init", "--quiet"]);
  await hookwright(scratch, ["init", "--yes", "--scope", "user"]);
  scratch.write(inProject("notes.md"), "one\n");
  await runClaude(scratch, {
    prompt: "tidy up",
    script: {
      main: [
        { tool: "Read", id: "toolu_read", input: { file_path: inProject("notes.md") } },
        { tool: "Write", id: "toolu_write", input: { file_path: inProject("a.txt"), content: "a new file\n" } },
        {
          tool: "Edit",
          id: "toolu_edit",
          input: { file_path: inProject("notes.md"), old_string: "one", new_string: "two" },
        },
        bash("toolu_ls", "ls -la"),
        bash("toolu_push", "git push --force origin main"),
        bash("toolu_build", "echo built"),
        bash("toolu_fails", "cat missing.txt"),
        "Done.",
      ],
    },
    ...NO_PERMISSION_CHECKS,
  });
});
afterAll(() => scratch.dispose());

async function replayed(...args: string[]) {
  const printed = (await hookwright(scratch, ["replay", "--json", ...args])).trim().split("\n");
  const differences = printed.slice(0, -1).map((line) => JSON.parse(line) as Difference);
  return { summary: JSON.parse(printed.at(-1) ?? "{}"), differences };
}
const NONE = { newlyDenied: 0, newlyAsked: 0, newlyAllowed: 0, newlyHeld: 0, changedContext: 0 };

it("under the same configuration every event has the same answer, also edits, whose text the transcript has", async () => {
  const events = await journal(scratch);
  const { summary, differences } = await replayed();
  expect(differences).toEqual([]);
  expect(summary).toMatchObject({ ...NONE, undecidable: 0, notReplayable: 0 });
  expect(summary.replayed).toBe(events.filter(({ event }) => event !== "command").length);
  expect(events.filter(({ event }) => event === "tool.before")).toHaveLength(7);
});

it("a guard that is off would have let its call pass", async () => {
  const { summary, differences } = await replayed("--policy", "safety/destructive-command=off");
  expect(summary).toMatchObject({ ...NONE, newlyAllowed: 1 });
  expect(differences).toMatchObject([
    { change: "allowed", policy: "safety/destructive-command", afterwards: "stopped" },
  ]);
  expect(differences[0]?.subject).toContain("git push --force");
});

it("rules of another configuration would have denied and asked, one call each", async () => {
  const file = scratch.write(
    join(scratch.root, "stricter.yml"),
    [
      "profiles: [safety]",
      "rules:",
      "  - { id: no-echo, program: echo, do: deny, text: Nothing is echoed here. }",
      "  - { id: no-cat, program: cat, do: ask, text: Really read it? }",
      "",
    ].join("\n"),
  );
  const { summary, differences } = await replayed("--config", file);
  expect(summary).toMatchObject({ ...NONE, newlyDenied: 1, newlyAsked: 1 });
  expect(differences).toMatchObject([
    { change: "denied", policy: "rules/no-echo", subject: "Bash: echo built", afterwards: "kept" },
    { change: "asked", policy: "rules/no-cat", subject: "Bash: cat missing.txt", afterwards: "failed" },
  ]);
  const { exitCode } = await scratch.hookwright(["replay", "--config", file, "--fail-on", "newly-denied"]);
  expect(exitCode).toBe(1);
});

it("profiles without guards would have denied nothing", async () => {
  const { summary } = await replayed("--profile", "ntm");
  expect(summary).toMatchObject({ ...NONE, newlyAllowed: 1 });
});

it("the client's own transcript says the same as its hooks did", async () => {
  const { summary, differences } = await replayed("--transcripts", join(scratch.home, ".claude", "projects"));
  expect(summary.newlyDenied).toBe(1);
  expect(differences.filter(({ change }) => change === "denied")).toMatchObject([
    { policy: "safety/destructive-command", subject: "Bash: git push --force origin main" },
  ]);
});

it("fixtures of it hold the answers that were given", async () => {
  const folder = join(scratch.root, "fixtures");
  await hookwright(scratch, ["replay", "--save-fixtures", folder]);
  const { summary } = await replayed("--fixtures", folder, "--fail-on", "newly-denied,newly-allowed,changed-context");
  expect(summary).toMatchObject({ ...NONE, undecidable: 0 });
  expect(summary.replayed).toBeGreaterThan(10);
});
