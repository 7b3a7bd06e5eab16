import fs from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noChromium } from "./chromium.ts";
import { BrowserDashboard } from "./dashboard.ts";

/** Would call `window.gotIn` where markup was taken for markup. */
const MARKUP = "<img src=x onerror=gotIn()><script>gotIn()</script><svg onload=gotIn()>";
/** Clears a terminal, rings its bell, and turns the direction of what follows. */
const ESCAPES = "a\u001b[2Jb\u0007c\u202etxt.exe\u200bd";
const SHOWN_ESCAPES = "a\u241b[2Jb\u2407c\\u202etxt.exe\\u200bd";
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not arrive
const HIDDEN = /[\0-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

describe.skipIf(noChromium)("markup and escapes in what agents say", () => {
  let dashboard: BrowserDashboard;
  beforeAll(async () => {
    dashboard = await BrowserDashboard.start("safety, plan, omc");
    await dashboard.context.exposeFunction("gotIn", () => dashboard.complaints.push("a script of an agent ran"));
    const { world } = dashboard;
    fs.writeFileSync(path.join(world.project, ".git", "HEAD"), `ref: refs/heads/${MARKUP}\n`);
    for (const [session, text] of [
      [`s-${MARKUP}`, MARKUP],
      ["s-escapes", ESCAPES],
    ] as const) {
      await dashboard.send("UserPromptSubmit", session, { prompt: text });
      await dashboard.bash(session, `echo '${text}'; rm -rf ~/'${text}'`, false);
      await dashboard.call(session, "Write", { file_path: `${world.project}/${text}.ts`, content: text });
      await dashboard.call(session, "Edit", {
        file_path: `${world.project}/.git/config`,
        old_string: text,
        new_string: "x",
      });
      await dashboard.send("SubagentStart", session, { agent_id: "sub-1", agent_type: text });
      await dashboard.bash(session, `terraform apply # ${text}`, false);
      await dashboard.send("PermissionRequest", session, { tool_name: "Bash", tool_input: { command: text } });
    }
  });
  afterAll(() => dashboard?.dispose());

  it.each(["/", "/decisions", "/policies", "/work", "/performance"])("%s shows them as text", async (address) => {
    const page = await dashboard.open(address);
    await page.locator("main").waitFor();
    await expectOnlyText(page);
    await page.close();
  });

  it("a card, its panel and its timeline show them", async () => {
    const page = await dashboard.open("/?session=s-escapes");
    const panel = page.getByRole("complementary", { name: "One session" });
    await panel.getByText(SHOWN_ESCAPES).first().waitFor();
    await expectOnlyText(page);
    await page.goto(`${dashboard.origin}/?session=${encodeURIComponent(`s-${MARKUP}`)}`);
    await panel.getByText(MARKUP).first().waitFor();
    await expectOnlyText(page);
    for (const session of [`s-${MARKUP}`, "s-escapes"]) {
      await page.goto(`${dashboard.origin}/timeline?session=${encodeURIComponent(session)}`);
      await page.getByRole("listitem").first().waitFor();
      await expectOnlyText(page);
    }
    await page.close();
  });

  it("every decision shows them, with all that was recorded unfolded", async () => {
    const page = await dashboard.open("/decisions");
    const links = page.getByRole("listitem").getByRole("link");
    const addresses = await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
    expect(addresses.length).toBeGreaterThan(10);
    let markup = 0;
    for (const address of addresses) {
      await page.goto(address);
      await page.getByText("The event as it came").click();
      const silent = page.getByRole("button", { name: "Also those that were silent" });
      await silent.click();
      await expectOnlyText(page);
      if ((await page.locator("aside").innerText()).includes(MARKUP)) markup++;
    }
    expect(markup).toBeGreaterThan(4);
    await page.close();
  });

  it("an address shows them as text", async () => {
    const page = await dashboard.open(
      `/decisions?search=${encodeURIComponent(MARKUP)}&policy=${encodeURIComponent(ESCAPES)}`,
    );
    await page.getByText("No decision matches.").waitFor();
    await page.goto(`${dashboard.origin}/timeline?session=${encodeURIComponent(`nobody ${MARKUP}`)}`);
    await page.getByText("The journal has nothing of this session.").waitFor();
    await expectOnlyText(page);
    await page.close();
  });

  async function expectOnlyText(page: Page): Promise<void> {
    const found = await page.evaluate(() => ({
      foreign: document.querySelectorAll("main img, main script, main iframe, [onerror], [onload]").length,
      text: document.body.innerText,
      titles: [...document.querySelectorAll("[title]")].map((one) => one.getAttribute("title") ?? ""),
    }));
    expect(found.foreign).toBe(0);
    expect([found.text, ...found.titles].filter((text) => HIDDEN.test(text))).toEqual([]);
    dashboard.expectNoComplaints();
  }
});
