/** `kill -9` in the middle of a hand-over of the real client: the next run is told everything, and nobody stays behind. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { clientUnderTest } from "./client.ts";
import { type ModelRequest, wholeText } from "./model-requests.ts";
import type { ModelScript, Turn } from "./model-script.ts";
import { isAlive, killIfAlive, processesStartedWith } from "./processes.ts";
import { daemonStatus, hookwright } from "./product.ts";
import { Scratch } from "./scratch.ts";
import { Terminal } from "./terminal.ts";

const LAUNCHER = resolve(import.meta.dirname, "../../bin/hookwright.mjs");
const WRAPPER = [process.execPath, LAUNCHER, "run", "--"];
const PLUGIN = resolve(import.meta.dirname, "../../plugin");
const DIR = "sessions/2026_01_02_LOGIN";
const HANDOVER = { summary: "Half the form is done.", nextSteps: ["write the button"], requiredFiles: ["form.md"] };
const WAIT_MS = 60_000;

let scratch: Scratch;
let terminals: Terminal[];
let daemon: ChildProcess | undefined;
beforeEach(async () => {
  scratch = new Scratch();
  terminals = [];
  daemon = undefined;
  await scratch.run("git", ["init", "--quiet"]);
  scratch.write(join(scratch.project, "form.md"), "The form has one field.\n");
  await hookwright(scratch, ["init", "--yes", "--scope", "user", "--profile", "session"]);
  scratch.write(join(scratch.hookwrightHome, "config.yml"), "profiles: [session]\ncontextPolicy: restart\n");
});
afterEach(async () => {
  for (const terminal of terminals) await terminal.stop();
  if (daemon?.pid !== undefined) killIfAlive(daemon.pid);
  await scratch.dispose();
});

const bash = (id: string, command: string): Turn => ({ tool: "Bash", id, input: { command } });
const marker = (): string => join(scratch.hookwrightHome, "crash-points-allowed");
const allowCrashPoints = (): void => void scratch.write(marker(), "");
function state(): Record<string, unknown> {
  const file = join(scratch.project, DIR, ".state.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>) : {};
}

async function start(script: ModelScript, env: Readonly<Record<string, string>> = {}): Promise<Terminal> {
  const args = ["--plugin-dir", PLUGIN];
  const terminal = await Terminal.start(scratch, { under: WRAPPER, script, args, env });
  terminals.push(terminal);
  return terminal;
}

/** The children of a process; the agent and the watchdog are the wrapper's. */
function childrenOf(parent: number): { pid: number; words: string }[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const isChild = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === parent;
        return isChild ? [{ pid: Number(name), words: readFileSync(`/proc/${name}/cmdline`, "utf8") }] : [];
      } catch (error) {
        // It has ended between the look at the folder and the look at it.
        if (error instanceof Error && "code" in error) return [];
        throw error;
      }
    });
}

async function pidOf(victim: Victim, terminal: Terminal): Promise<number> {
  const wrapper = Number(await terminal.tmux("display-message", "-p", "-t", "=client:", "#{pane_pid}"));
  if (victim === "wrapper") return wrapper;
  // Whoever stopped says who he is.
  if (victim !== "agent") return Number(/reached by (\d+)/.exec(readFileSync(marker(), "utf8"))?.[1]);
  const { binary } = clientUnderTest();
  return childrenOf(wrapper).find(({ words }) => words.startsWith(binary))?.pid ?? expect.fail("no agent runs");
}

type Victim = "agent" | "daemon" | "wrapper" | "who does the job";
const isTold = (request: ModelRequest): boolean => wholeText(request).includes(HANDOVER.summary);
/** Requests of all runs that begin a conversation with the hand-over; one run may send several. */
const conversations = (): string[] => {
  const told = terminals.flatMap(({ model }) => model.conversation()).filter(isTold);
  const beginnings = told.filter(({ body }) => !wholeText({ body } as ModelRequest).includes("toolu_dehydrate"));
  return [...new Set(beginnings.map(({ body }) => JSON.stringify(body.messages[0])))];
};

async function until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + WAIT_MS; !(await isTrue()); await sleep(50)) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what}\n${await screens()}`);
  }
}
const screens = async (): Promise<string> =>
  (await Promise.all(terminals.map((one) => one.screen().catch(String)))).join("\n=====\n");

interface Cell {
  readonly step: string;
  readonly victim: Victim;
  /** Where a process of ours stops; else the model keeps the new run waiting for its first answer. */
  readonly point?: string;
  /** A run that was told and killed before it could do anything is not the last one to be told. */
  readonly told: number;
}
const CELLS: readonly Cell[] = [
  { step: "the hand-over is committed", point: "restart-asked", victim: "agent", told: 1 },
  { step: "the hand-over is committed", point: "restart-asked", victim: "wrapper", told: 1 },
  { step: "the job is claimed", point: "job-claimed", victim: "who does the job", told: 1 },
  { step: "before the agent is ended", point: "before-signal", victim: "agent", told: 1 },
  { step: "before the new start", point: "restart-taken", victim: "wrapper", told: 1 },
  { step: "the new run's start is committed, not answered", point: "after-commit", victim: "daemon", told: 1 },
  { step: "the new run knows and has done nothing", victim: "agent", told: 2 },
  { step: "the new run knows and has done nothing", victim: "wrapper", told: 2 },
];

it.each(CELLS)("$step: kill -9 of the $victim", { timeout: 240_000 }, async ({ point, victim, told }) => {
  const inDaemon = point === "after-commit";
  if (inDaemon) {
    const env = { ...scratch.environment, HOOKWRIGHT_CRASH_POINT: point };
    daemon = spawn(process.execPath, [LAUNCHER, "daemon", "run"], { cwd: "/", env, stdio: "ignore" });
    await until("the daemon listens", async () => (await daemonStatus(scratch)).running);
  }
  let isHeld = point === undefined;
  const input = JSON.stringify(HANDOVER);
  const first = await start(
    {
      main: [
        bash("toolu_activate", `engine session activate ${DIR} implement < /dev/null`),
        {
          say: {
            tool: "Bash",
            id: "toolu_dehydrate",
            input: { command: `engine session dehydrate <<'EOF'\n${input}\nEOF` },
          },
          before: () => {
            if (point !== undefined && !inDaemon) allowCrashPoints();
          },
        },
        // The agent that handed over may still ask what to do; the new one waits here while it is killed.
      ],
      whenExhausted: { say: "Going on.", before: () => until("it is let go", () => !isHeld || !newRunWaits()) },
    },
    point === undefined || inDaemon ? {} : { HOOKWRIGHT_CRASH_POINT: point },
  );
  const newRunWaits = (): boolean => conversations().length > 0;
  await first.type("build the login");
  if (inDaemon) {
    await until("the agent is about to begin anew", () => state().lifecycle === "restarting");
    allowCrashPoints();
  }
  const isReached = (): boolean =>
    point === undefined
      ? newRunWaits()
      : existsSync(marker()) && readFileSync(marker(), "utf8").includes(`${point} reached`);
  await until("the step is reached", isReached);
  const pid = await pidOf(victim, first);
  // The watchdog ends an agent whose wrapper is gone; until then nobody answers it.
  const others = victim === "wrapper" ? childrenOf(pid).map((child) => child.pid) : [];
  killIfAlive(pid);
  await until("it is dead", () => ![pid, ...others].some(isAlive));
  rmSync(marker(), { force: true });
  isHeld = false;

  // Either the wrapper goes on by itself, or a person starts it again in the same place.
  await until("it goes on, or is over", async () => conversations().length === told || !(await first.isOpen()));
  let last = first;
  if (conversations().length < told) {
    last = await start({ main: ["Going on."], whenExhausted: "Going on." });
    await last.type("where were we?");
  }
  await until("a run is told", () => conversations().length === told);
  await until("it counts as delivered", () => !("dehydratedContext" in state()));
  const request = last.model.conversation().findLast(isTold) ?? expect.fail("no request");
  for (const part of [HANDOVER.summary, "write the button", "The form has one field."]) {
    expect(wholeText(request)).toContain(part);
  }
  const document = join(scratch.project, DIR, "DEHYDRATED_CONTEXT.md");
  await until("the document says so too", () => readFileSync(document, "utf8").includes("**Delivered**"));

  await last.leave();
  expect(conversations()).toHaveLength(told);
  const ours = [`HOME=${scratch.home}`, `HOOKWRIGHT_HOME=${scratch.hookwrightHome}`];
  const left = (): number[] =>
    processesStartedWith(ours, scratch.hookwrightHome).filter((one) => isAlive(one) && one !== daemon?.pid);
  // A daemon that was just being started for an event does not listen yet, and is asked again.
  await until("nobody stays behind", async () => {
    await scratch.hookwright(["daemon", "stop"]);
    return left().length === 0;
  });
});
