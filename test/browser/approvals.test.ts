/** Permission requests that real clients wait with, answered by the person in a real browser. */
import fs from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { toolCall } from "../support/events.ts";
import type { Running } from "../support/processes.ts";
import { ANY_CLIENT, PATIENT } from "../support/surroundings.ts";
import { noChromium } from "./chromium.ts";
import { BrowserDashboard } from "./dashboard.ts";

describe.skipIf(noChromium)("a permission request", () => {
  let dashboard: BrowserDashboard;
  beforeAll(async () => {
    dashboard = await BrowserDashboard.start();
    fs.appendFileSync(`${dashboard.world.home}/config.yml`, "approvals: browser\n");
    await dashboard.world.startDaemon();
  });
  afterAll(() => dashboard?.dispose());
  afterEach(async () => {
    for (const page of dashboard.context.pages()) await page.close();
    dashboard.expectNoComplaints();
  });

  function ask(command: string, waitMs = 120_000): Running {
    const { world } = dashboard;
    const { tool_use_id: _none, ...event } = toolCall(world, "", "Bash", { command }, "session-1", "PermissionRequest");
    const args = [...PATIENT, "--reply", "json", "--wait-ms", String(waitMs)];
    return world.begin({ ...event, agent_id: "agent-7" }, { client: ANY_CLIENT, daemon: true }, { args });
  }
  const decision = async (running: Running): Promise<unknown> => {
    const { stdout } = await running.ended;
    return stdout === "" ? undefined : JSON.parse(stdout).hookSpecificOutput.decision;
  };
  const card = (page: Page) => page.locator("article.approval");
  const shown = (page: Page, text: string): Promise<void> => card(page).filter({ hasText: text }).waitFor();
  const gone = (page: Page): Promise<void> => card(page).waitFor({ state: "detached" });

  it("is answered with yes, and disappears", async () => {
    const page = await dashboard.open("/");
    const running = ask("make release");
    await shown(page, "make release");
    const text = await card(page).innerText();
    for (const part of ["Bash", "session-1".slice(0, 8), "subagent agent-7", "asked", "open for"])
      expect(text).toContain(part);
    await page.getByRole("button", { name: "Yes, this once" }).click();
    expect(await decision(running)).toEqual({ behavior: "allow" });
    await gone(page);
  });

  it("is refused with a reason, with the keyboard alone", async () => {
    const page = await dashboard.open("/");
    const running = ask("make release");
    await shown(page, "make release");
    const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? "");
    for (let presses = 0; (await focused()) !== "No…" && presses < 60; presses++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Why not?" }).waitFor();
    await page.keyboard.type("use make dist");
    await page.keyboard.press("Enter");
    const message = expect.stringContaining("The person refused this call: use make dist");
    expect(await decision(running)).toEqual({ behavior: "deny", message });
    await gone(page);
  });

  it("is approved together with a rule, after which the same call is not asked about", async () => {
    const page = await dashboard.open("/");
    const running = ask("make docs");
    await shown(page, "make docs");
    const before = dashboard.config;
    await page.getByRole("button", { name: "Yes, and a rule…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("make docs").waitFor();
    expect(await dialog.innerText()).toContain("permissions/browser");
    expect(dashboard.config).toBe(before);
    await dialog.getByRole("button", { name: "Write this change" }).click();
    expect(await decision(running)).toEqual({ behavior: "allow" });
    await gone(page);
    await dialog.waitFor({ state: "detached" });
    expect(dashboard.config).toContain("command: make docs");
    expect(await decision(ask("make docs"))).toEqual({ behavior: "allow" });
    const other = ask("make docs -j");
    await shown(page, "make docs -j");
    await page.getByRole("button", { name: "Yes, this once" }).click();
    await other.ended;
  });

  it("disappears when nobody answers in time, and the agent's own dialog decides", async () => {
    const page = await dashboard.open("/");
    const running = ask("make release", 3_000);
    await shown(page, "make release");
    await gone(page);
    expect(await decision(running)).toBeUndefined();
  });

  it("takes the first answer of two tabs, and says so in the other", async () => {
    const [first, second] = [await dashboard.open("/"), await dashboard.open("/")];
    const running = ask("make release");
    await Promise.all([shown(first, "make release"), shown(second, "make release")]);
    let send: () => void = () => undefined;
    const isAnswered = new Promise<void>((resolve) => {
      send = resolve;
    });
    // The click of the second tab comes before its page can know, and its request after the first answer.
    await second.route("**/api/approvals/*", async (route) => {
      await isAnswered;
      await route.continue();
    });
    await second.getByRole("button", { name: "No…" }).click();
    await second.getByRole("button", { name: "Refuse" }).click();
    await first.getByRole("button", { name: "Yes, this once" }).click();
    expect(await decision(running)).toEqual({ behavior: "allow" });
    send();
    await second.getByText("This request is over").waitFor();
    // The browser itself reports the answer 409 of that request.
    expect(dashboard.complaints.splice(0)).toEqual([expect.stringContaining("409")]);
  });
});
