import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toolCall } from "../support/events.ts";
import { ANY_CLIENT, PATIENT } from "../support/surroundings.ts";
import { noChromium } from "./chromium.ts";
import { BrowserDashboard } from "./dashboard.ts";

const AXE = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SIZES = [
  { width: 1280, height: 800 },
  { width: 360, height: 740 },
];
const PLAN = `# Login

## Implementation Tasks

| # | Task | Status |
|---|------|--------|
| 1 | Make the model | complete |
| 2 | Build the form | in-progress |
`;

describe.skipIf(noChromium)("everybody can use the pages", () => {
  let dashboard: BrowserDashboard;
  let addresses: readonly string[];
  beforeAll(async () => {
    dashboard = await BrowserDashboard.start();
    fs.appendFileSync(path.join(dashboard.world.home, "config.yml"), "approvals: browser\n");
    await dashboard.send("SessionStart", "axe", { source: "startup" });
    await dashboard.send("UserPromptSubmit", "axe", { prompt: "go" });
    await dashboard.bash("axe", "npm test");
    await dashboard.send("SubagentStart", "axe", { agent_id: "sub-1", agent_type: "Explore" });
    await dashboard.bash("axe", "git push --force origin main", false);
    await dashboard.bash("axe", "terraform apply", false);
    await dashboard.send("UserPromptSubmit", "other", { prompt: "go" });
    await dashboard.send("SessionEnd", "other", { reason: "other" });
    fs.writeFileSync(path.join(dashboard.world.project, "plan.md"), PLAN);
    await dashboard.world.hookwright("plan", "start", "plan.md");
    // Its client waits for an answer for as long as the pages are looked at.
    await dashboard.world.startDaemon();
    const { tool_use_id: _none, ...asked } = toolCall(
      dashboard.world,
      "",
      "Bash",
      { command: "git reset --hard" },
      "axe",
      "PermissionRequest",
    );
    const waits = [...PATIENT, "--reply", "json", "--wait-ms", "600000"];
    dashboard.world.begin(asked, { client: ANY_CLIENT, daemon: true }, { args: waits, limitMs: 600_000 });
    const page = await dashboard.open("/");
    await page.locator("article.approval").waitFor();
    await page.goto(`${dashboard.origin}/decisions?ruling=deny`);
    const denied = await page.getByRole("listitem").getByRole("link").first().getAttribute("href");
    await page.close();
    addresses = [
      ...["/", "/?session=axe", "/decisions", denied ?? "", "/decisions?search=nothing"],
      ...["/timeline", "/timeline?session=axe", "/policies", "/work", "/performance", "/replay"],
    ];
  });
  afterAll(() => dashboard?.dispose());

  describe.each(["light", "dark"] as const)("%s", (colorScheme) => {
    it.each(SIZES)("without a serious finding, $width pixels wide", async (size) => {
      const page = await dashboard.open("/");
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme });
      const findings: string[] = [];
      for (const address of addresses) {
        await page.goto(dashboard.origin + address);
        await page.getByText("Loading…").waitFor({ state: "detached" });
        await page.locator("main h1:visible, main h2:visible").first().waitFor();
        findings.push(...(await seriousFindings(page)).map((text) => `${address}: ${text}`));
        // Nothing lies beside the screen.
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        expect([address, width]).toEqual([address, size.width]);
      }
      expect(findings).toEqual([]);
      dashboard.expectNoComplaints();
      await page.close();
    });
  });

  it("a dialog keeps the focus and gives it back", async () => {
    const page = await dashboard.open("/policies");
    const button = page
      .getByRole("group", { name: "Mode of safety/own-commands" })
      .getByRole("button", { name: "off" });
    await button.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "safety/own-commands: off" });
    await dialog.getByRole("button", { name: "Write this change" }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    for (let presses = 0; presses < 6; presses++) {
      await page.keyboard.press("Tab");
      const outside = await page.evaluate(() => document.activeElement?.closest("dialog, body")?.tagName);
      expect(["DIALOG", "BODY"]).toContain(outside);
      expect(await page.evaluate(() => document.activeElement?.closest("main > *:not(dialog) .scroller"))).toBe(null);
    }
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(dashboard.config).not.toContain("own-commands");
    await page.close();
  });
});

/** What axe calls serious or critical, with where it is. It is evaluated by the debugger, so the page's policy stays on. */
async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const results = await page.evaluate(() => Reflect.get(window, "axe").run() as Promise<AxeResults>);
  return results.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")} ${node.failureSummary ?? ""}`));
}
