/** A dashboard as a person starts it, in a world of its own, and the browser that its address was opened in. */
import fs from "node:fs";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import { decideHere } from "../support/in-process.ts";
import type { Running } from "../support/processes.ts";
import { LAUNCHER, World } from "../support/world.ts";
import { launchChromium } from "./chromium.ts";

type Event = Readonly<Record<string, unknown>>;

export class BrowserDashboard {
  readonly world: World;
  /** What the browser complained about: a refused script, a failed request, an error of a page. */
  readonly complaints: string[] = [];
  readonly browser: Browser;
  readonly context: BrowserContext;
  readonly origin: string;
  #process: Running;
  #uses = 0;

  private constructor(parts: {
    world: World;
    browser: Browser;
    context: BrowserContext;
    url: string;
    running: Running;
  }) {
    this.world = parts.world;
    this.browser = parts.browser;
    this.context = parts.context;
    this.origin = new URL(parts.url).origin;
    this.#process = parts.running;
    this.context.on("console", (message) => {
      if (message.type() === "error") this.complaints.push(message.text());
    });
    this.context.on("weberror", (error) => this.complaints.push(error.error().message));
  }

  static async start(profiles = "safety, plan"): Promise<BrowserDashboard> {
    const world = new World();
    fs.mkdirSync(world.home, { mode: 0o700 });
    fs.writeFileSync(`${world.home}/config.yml`, `profiles: [${profiles}]\n`);
    const { running, url } = await startDashboard(world);
    const browser = await launchChromium();
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.goto(url);
    await page.close();
    return new BrowserDashboard({ world, browser, context, url, running });
  }

  async stop(): Promise<void> {
    this.#process.kill("SIGTERM");
    await this.#process.ended;
  }

  /** At the same port, with another token, which is used as well. */
  async startAgain(): Promise<void> {
    const { running, url } = await startDashboard(this.world, new URL(this.origin).port);
    this.#process = running;
    const page = await this.context.newPage();
    await page.goto(url);
    await page.close();
  }

  async open(path: string): Promise<Page> {
    const page = await this.context.newPage();
    await page.goto(this.origin + path);
    await page.getByText("live", { exact: true }).waitFor({ state: "attached" });
    return page;
  }

  get config(): string {
    return fs.readFileSync(`${this.world.home}/config.yml`, "utf8");
  }

  /** One event through the real engine. */
  send(name: string, session: string, more: Event = {}): Promise<unknown> {
    const about = { session_id: session, cwd: this.world.project, permission_mode: "default" };
    return decideHere(this.world, { ...about, hook_event_name: name, ...more }, ["--reply", "json"]);
  }

  /** A call that is announced, and, unless `isDone` says otherwise, reported. */
  async call(session: string, tool: string, input: Event, { isDone = true } = {}): Promise<void> {
    const use = { tool_name: tool, tool_input: input, tool_use_id: `use-${++this.#uses}` };
    await this.send("PreToolUse", session, use);
    if (isDone) await this.send("PostToolUse", session, { ...use, tool_response: {}, duration_ms: 40 });
  }

  bash(session: string, command: string, isDone?: boolean): Promise<void> {
    return this.call(session, "Bash", { command }, isDone === undefined ? {} : { isDone });
  }

  /** Nothing that a page did was refused by the browser, and no page failed. */
  expectNoComplaints(): void {
    expect(this.complaints).toEqual([]);
  }

  async dispose(): Promise<void> {
    await this.browser.close();
    await this.stop();
    await this.world.dispose();
  }
}

/** `url` has the token, which works once. */
async function startDashboard(world: World, port = "0"): Promise<{ running: Running; url: string }> {
  const command = [process.execPath, LAUNCHER, "dashboard", "--no-open", ...(port === "0" ? [] : ["--port", port])];
  const running = world.start(command, { limitMs: 1_200_000 });
  const [url] = await running.sees("stdout", /http:\S+/);
  return { running, url };
}
