/** The dashboard of a scratch, as the page of a person who has opened its address talks to it. */
import { type ChildProcess, spawn } from "node:child_process";
import { join, resolve } from "node:path";
import type { ApprovalAnswer, ApprovalOutcome, ApprovalRequest, NowPage } from "../../src/daemon/dashboard/api.ts";
import type { Scratch } from "./scratch.ts";

const LAUNCHER = join(resolve(import.meta.dirname, "../.."), "bin", "hookwright.mjs");
const LOOK_EVERY_MS = 100;
const PATIENCE_MS = 30_000;

export class DashboardClient {
  readonly #process: ChildProcess;
  readonly #origin: string;
  readonly #cookie: string;

  private constructor(process: ChildProcess, origin: string, cookie: string) {
    this.#process = process;
    this.#origin = origin;
    this.#cookie = cookie;
  }

  static async start(scratch: Scratch): Promise<DashboardClient> {
    const { environment: env, project: cwd } = scratch;
    const child = spawn(process.execPath, [LAUNCHER, "dashboard", "--no-open"], {
      env,
      cwd,
      stdio: ["ignore", "pipe", 2],
    });
    const url = await new Promise<string>((found, failed) => {
      let said = "";
      child.once("exit", () => failed(new Error(`the dashboard ended: ${said}`)));
      child.stdout?.on("data", (chunk: Buffer) => {
        said += chunk.toString();
        const [printed] = /http:\S+/.exec(said) ?? [];
        if (printed) found(printed);
      });
    });
    const entered = await fetch(url, { redirect: "manual" });
    const cookie = (entered.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    return new DashboardClient(child, new URL(url).origin, cookie);
  }

  async requests(): Promise<readonly ApprovalRequest[]> {
    const answer = await fetch(`${this.#origin}/api/now`, { headers: { cookie: this.#cookie } });
    return ((await answer.json()) as NowPage).approvals;
  }

  /** The one request that is open; waits until there is one. */
  async request(): Promise<ApprovalRequest> {
    const [one] = await this.#until((all) => all.length > 0);
    if (!one) throw new Error("there is no request");
    return one;
  }

  async hasNone(): Promise<void> {
    await this.#until((all) => all.length === 0);
  }

  async answer(id: string, body: ApprovalAnswer): Promise<{ readonly status: number } & Partial<ApprovalOutcome>> {
    const headers = { cookie: this.#cookie, origin: this.#origin, "content-type": "application/json" };
    const address = `${this.#origin}/api/approvals/${id}`;
    const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: answer.status, ...((await answer.json()) as ApprovalOutcome) };
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const ended = new Promise((done) => this.#process.once("exit", done));
    this.#process.kill("SIGTERM");
    await ended;
  }

  async #until(check: (all: readonly ApprovalRequest[]) => boolean): Promise<readonly ApprovalRequest[]> {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
      const all = await this.requests();
      if (check(all)) return all;
      await new Promise((done) => setTimeout(done, LOOK_EVERY_MS));
    }
    throw new Error(`the requests stayed ${JSON.stringify(await this.requests())}`);
  }
}
