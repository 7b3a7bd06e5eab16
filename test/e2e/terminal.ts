/** The real client as a person runs it: in a terminal, which tmux stands in for. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { clientEnvironment, clientUnderTest } from "./client.ts";
import { FakeModel } from "./fake-model.ts";
import type { ModelScript } from "./model-script.ts";
import type { Scratch } from "./scratch.ts";

const SESSION = "client";
const READY_MS = 30_000;
const LOOK_EVERY_MS = 100;
/** Keys that arrive together with a text are taken for a part of it. */
const BEFORE_ENTER_MS = 300;

export interface TerminalRun {
  readonly script: ModelScript;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Put before the client, such as a wrapper it runs under. */
  readonly under?: readonly string[];
  /** The name of the tmux server's socket, where that matters. */
  readonly socket?: string;
  /** The client asks its person before it runs anything. */
  readonly asks?: boolean;
}

export class Terminal {
  readonly model: FakeModel;
  readonly #scratch: Scratch;

  readonly #server: readonly string[];

  private constructor(scratch: Scratch, model: FakeModel, socket: string | undefined) {
    this.#scratch = scratch;
    this.model = model;
    this.#server = socket === undefined ? [] : ["-L", socket];
  }

  /** Returns once the client takes input. */
  static async start(scratch: Scratch, run: TerminalRun): Promise<Terminal> {
    const model = await FakeModel.start(run.script);
    const terminal = new Terminal(scratch, model, run.socket);
    skipIntroductions(scratch);
    const env = { ...scratch.environment, ...clientEnvironment(model.baseUrl), IS_SANDBOX: "1", ...run.env };
    const words = [
      ...(run.under ?? []),
      clientUnderTest().binary,
      "--model",
      "claude-sonnet-4-5",
      ...(run.asks ? [] : ["--dangerously-skip-permissions"]),
      ...(run.args ?? []),
    ];
    const exports = Object.entries(env).map(([name, value]) => `export ${name}=${quoted(value)}`);
    const start = scratch.write(
      join(scratch.root, "start.sh"),
      [...exports, `exec ${words.map(quoted).join(" ")}`, ""].join("\n"),
    );
    await terminal.tmux(
      "-f",
      "/dev/null",
      "new-session",
      "-d",
      "-s",
      SESSION,
      "-x",
      "150",
      "-y",
      "50",
      `/bin/sh ${start}`,
    );
    await terminal.sees(/bypass permissions on|for shortcuts/);
    return terminal;
  }

  async screen(): Promise<string> {
    return this.tmux("capture-pane", "-p", "-t", `=${SESSION}:`);
  }

  async sees(pattern: RegExp, ms = READY_MS): Promise<void> {
    await this.until(async () => pattern.test(await this.screen()), `the screen never showed ${pattern}`, ms);
  }

  async until(check: () => boolean | Promise<boolean>, otherwise: string, ms = READY_MS): Promise<void> {
    for (const end = Date.now() + ms; Date.now() < end; ) {
      if (await check()) return;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
    throw new Error(`${otherwise}\n${await this.screen()}`);
  }

  async type(text: string): Promise<void> {
    await this.tmux("send-keys", "-t", `=${SESSION}:`, "-l", text);
    await new Promise((resolve) => setTimeout(resolve, BEFORE_ENTER_MS));
    await this.tmux("send-keys", "-t", `=${SESSION}:`, "Enter");
  }

  async isOpen(): Promise<boolean> {
    return (await this.#scratch.run("tmux", [...this.#server, "has-session", "-t", `=${SESSION}`])).exitCode === 0;
  }

  /** Leaves the client the way a person does; returns how long that took. */
  async leave(): Promise<number> {
    const started = performance.now();
    await this.type("/exit");
    await this.until(async () => !(await this.isOpen()), "the client did not end");
    return performance.now() - started;
  }

  async stop(): Promise<void> {
    await this.#scratch.run("tmux", [...this.#server, "kill-server"]);
    await this.model.stop();
  }

  async tmux(...args: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await this.#scratch.run("tmux", [...this.#server, ...args]);
    if (exitCode !== 0) throw new Error(`tmux ${args[0]} failed: ${stderr}`);
    return stdout;
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** A home in which the client has been started before, so that it asks nothing. */
function skipIntroductions(scratch: Scratch): void {
  const project = {
    hasTrustDialogAccepted: true,
    hasCompletedProjectOnboarding: true,
    projectOnboardingSeenCount: 9,
    allowedTools: [],
  };
  const seen = {
    hasCompletedOnboarding: true,
    lastOnboardingVersion: clientUnderTest().version,
    theme: "dark",
    numStartups: 5,
    autoUpdates: false,
    customApiKeyResponses: { approved: ["test-key"], rejected: [] },
    bypassPermissionsModeAccepted: true,
    projects: { [scratch.project]: project },
  };
  writeFileSync(join(scratch.home, ".claude.json"), JSON.stringify(seen));
}
