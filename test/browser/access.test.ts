import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium, noChromium } from "./chromium.ts";
import { BrowserDashboard } from "./dashboard.ts";

describe.skipIf(noChromium)("who is let in by a browser", () => {
  let dashboard: BrowserDashboard;
  beforeAll(async () => {
    dashboard = await BrowserDashboard.start();
    await dashboard.send("UserPromptSubmit", "secret-session", { prompt: "go" });
    await dashboard.bash("secret-session", "git push --force origin main", false);
  });
  afterAll(() => dashboard?.dispose());

  it("a browser without the token sees nothing, also with one that was used", async () => {
    const stranger = await launchChromium();
    try {
      const page = await stranger.newPage();
      for (const address of ["/", "/decisions", "/app.js", "/api/now", "/?token=0", "/?token="]) {
        const answer = await page.goto(dashboard.origin + address);
        expect([address, answer?.status()]).toEqual([address, 401]);
        expect(await page.locator("body").innerText()).toContain("hookwright dashboard");
      }
    } finally {
      await stranger.close();
    }
  });

  it("the cookie cannot be read by a script, and no script of a page may run that is not ours", async () => {
    const page = await dashboard.open("/");
    expect(await page.evaluate(() => document.cookie)).toBe("");
    const [cookie] = await dashboard.context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict" });
    await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "document.title = 'ran'";
      document.body.append(script);
    });
    expect(await page.title()).not.toBe("ran");
    expect(dashboard.complaints.splice(0).join()).toContain("Content Security Policy");
    await page.close();
  });

  it("a page of another origin reads nothing, changes nothing and cannot frame it", async () => {
    const elsewhere = http.createServer((_, response) => {
      response.setHeader("content-type", "text/html");
      response.end("<!doctype html><title>elsewhere</title>");
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
    try {
      // In the browser that has the cookie.
      const page = await dashboard.context.newPage();
      await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
      const tried = await page.evaluate(async (target) => {
        const attempts: Record<string, () => Promise<unknown>> = {
          fetch: () => fetch(`${target}/api/now`, { credentials: "include" }),
          post: () =>
            fetch(`${target}/api/policies/mode`, {
              method: "POST",
              credentials: "include",
              headers: { "content-type": "application/json" },
              body: JSON.stringify({ id: "safety/destructive-command", mode: "off", isPreview: false }),
            }),
          stream: () =>
            new Promise((resolve, reject) => {
              const source = new EventSource(`${target}/api/events`, { withCredentials: true });
              source.onopen = resolve;
              source.onerror = () => reject(new Error("refused"));
            }),
          script: () =>
            new Promise((resolve, reject) => {
              const script = document.createElement("script");
              script.src = `${target}/app.js`;
              script.onload = resolve;
              script.onerror = () => reject(new Error("refused"));
              document.body.append(script);
            }),
        };
        const answers: Record<string, string> = {};
        for (const [name, attempt] of Object.entries(attempts)) {
          answers[name] = await attempt().then(
            () => "got in",
            () => "refused",
          );
        }
        // Without asking first whether it may: the answer cannot be read, so the configuration is looked at below.
        await fetch(`${target}/api/policies/mode`, {
          method: "POST",
          mode: "no-cors",
          credentials: "include",
          body: JSON.stringify({ id: "safety/destructive-command", mode: "off", isPreview: false }),
        }).catch(() => undefined);
        const frame = document.createElement("iframe");
        frame.src = `${target}/`;
        const framed = new Promise((resolve) => frame.addEventListener("load", resolve));
        document.body.append(frame);
        await framed;
        return answers;
      }, dashboard.origin);
      expect(tried).toEqual({ fetch: "refused", post: "refused", stream: "refused", script: "refused" });
      expect(dashboard.config).not.toContain("off");
      const texts = await Promise.all(page.frames().map((frame) => frame.locator("body").innerText()));
      expect(texts.join()).not.toContain("Decisions");
      await page.close();
    } finally {
      elsewhere.closeAllConnections();
      await new Promise((resolve) => elsewhere.close(resolve));
      dashboard.complaints.length = 0;
    }
  });

  it("asks nobody but its own server", async () => {
    const asked = new Set<string>();
    const page = await dashboard.context.newPage();
    page.on("request", (request) => asked.add(new URL(request.url()).origin));
    for (const address of ["/", "/decisions", "/policies", "/work", "/performance", "/replay"]) {
      await page.goto(dashboard.origin + address);
      await page.getByRole("navigation").waitFor();
    }
    expect([...asked]).toEqual([dashboard.origin]);
    dashboard.expectNoComplaints();
    await page.close();
  });
});
