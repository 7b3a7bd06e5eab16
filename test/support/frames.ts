/** Speaking to the engine the way a client does, without starting a client for every event. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import net from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { encodeFrame, type Reply } from "../../src/core/frame.ts";
import { DIST, type World } from "./world.ts";

const SENDER = fileURLToPath(new URL("./frame-sender.mjs", import.meta.url));

export function frameFor(
  world: World,
  payload: object | undefined,
  nonce: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  deadlineMs = 120_000,
): Buffer {
  return encodeFrame({
    nonce,
    build: world.build,
    home: world.home,
    deadline: Date.now() + deadlineMs,
    cwd: world.project,
    ppid: process.pid,
    cut: "",
    args,
    env: { ...world.environment, ...env },
    body: Buffer.from(payload === undefined ? "" : JSON.stringify(payload)),
  });
}

export interface DaemonStatus {
  readonly pid: number;
  readonly build: string;
  /** Requests so far, this one included. */
  readonly events: number;
}

/** The process id of the daemon that answers in this world, or undefined when none does. */
export async function daemonPid(world: World): Promise<number | undefined> {
  return (await daemonStatus(world))?.pid;
}

export function daemonStatus(world: World): Promise<DaemonStatus | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const connection = net.connect(world.socket, () =>
      connection.write(frameFor(world, undefined, "status", ["--control", "status"])),
    );
    connection.on("data", (chunk) => chunks.push(chunk));
    connection.on("error", () => resolve(undefined));
    connection.on("close", () => {
      const bytes = Buffer.concat(chunks);
      if (bytes.length < 5) return resolve(undefined);
      resolve(JSON.parse(bytes.toString("utf8", 5, 5 + bytes.readUInt32LE(1))) as DaemonStatus);
    });
  });
}

/** What one sender process reports at its end. */
export interface Sent {
  readonly pid: number;
  readonly replies: readonly Reply[];
  readonly slowestMs: number;
}

/** A process of its own that sends its frames one after the other, through the daemon or by the cold engine. */
export class FrameSender {
  readonly through: "daemon" | "cold";
  readonly #child: ChildProcess;
  readonly #ready: Promise<unknown>;

  constructor(world: World, through: "daemon" | "cold", frames: readonly Buffer[]) {
    this.through = through;
    this.#child = fork(SENDER, { execArgv: ["--expose-gc"], env: world.environment, cwd: world.project });
    this.#ready = once(this.#child, "message");
    this.#child.send({
      frames: frames.map((frame) => frame.toString("base64")),
      ...(through === "daemon" ? { socket: world.socket } : { client: path.join(DIST, "hook.cjs") }),
    });
  }

  /** Frames read, engine loaded. */
  async ready(): Promise<void> {
    await this.#ready;
  }

  async send(): Promise<Sent> {
    const answered = once(this.#child, "message");
    const failed = once(this.#child, "exit").then(([code]) => {
      throw new Error(`sender ${this.#child.pid} ended with ${code} before it had sent everything`);
    });
    failed.catch(() => undefined);
    this.#child.send("go");
    const [sent] = (await Promise.race([answered, failed])) as [Sent];
    this.#child.disconnect();
    return sent;
  }

  kill(): void {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill("SIGKILL");
  }
}
