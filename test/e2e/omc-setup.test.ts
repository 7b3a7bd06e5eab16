/** `claude --init`, `--init-only` and `--maintenance` in the real client, with the hooks of the plugin and of the settings. */
import { existsSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clientEnvironment, clientUnderTest, NO_PERMISSION_CHECKS, runClaude } from "./client.ts";
import { bash, newProject, runWithModes } from "./mode-session.ts";
import { type ModelRequest, toolResult, wholeText } from "./model-requests.ts";
import { hookwright, noticesToThePerson } from "./product.ts";
import type { Scratch } from "./scratch.ts";

const FOLDERS = ["logs", "notepads", "plans", "state", "state/checkpoints"];
const DAY = 86_400;
const MADE = "Setup of .omc: made .omc, .omc/state, .omc/logs, .omc/notepads, .omc/state/checkpoints, .omc/plans.";
/** The checkpoint may be gone already: those of a day ago are removed at the next compaction or start as well. */
const REMOVED = /Maintenance of \.omc: removed [12] old files?\./;

let scratch: Scratch;
beforeEach(async () => {
  scratch = await newProject();
});
afterEach(() => scratch.dispose());

const inOmc = (name: string): string => join(scratch.project, ".omc", name);
const said = (requests: readonly ModelRequest[]): string => wholeText(requests[0] ?? expect.fail("no request"));
const install = () => hookwright(scratch, ["init", "--yes", "--scope", "user", "--profile", "safety,omc"]);

function oldFile(name: string, days: number): string {
  const file = scratch.write(inOmc(name), "{}");
  const time = Date.now() / 1_000 - days * DAY;
  utimesSync(file, time, time);
  return file;
}

function folders(): string[] {
  const entries = readdirSync(inOmc(""), { recursive: true, withFileTypes: true });
  const below = join(inOmc(""), "/").length;
  return (
    entries
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(below))
      // The end of a session writes its own record there.
      .filter((name) => name !== "sessions")
      .sort()
  );
}

async function gone(file: string): Promise<void> {
  await expect.poll(() => existsSync(file), { timeout: 30_000 }).toBe(false);
}

describe("claude --init", () => {
  it("makes the folders, which git does not show, and tells it once in the session that follows", async () => {
    await install();
    const run = { prompt: "hello", script: { main: [bash("echo [$OMC_INITIALIZED]", "toolu_echo"), "Hello."] } };
    const { env } = NO_PERMISSION_CHECKS;
    const args = [...NO_PERMISSION_CHECKS.args, "--init"];
    const { requests } = await runClaude(scratch, { ...run, env, args });
    expect(folders()).toEqual(FOLDERS);
    for (const folder of ["", ...FOLDERS]) expect(readFileSync(join(inOmc(folder), ".gitignore"), "utf8")).toBe("*\n");
    expect((await scratch.run("git", ["status", "--porcelain"])).stdout).toBe("");
    expect(said(requests)).toContain(MADE);
    expect(toolResult(requests, "toolu_echo").text).toContain("[true]");
    const next = await runClaude(scratch, { prompt: "again", script: { main: ["Hello."] } });
    expect(said(next.requests)).not.toContain("Setup of .omc");
  });

  it("works with the plugin alone, and names settings that cannot be used", async () => {
    scratch.write(join(scratch.home, ".claude/.omc-config.json"), "{ cut");
    const outcome = await runWithModes(scratch, { prompt: "hello", script: { main: ["Hello."] } }, "--init");
    expect(folders()).toEqual(FOLDERS);
    expect(said(outcome.requests)).toContain(MADE);
    expect(noticesToThePerson(outcome, "SessionStart").join("\n")).toContain(
      ".claude/.omc-config.json is not used: it is not JSON.",
    );
    expect(readFileSync(join(scratch.home, ".claude/.omc-config.json"), "utf8")).toBe("{ cut");
  });
});

it("claude --init-only makes them without a model, and the next session tells it", async () => {
  await install();
  const { exitCode, stderr } = await scratch.run(clientUnderTest().binary, ["--init-only"], {
    env: clientEnvironment("http://127.0.0.1:9"),
  });
  expect(exitCode, stderr).toBe(0);
  expect(folders()).toEqual(FOLDERS);
  const { requests } = await runClaude(scratch, { prompt: "hello", script: { main: ["Hello."] } });
  expect(said(requests)).toContain(MADE);
});

describe("claude --maintenance", () => {
  it("removes old state, never a live mode's, and the next session tells it once", async () => {
    await install();
    const old = oldFile("state/skill-sessions.json", 8);
    const checkpoint = oldFile("state/checkpoints/checkpoint-2026-01-02T03-04-05-000Z.json", 2);
    const kept = [oldFile("state/young.json", 6), oldFile("notepad.md", 400), oldFile("plans/plan.md", 400)];
    const { result } = await runClaude(scratch, { prompt: "hello", script: { main: ["Hello."] } });
    await hookwright(scratch, ["mode", "start", "ultrawork", "port the scripts", "--session", result.session_id]);
    const live = oldStateOf("ultrawork");
    const texts = [await greet("--maintenance")];
    await gone(old);
    await gone(checkpoint);
    for (const file of [...kept, live]) expect(existsSync(file), file).toBe(true);
    // The work may still be going on when a session begins; its report is told by a later one then.
    while (!REMOVED.test(texts.at(-1) ?? "") && texts.length < 5) texts.push(await greet());
    texts.push(await greet());
    expect(texts.filter((text) => REMOVED.test(text))).toHaveLength(1);
  });

  const greet = async (...args: string[]): Promise<string> =>
    said((await runClaude(scratch, { prompt: "hello", script: { main: ["Hello."] }, args })).requests);

  function oldStateOf(mode: string): string {
    const file = inOmc(`state/${mode}-state.json`);
    const time = Date.now() / 1_000 - 30 * DAY;
    utimesSync(file, time, time);
    return file;
  }

  it("does what `hookwright maintain --project` does", async () => {
    await install();
    const old = oldFile("state/skill-sessions.json", 8);
    const dry = JSON.parse(await hookwright(scratch, ["maintain", "--project", "--dry-run", "--json"]));
    expect(dry).toMatchObject({ removed: [old], dryRun: true });
    expect(existsSync(old)).toBe(true);
    await hookwright(scratch, ["maintain", "--project"]);
    expect(existsSync(old)).toBe(false);
  });
});
