import fs from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { noChromium } from "./chromium.ts";
import { BrowserDashboard } from "./dashboard.ts";

const PLAN = `# Login for everybody

## Implementation Tasks

| # | Task | Status |
|---|------|--------|
| 1 | Make the model | complete |
| 2 | Build the form | in-progress |
`;

describe.skipIf(noChromium)("the pages, while real events come in", () => {
  let dashboard: BrowserDashboard;
  beforeAll(async () => {
    dashboard = await BrowserDashboard.start();
  });
  afterAll(() => dashboard?.dispose());
  afterEach(async () => {
    for (const page of dashboard.context.pages()) await page.close();
    dashboard.expectNoComplaints();
  });

  it("say what to do as long as nothing has happened", async () => {
    const page = await dashboard.open("/");
    await page.getByText("hookwright init", { exact: true }).waitFor();
    for (const [name, text] of Object.entries({
      "/decisions": "No agent has reported anything yet.",
      "/timeline": "Choose a session.",
      "/work": "No plan, mode, team or board is at work.",
      "/performance": "Nothing was decided in this time.",
      "/replay": "What would another configuration have said?",
      "/nowhere": "There is no such page.",
    })) {
      await page.goto(dashboard.origin + name);
      await page.getByText(text).waitFor();
    }
  });

  it("Now shows a session from its first event on, and who waits for a person first", async () => {
    const page = await dashboard.open("/");
    await dashboard.send("SessionStart", "early-1", { source: "startup" });
    await dashboard.send("UserPromptSubmit", "early-1", { prompt: "go" });
    const first = page.getByRole("listitem").first();
    await expect.poll(() => first.innerText()).toContain("working");
    await dashboard.send("UserPromptSubmit", "late-2", { prompt: "go" });
    await dashboard.bash("late-2", "terraform apply", false);
    await dashboard.send("PermissionRequest", "late-2", {
      tool_name: "Bash",
      tool_input: { command: "terraform apply" },
    });
    await expect.poll(() => first.innerText()).toMatch(/waiting.*Bash.*terraform apply/s);
    await expect.poll(() => page.getByRole("link", { name: "Now" }).innerText()).toContain("1");

    await first.getByRole("link").click();
    expect(page.url()).toContain("session=late-2");
    await page.reload();
    const panel = page.getByRole("complementary", { name: "One session" });
    await panel.getByText("Waits for you since").waitFor();
    await dashboard.send("SubagentStart", "late-2", { agent_id: "sub-1", agent_type: "Explore" });
    await panel.getByText("Explore").waitFor();
    await dashboard.send("SessionEnd", "early-1", { reason: "other" });
    await page.getByRole("button", { name: "1 dead" }).click();
    const cards = page.getByRole("region", { name: "Sessions" }).last().getByRole("listitem");
    await expect.poll(() => cards.allInnerTexts()).toEqual([expect.stringContaining("early-1")]);
    expect(page.url()).toContain("state=dead");
  });

  it("Decisions grows by itself, keeps its filter over a reload and moves with the keys", async () => {
    const page = await dashboard.open("/decisions");
    await dashboard.bash("keys", "git status");
    await dashboard.bash("keys", "git push --force origin main", false);
    const rows = page.getByRole("listitem");
    await expect.poll(() => rows.first().innerText()).toContain("git push --force origin main");

    await page.getByLabel("ruling").selectOption("deny");
    await expect.poll(() => rows.count()).toBe(1);
    await page.reload();
    await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringContaining("deny")]);
    await dashboard.bash("keys", "rm -rf ~", false);
    await expect.poll(() => rows.count()).toBe(2);

    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    const panel = page.getByRole("complementary", { name: "One decision" });
    await panel.getByText("git push --force origin main").first().waitFor();
    expect(page.url()).toMatch(/\/decisions\/\d+\?ruling=deny/);
    await page.keyboard.press("k");
    await panel.getByText("rm -rf ~").first().waitFor();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });

    await page.keyboard.press("/");
    await page.keyboard.type("force");
    await expect.poll(() => rows.count()).toBe(1);
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    await page.keyboard.press("p");
    await page.getByRole("heading", { name: "Policies" }).waitFor();
  });

  it("one decision explains itself and can be allowed once, marked and turned into a rule", async () => {
    await dashboard.send("UserPromptSubmit", "one", { prompt: "go" });
    await dashboard.bash("one", "git push --force origin release", false);
    const page = await openDecision("git push --force origin release", "one");
    await page.getByText("What the command would do").waitFor();
    await page.getByText("replaces the commits of a remote branch").first().waitFor();
    await page.getByRole("button", { name: "Explain again" }).click();
    await page.getByText("as before").waitFor();
    await page.getByRole("button", { name: "Also those that were silent" }).click();
    await page.getByRole("link", { name: "safety/protected-paths" }).first().waitFor();

    await page.getByRole("button", { name: "False alarm" }).click();
    await page.getByRole("button", { name: "Marked as a false alarm" }).waitFor();
    await page.getByRole("button", { name: "Allow once" }).click();
    await page.getByText(/passes once, until/).waitFor();
    await dashboard.bash("one", "git push --force origin release", false);
    const again = await dashboard.open("/decisions?session=one&event=PreToolUse");
    await expect.poll(() => again.getByRole("listitem").first().innerText()).toContain("pass");
  });

  it("a narrow rule and a mode are shown as a diff first, and written only then", async () => {
    const lost = path.join(dashboard.world.userHome, "thesis");
    fs.mkdirSync(lost);
    fs.writeFileSync(path.join(lost, "text.md"), "all of it");
    await dashboard.bash("rule", `rm -rf ${lost}`, false);
    const page = await openDecision(`rm -rf ${lost}`, "rule");
    await page.getByRole("button", { name: "Write a narrow rule…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(`target: ${lost}`).waitFor();
    // The last days, decided again under this change: this very command would have passed.
    await dialog.getByText("newly allowed").waitFor();
    expect((await dialog.locator(".numbers").innerText()).replace(/\s+/g, " ")).toMatch(/newly allowed 1\b/i);
    expect(dashboard.config).not.toContain(lost);
    await dialog.getByRole("button", { name: "Write this change" }).click();
    await page.getByText("The rule is written").waitFor();
    expect(dashboard.config).toContain(lost);

    await page.goto(`${dashboard.origin}/policies?search=own-commands`);
    const mode = page.getByRole("group", { name: "Mode of safety/own-commands" });
    await mode.getByRole("button", { name: "observe" }).click();
    await dialog.getByText("safety/own-commands: observe").last().waitFor();
    expect(dashboard.config).not.toContain("observe");
    await dialog.getByRole("button", { name: "Write this change" }).click();
    await expect.poll(() => dashboard.config).toContain("safety/own-commands: observe");
    await expect.poll(() => mode.getByRole("button", { pressed: true }).innerText()).toBe("observe");
  });

  it("Policies counts hits and denials as they happen", async () => {
    const page = await dashboard.open("/policies?search=protected-paths");
    const denied = page.locator("[data-name=denied]");
    const before = Number(await denied.innerText());
    await dashboard.call("hits", "Write", {
      file_path: path.join(dashboard.world.project, ".git/config"),
      content: "x",
    });
    await expect.poll(async () => Number(await denied.innerText())).toBe(before + 1);
  });

  it("Timeline tells hooks and tools apart, and follows", async () => {
    await dashboard.bash("time", "npm test");
    const page = await dashboard.open("/timeline?session=time");
    const rows = page.getByRole("listitem");
    await rows.getByText("Bash: npm test").waitFor();
    expect((await rows.allInnerTexts()).filter((text) => text.includes("hook"))).toHaveLength(2);
    await dashboard.bash("time", "npm run lint");
    await rows.getByText("Bash: npm run lint").waitFor();
    await page.reload();
    await rows.getByText("Bash: npm run lint").waitFor();
  });

  it("Work shows the plan that is carried out", async () => {
    fs.writeFileSync(path.join(dashboard.world.project, "plan.md"), PLAN);
    const started = await dashboard.world.hookwright("plan", "start", "plan.md");
    expect(started.stderr).toBe("");
    await dashboard.send("UserPromptSubmit", "planned", { prompt: "go" });
    const page = await dashboard.open("/work");
    await page.getByRole("heading", { name: /Login for everybody/ }).waitFor();
    await page.getByText("1 of 2 tasks done").waitFor();
    await page.getByText("Build the form").waitFor();
  });

  it("Performance counts what was decided", async () => {
    await dashboard.bash("speed", "ls");
    const page = await dashboard.open("/performance");
    const events = async (): Promise<number> => Number(await page.locator(".numbers dd").first().innerText());
    const before = await events();
    await dashboard.bash("speed", "ls -la");
    await expect.poll(events).toBe(before + 2);
    await page.getByRole("img", { name: /Time of a decision: p99 up to/ }).waitFor();
  });

  it("Replay says what another configuration would have said, and changes nothing", async () => {
    await dashboard.send("UserPromptSubmit", "again", { prompt: "go" });
    await dashboard.bash("again", "git push --force origin replayed", false);
    const page = await dashboard.open("/replay");
    await page.getByLabel("policy").fill("safety/destructive-command=off");
    await page.reload();
    await page.getByRole("button", { name: "Replay" }).click();
    await page.getByText(/could be decided again/).waitFor();
    const sample = page.getByRole("listitem").filter({ hasText: "git push --force origin replayed" });
    expect(await sample.innerText()).toMatch(/newly allowed.*deny.*pass/s);
    expect(dashboard.config).not.toContain("off");
    await sample.getByRole("link").click();
    await page.getByText("What every policy said").waitFor();

    await page.goto(`${dashboard.origin}/replay?policy=safety%2Fno-such-policy%3Doff`);
    await page.getByRole("button", { name: "Replay" }).click();
    await page.getByRole("alert").getByText("safety/no-such-policy").waitFor();
  });

  it("goes on after the server was away, without an entry missing or twice", async () => {
    const page = await dashboard.open("/decisions?session=gap");
    await dashboard.bash("gap", "echo one", false);
    await page.getByText("echo one").waitFor();
    await dashboard.stop();
    await page.getByText(/^stale since/).waitFor();
    await dashboard.bash("gap", "echo two", false);
    await dashboard.startAgain();
    await page.getByText("live", { exact: true }).waitFor({ state: "attached" });
    await expect.poll(() => subjects(page)).toEqual(["echo two", "echo one"]);
    await dashboard.bash("gap", "echo three", false);
    await expect.poll(() => subjects(page)).toEqual(["echo three", "echo two", "echo one"]);
    // While nobody answered, the browser said so; that is all it may have complained about.
    const others = dashboard.complaints
      .splice(0)
      .filter((text) => !/Failed to load resource|ERR_CONNECTION/.test(text));
    expect(others).toEqual([]);
  });

  async function openDecision(subject: string, session: string): Promise<Page> {
    const page = await dashboard.open(`/decisions?session=${session}`);
    await page.getByRole("listitem").getByText(subject, { exact: true }).first().click();
    await page.getByRole("complementary", { name: "One decision" }).waitFor();
    return page;
  }
});

function subjects(page: Page): Promise<string[]> {
  return page.locator(".row-subject").allInnerTexts();
}
