import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Ports } from "../../core/ports.ts";
import { HANDOVER_FILE, pendingHandover } from "../../domain/session/handover/handover.ts";
import { isRestartPending, type RestartArgs } from "../../domain/session/handover/restart.ts";
import { Sessions } from "../../domain/session/sessions.ts";
import { SESSION_STATE_FILE, type SessionState, textIn, withFields } from "../../domain/session/state.ts";
import type { Database } from "../../state/database.ts";
import { mirrorText, setMirror, writeOpenMirrors } from "../../state/exported-files.ts";
import { bumpRevision } from "../../state/sessions.ts";
import { openTable } from "../../state/stores.ts";
import { crashPoint } from "../../system/crash-point.ts";
import { processInfo } from "../../system/processes.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** How a running agent can be reached: through the wrapper it runs under, or through the keys of its pane. */
export type Way =
  | { readonly kind: "wrapper"; readonly pid: number }
  | { readonly kind: "tmux"; readonly socket: string; readonly pane: string }
  | { readonly kind: "none" };

const ASK_MS = 2_000;
const WRAPPER_MS = 15_000;
const CLEAR_MS = 15_000;
const PROMPT_MS = 8_000;
const STEP_MS = 100;
const MOST_BYTES = 1024 * 1024;
const SHELLS = /^-?(?:ba|z|fi|da|k|tc|c)?sh$/;

/** A process number may have been reused, and our signal would end another process: its parent and command are checked. */
export async function wayToAgent(env: Env, ports: Pick<Ports, "run">): Promise<Way> {
  const wrapper = Number(env.CLAUDE_SUPERVISOR_PID);
  const watchdog = Number(env.WATCHDOG_PID);
  if (watchdog > 1 && wrapper > 1) {
    const [parent, words] = await psOf(watchdog, env, ports);
    if (parent === wrapper && words.includes("watchdog")) return { kind: "wrapper", pid: watchdog };
    // The watchdog was ended; the wrapper understands the same signal.
    if (/hookwright(?:\.mjs)? run /.test((await psOf(wrapper, env, ports))[1]))
      return { kind: "wrapper", pid: wrapper };
    // The agent is gone: the process in its pane is another one.
    return { kind: "none" };
  }
  const socket = env.TMUX?.split(",")[0] ?? "";
  const pane = env.TMUX_PANE ?? "";
  return socket !== "" && /^%\d+$/.test(pane) ? { kind: "tmux", socket, pane } : { kind: "none" };
}

async function psOf(pid: number, env: Env, ports: Pick<Ports, "run">): Promise<[parent: number, words: string]> {
  const info = processInfo(pid);
  if (info !== "unknown") return [info?.parent ?? 0, info?.words ?? ""];
  const { stdout } = await ports.run("ps", ["-ww", "-o", "ppid=,args=", "-p", String(pid)], known(env), ASK_MS);
  const [, parent, words = ""] = /^\s*(\d+)\s+(.*)/.exec(stdout) ?? [];
  return [Number(parent ?? 0), words];
}

/** Restarts an agent. It may run again after a crash: each step checks whether it is already done. */
export async function restartAgent(order: RestartArgs, db: Database, ports: Ports, env: Env): Promise<void> {
  const state = (): SessionState | undefined => openStore(order, db).get(order.dir);
  const before = state();
  if (!before || textIn(before, "restartId") !== order.id) return;
  const document = ports.readText(path.join(order.dir, HANDOVER_FILE), MOST_BYTES);
  const isOpen = (): boolean => isRestartPending(state(), order.id);
  if (isOpen() && !pendingHandover(before, document)) {
    throw new Error(`${order.dir} has no hand-over, so its agent is not ended`);
  }
  const way = await wayToAgent(env, ports);
  if (way.kind === "wrapper" && isOpen()) {
    crashPoint(path.dirname(db.file), "before-signal");
    process.kill(way.pid, "SIGUSR1");
    if (!(await until(() => !isOpen(), WRAPPER_MS))) throw new Error("the wrapper did not restart its agent");
  }
  if (way.kind === "tmux") await typeRestart(order, way, { db, ports, env, state, isOpen });
}

interface Typing {
  readonly db: Database;
  readonly ports: Ports;
  readonly env: Env;
  state(): SessionState | undefined;
  isOpen(): boolean;
}

async function typeRestart(order: RestartArgs, way: Way & { kind: "tmux" }, typing: Typing): Promise<void> {
  const { ports, env, state, isOpen } = typing;
  const tmux = (...args: string[]) => ports.run("tmux", ["-S", way.socket, ...args], known(env), ASK_MS);
  const press = async (...keys: string[]): Promise<void> => {
    const { code } = await tmux("send-keys", "-t", way.pane, ...keys);
    if (code !== 0) throw new Error(`tmux pane ${way.pane} takes no keys`);
  };
  const { code, stdout } = await tmux("display-message", "-p", "-t", way.pane, "#{pane_current_command}");
  if (code !== 0 || SHELLS.test(stdout.trim())) throw new Error(`no agent runs in tmux pane ${way.pane}`);
  if (isOpen()) {
    await sleep(500);
    await press("Escape");
    await sleep(1_000);
    await press("Escape");
    await sleep(300);
    await press("-l", "/clear");
    await sleep(300);
    await press("Enter");
    // The session start of the new conversation clears the request; only then can it be typed into.
    if (!(await until(() => !isOpen(), CLEAR_MS))) throw new Error("the agent did not clear its conversation");
    await sleep(1_500);
  }
  const prompt = textIn(state() ?? {}, "restartPrompt");
  if (prompt === "") return;
  await press("-l", prompt);
  await sleep(300);
  await press("Enter");
  if (await until(() => textIn(state() ?? {}, "restartPrompt") === "", PROMPT_MS)) return;
  // Counted as sent although no report came: typing it twice would be worse.
  withoutPrompt(order, typing.db, ports);
}

function withoutPrompt(order: RestartArgs, db: Database, ports: Ports): void {
  db.transaction(() => {
    const store = openStore(order, db, () => bumpRevision(db, `project:${order.project}`));
    const next = withFields(store.get(order.dir) ?? {}, { restartPrompt: undefined });
    store.save(order.dir, next);
    setMirror(db, path.join(order.dir, SESSION_STATE_FILE), mirrorText(next));
  });
  writeOpenMirrors(db, ports.uid);
}

function openStore({ project }: RestartArgs, db: Database, onWrite?: () => void): Sessions {
  // Others write while this waits for them.
  db.refresh();
  return new Sessions(openTable(db, `project:${project}`, "session", onWrite));
}

async function until(isDone: () => boolean, ms: number): Promise<boolean> {
  for (let waited = 0; waited < ms; waited += STEP_MS) {
    if (isDone()) return true;
    await sleep(STEP_MS);
  }
  return isDone();
}

function known(env: Env): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
