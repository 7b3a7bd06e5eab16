/** The dashboard on a phone: a browser elsewhere that has been paired by its code. */
import net, { type AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LAUNCHER, World } from "../support/world.ts";
import { launchChromium, noChromium } from "./chromium.ts";

describe.skipIf(noChromium)("a phone", () => {
  let world: World;
  let browser: Browser;
  beforeAll(async () => {
    world = new World();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await world?.dispose();
  });

  it("types the code, and has the pages from then on", async () => {
    const free = net.createServer();
    await new Promise<void>((resolve) => free.listen(0, "127.0.0.1", resolve));
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    const command = [process.execPath, LAUNCHER, "dashboard", "--no-open", "--listen", `127.0.0.1:${port}`];
    const running = world.start(command, { limitMs: 300_000 });
    const [, code = ""] = await running.sees("stdout", /code +(\d{4}-\d{4})/);
    // The certificate is our own, and the person has compared its fingerprint.
    const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 360, height: 740 } });
    const page = await context.newPage();
    await page.goto(`https://127.0.0.1:${port}/`);
    const field = page.getByLabel("The code that the terminal shows");
    await field.fill(code === "0000-0000" ? "1111-1111" : "0000-0000");
    await field.press("Enter");
    await page.getByRole("alert").getByText("It may be tried 4 more times.").waitFor();
    await field.fill(code);
    await page.getByRole("button", { name: "Pair" }).click();
    await page.getByText("live", { exact: true }).waitFor({ state: "attached" });
    expect(await page.evaluate(() => document.cookie)).toBe("");
    await page.reload();
    await page.getByText("live", { exact: true }).waitFor({ state: "attached" });
    const stranger = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage();
    await stranger.goto(`https://127.0.0.1:${port}/`);
    await stranger.getByLabel("The code that the terminal shows").fill(code);
    await stranger.getByRole("button", { name: "Pair" }).click();
    await stranger.getByRole("alert").getByText("does not work any more").waitFor();
    running.kill("SIGINT");
    expect((await running.ended).exit).toBe(0);
  });
});
