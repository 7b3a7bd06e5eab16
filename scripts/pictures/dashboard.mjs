/**
 * Takes the pictures of the dashboard for the README: a story of several agents, sent through the real engine, and the
 * machine's own Chromium. Run `npm run build` first.
 */
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { Place } from "../dashboard/place.mjs";
import { play } from "../dashboard/story.mjs";

const OUT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../docs/pictures");
const SIZE = { width: 1280, height: 620 };
/** The server reads transcripts a few seconds later than events. */
const SETTLE_MS = 7_000;

const place = new Place({ profiles: ["safety", "plan"] });
try {
  await play(place);
  const url = await place.startDashboard();
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args });
  try {
    const context = await browser.newContext({ viewport: SIZE, colorScheme: "light", reducedMotion: "reduce" });
    const page = await context.newPage();
    await page.goto(url);
    await page.waitForTimeout(SETTLE_MS);
    await page.getByRole("listitem").first().waitFor();
    await page.screenshot({ path: path.join(OUT, "dashboard-now.png") });

    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto(new URL("/decisions?ruling=deny", url).href);
    await page.getByText("git push --force origin main").click();
    await page.getByText("What every policy said").waitFor();
    await page.goto(page.url().replace("?ruling=deny", ""));
    await page.getByText("What every policy said").waitFor();
    await page.screenshot({ path: path.join(OUT, "dashboard-decision.png") });
  } finally {
    await browser.close();
  }
} finally {
  await place.dispose();
}
