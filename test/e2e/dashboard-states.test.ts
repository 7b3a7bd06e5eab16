/** The dashboard says of a session what Claude Code's own list of sessions says of it. */
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { NowPage } from "../../src/daemon/dashboard/api.ts";
import { clientUnderTest } from "./client.ts";
import { killIfAlive } from "./processes.ts";
import { hookwright } from "./product.ts";
import { Scratch } from "./scratch.ts";
import { Terminal } from "./terminal.ts";

/** One session of `claude agents --json`. */
interface ListedSession {
  readonly pid: number;
  readonly sessionId: string;
  readonly status: string;
}

/** The client's words for our states. */
const STATUS: Readonly<Record<string, string>> = { waiting: "waiting", working: "busy", held: "busy", idle: "idle" };
const LAUNCHER = resolve(import.meta.dirname, "../../bin/hookwright.mjs");

let scratch: Scratch;
let client: Terminal | undefined;
beforeEach(() => {
  scratch = new Scratch();
});
afterEach(async () => {
  await client?.stop();
  client = undefined;
  await scratch.dispose();
});

async function listed(): Promise<ListedSession[]> {
  const { stdout, stderr, exitCode } = await scratch.run(clientUnderTest().binary, ["agents", "--json"]);
  expect([exitCode, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as ListedSession[];
}

/** Ends with the scratch. */
async function openDashboard(): Promise<() => Promise<NowPage>> {
  const args = [LAUNCHER, "dashboard", "--no-open"];
  const running = spawn(process.execPath, args, { cwd: scratch.project, env: scratch.environment });
  const url = await new Promise<string>((found) => {
    let said = "";
    running.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const [address] = /http:\S+token=\S+/.exec(said) ?? [];
      if (address !== undefined) found(address);
    });
  });
  const cookie = (await fetch(url, { redirect: "manual" })).headers.get("set-cookie")?.split(";")[0] ?? "";
  return async () => (await fetch(new URL("/api/now", url), { headers: { cookie } })).json() as Promise<NowPage>;
}

it("idle, at work, waiting for an answer, done, and killed", { timeout: 180_000 }, async () => {
  await hookwright(scratch, ["init", "--yes", "--scope", "user"]);
  const now = await openDashboard();
  const states = async (): Promise<string[]> =>
    (await now()).sessions.map(({ session, state }) => `${session} ${STATUS[state] ?? state}`);
  /** Both lists, once the client's own shows the status. */
  const agreeOn = async (status: string): Promise<void> => {
    await expect.poll(async () => (await listed()).map((one) => one.status), { timeout: 20_000 }).toEqual([status]);
    const [one] = await listed();
    await expect.poll(states, { timeout: 20_000 }).toEqual([`${one?.sessionId} ${status}`]);
  };
  let whileItThinks: Promise<void> | undefined;
  client = await Terminal.start(scratch, {
    asks: true,
    script: {
      main: [
        {
          say: { tool: "Bash", input: { command: "touch asked" } },
          before: async () => {
            whileItThinks = agreeOn("busy");
            await whileItThinks;
          },
        },
      ],
      whenExhausted: "Done.",
    },
  });
  await agreeOn("idle");
  await client.type("touch a file");
  await client.sees(/Do you want to proceed/);
  await expect(whileItThinks).resolves.toBeUndefined();
  await agreeOn("waiting");
  expect((await now()).sessions[0]?.waitsFor).toEqual({ tool: "Bash", subject: "touch asked" });
  await client.tmux("send-keys", "-t", "=client:", "Enter");
  await client.sees(/Done\./);
  await agreeOn("idle");

  const [{ pid = 0, sessionId = "" } = {}] = await listed();
  killIfAlive(pid);
  await expect.poll(listed, { timeout: 20_000 }).toEqual([]);
  expect(await states()).toEqual([`${sessionId} dead`]);
});
