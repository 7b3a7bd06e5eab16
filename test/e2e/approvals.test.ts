/** Permission requests of the real client that are answered in the dashboard: seen in what the model is sent next. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Database } from "../../src/state/database.ts";
import { clientUnderTest, runClaude } from "./client.ts";
import { DashboardClient } from "./dashboard-client.ts";
import { bash } from "./mode-session.ts";
import { toolResult } from "./model-requests.ts";
import { hookwright, journal, registeredHooks } from "./product.ts";
import { Scratch } from "./scratch.ts";
import { Terminal } from "./terminal.ts";

/** The older client sends no permission requests where nobody sits at a terminal. */
const asksHeadless = clientUnderTest().version !== "2.1.197";

let scratch: Scratch;
let terminal: Terminal | undefined;
let dashboard: DashboardClient | undefined;
beforeEach(async () => {
  scratch = new Scratch();
  await scratch.run("git", ["init", "--quiet"]);
});
afterEach(async () => {
  await terminal?.stop();
  await dashboard?.stop();
  terminal = dashboard = undefined;
  await scratch.dispose();
});

const inProject = (name: string): string => join(scratch.project, name);

async function installed(approvals: "browser" | "off" | ""): Promise<void> {
  scratch.write(join(scratch.hookwrightHome, "config.yml"), approvals === "" ? "" : `approvals: ${approvals}\n`);
  await hookwright(scratch, ["init", "--yes", "--scope", "user"]);
}

/** A person types a prompt; the call that the model answers with needs permission. */
async function asked(command: string): Promise<DashboardClient> {
  dashboard = await DashboardClient.start(scratch);
  terminal = await Terminal.start(scratch, { script: { main: [bash(command, "toolu_1"), "Done."] }, asks: true });
  await terminal.type("go");
  await terminal.sees(/Do you want to proceed/);
  return dashboard;
}

async function resultInModel(): Promise<ReturnType<typeof toolResult>> {
  const client = terminal ?? expect.fail("no terminal");
  await client.until(() => client.model.conversation().length > 1, "the model was never asked again");
  return toolResult(client.model.conversation(), "toolu_1");
}

/** What the journal says of permission requests, the oldest first. */
function rulings(): string[] {
  const db = new Database(join(scratch.hookwrightHome, "state.db"), 1_000);
  const rows = db.all("SELECT ruling, policy, reason FROM journal WHERE event = 'permission.request' ORDER BY id");
  db.close();
  return rows.map(({ ruling, policy, reason }) => `${ruling} ${policy} ${reason}`.trim());
}

describe("with approvals in the browser", () => {
  beforeEach(() => installed("browser"));

  it("a yes lets the call run, and the dialog disappears", async () => {
    const page = await asked("touch made.txt");
    const request = await page.request();
    expect(request).toMatchObject({ tool: "Bash", subject: "touch made.txt", agentId: "", asks: "" });
    expect(await page.answer(request.id, { answer: "yes" })).toMatchObject({ status: 200, outcome: "approved" });
    expect((await resultInModel()).isError).toBe(false);
    expect(existsSync(inProject("made.txt"))).toBe(true);
    expect(rulings()).toEqual([
      "pass",
      expect.stringMatching(/^approve permissions\/browser The person said yes in the browser at 20/),
    ]);
    await page.hasNone();
  });

  it("a no with a reason reaches the model", async () => {
    const page = await asked("touch made.txt");
    const { id } = await page.request();
    expect(await page.answer(id, { answer: "no", reason: "Use make." })).toMatchObject({
      status: 200,
      outcome: "denied",
    });
    const { isError, text } = await resultInModel();
    expect(isError).toBe(true);
    expect(text).toContain("The person refused this call: Use make.");
    expect(existsSync(inProject("made.txt"))).toBe(false);
  });

  it("a request that nobody answers in time disappears, and the dialog stays", async () => {
    const settings = readFileSync(scratch.userSettings, "utf8");
    writeFileSync(scratch.userSettings, settings.replace('"590000"', '"4000"'));
    const page = await asked("touch made.txt");
    const { id } = await page.request();
    await page.hasNone();
    expect(await page.answer(id, { answer: "yes" })).toMatchObject({ status: 409 });
    await terminal?.sees(/Do you want to proceed/);
    expect(terminal?.model.conversation()).toHaveLength(1);
    await terminal?.tmux("send-keys", "-t", "=client:", "Enter");
    expect((await resultInModel()).isError).toBe(false);
  });

  it.each([
    ["Enter", false],
    ["Escape", undefined],
  ] as const)("one that is answered in the terminal with %s disappears", async (key, isError) => {
    const page = await asked("touch made.txt");
    const { id } = await page.request();
    await terminal?.tmux("send-keys", "-t", "=client:", key);
    await page.hasNone();
    expect(await page.answer(id, { answer: "yes" })).toMatchObject({ status: 409 });
    if (isError !== undefined) expect((await resultInModel()).isError).toBe(isError);
    expect(existsSync(inProject("made.txt"))).toBe(isError === false);
  });

  it("one of a client that was killed disappears", async () => {
    const page = await asked("touch made.txt");
    await page.request();
    const pid = Number(await terminal?.tmux("list-panes", "-t", "=client", "-F", "#{pane_pid}"));
    process.kill(pid, "SIGKILL");
    await page.hasNone();
  });

  it("what a guard asks about is shown with the question, and a yes lets it run", async () => {
    scratch.write(inProject("work.txt"), "committed\n");
    await scratch.run("git", ["add", "."]);
    await scratch.run("git", ["-c", "user.name=a", "-c", "user.email=a@b.test", "commit", "--quiet", "-m", "start"]);
    scratch.write(inProject("work.txt"), "changed\n");
    const page = await asked("git reset --hard");
    const request = await page.request();
    expect(request.asks).toContain("[safety/destructive-command]");
    expect(await page.answer(request.id, { answer: "yes" })).toMatchObject({ outcome: "approved" });
    expect((await resultInModel()).isError).toBe(false);
    expect(readFileSync(inProject("work.txt"), "utf8")).toBe("committed\n");
  });

  it.runIf(asksHeadless)("a headless run waits for the answer", async () => {
    const page = await DashboardClient.start(scratch);
    dashboard = page;
    const running = runClaude(scratch, {
      prompt: "go",
      script: { main: [bash("touch made.txt", "toolu_1"), "Done."] },
    });
    await page.answer((await page.request()).id, { answer: "yes" });
    expect(toolResult((await running).requests, "toolu_1").isError).toBe(false);
    expect(existsSync(inProject("made.txt"))).toBe(true);
  });
});

describe("without approvals", () => {
  const hooks = (): string[] =>
    registeredHooks(scratch.userSettings).map(([event, { args }]) => `${event} ${(args ?? []).join(" ")}`);

  it("no event more is registered or sent, and none takes longer", async () => {
    await installed("");
    const before = hooks();
    const text = readFileSync(scratch.userSettings, "utf8");
    await installed("off");
    expect(hooks()).toEqual(before);
    expect(readFileSync(scratch.userSettings, "utf8")).toBe(text);
    expect(text).not.toMatch(/wait-ms|"timeout": ?600/);
    const run = async (): Promise<string[]> => {
      const known = (await journal(scratch)).length;
      const main = [bash("touch made.txt", "toolu_1"), "Done."];
      await runClaude(scratch, { prompt: "go", script: { main } });
      return (await journal(scratch)).slice(known).map(({ agentEvent }) => agentEvent);
    };
    const off = await run();
    expect(off).not.toEqual([]);
    scratch.write(join(scratch.hookwrightHome, "config.yml"), "");
    expect(await run()).toEqual(off);
    await installed("browser");
    expect(readFileSync(scratch.userSettings, "utf8")).toMatch(/"timeout": ?600/);
  });
});
