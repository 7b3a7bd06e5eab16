// What the client tests share: a scratch installation, a way to run either client in it, and a daemon to talk to.
import { type ChildProcess, type StdioOptions, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { test as base } from "vitest";

export const BUILD = "abc123def456";
const SOURCE = path.resolve(import.meta.dirname, "../../client");
const PROGRAMS = path.resolve(import.meta.dirname, "../../node_modules/.cache/hookwright-clients");
const UID = process.getuid?.() ?? 0;

/** An engine that gives back the frame it was asked about, so that a test sees what a cold decision would see. */
const ECHO_ENGINE = `"use strict";
exports.decideFrame = async (frame) => ({ exit: 7, stdout: frame, stderr: "cold " + Date.now() });
`;

export interface Client {
  readonly name: string;
  readonly compiled: boolean;
  readonly command: (dist: string) => string[];
}

export const compiledClient: Client = { name: "hook.c", compiled: true, command: (dist) => [path.join(dist, "hook")] };
export const nodeClient: Client = {
  name: "hook.cjs",
  compiled: false,
  command: (dist) => [process.execPath, path.join(dist, "hook.cjs")],
};
export const clients = [compiledClient, nodeClient];

/** Why the compiled client cannot be tested here; undefined when it can. */
const noCompiler = spawnSync("cc", ["--version"]).error ? "no C compiler (cc) was found" : undefined;
if (noCompiler) console.log(`tests of hook.c are skipped: ${noCompiler}`);

/** Compiled once for each version of its sources; all warnings are errors here. */
const compiled = noCompiler === undefined ? compile() : "";

function compile(): string {
  const sources = fs.readdirSync(SOURCE).filter((name) => /\.[ch]$/.test(name));
  const hash = createHash("sha256");
  for (const name of sources.sort()) hash.update(name).update(fs.readFileSync(path.join(SOURCE, name)));
  const program = path.join(PROGRAMS, hash.digest("hex").slice(0, 16));
  if (fs.existsSync(program)) return program;
  fs.mkdirSync(PROGRAMS, { recursive: true });
  const draft = `${program}.${process.pid}`;
  const flags = ["-O2", "-Wall", "-Wextra", "-Werror", "-std=gnu11", `-DHW_BUILD="${BUILD}"`];
  const done = spawnSync("cc", [...flags, "-o", draft, path.join(SOURCE, "hook.c")], { encoding: "utf8" });
  if (done.status !== 0) throw new Error(`hook.c does not compile:\n${done.stderr}`);
  fs.renameSync(draft, program);
  return program;
}

export function unavailable(client: Client): boolean {
  return client.compiled && noCompiler !== undefined;
}

export interface Place {
  readonly root: string;
  readonly dist: string;
  readonly user: string;
  readonly run: string;
  /** Work for the end of the test, last in, first out. */
  readonly cleanups: (() => void | Promise<void>)[];
}

/** Tests run side by side, so each cleans up after itself only. */
export const test = base.extend<{ makePlace: (dist?: string) => Place }>({
  makePlace: async ({ task: _task }, use) => {
    const places: Place[] = [];
    await use((dist) => {
      const place = makePlace(dist);
      places.push(place);
      return place;
    });
    for (const place of places) for (const clean of place.cleanups.reverse()) await clean();
  },
});

/** A fresh scratch directory with both clients and the echo engine in `dist` (a path below the root). */
function makePlace(dist = "dist"): Place {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hw-")));
  const place = {
    root,
    dist: path.join(root, dist),
    user: path.join(root, "user"),
    run: path.join(root, "run"),
    cleanups: [() => fs.rmSync(root, { recursive: true, force: true })],
  };
  for (const dir of [place.dist, place.user, place.run]) fs.mkdirSync(dir, { recursive: true });
  if (noCompiler === undefined) fs.copyFileSync(compiled, path.join(place.dist, "hook"));
  const script = fs.readFileSync(path.join(SOURCE, "hook.cjs"), "utf8").replace("__HW_BUILD__", BUILD);
  fs.writeFileSync(path.join(place.dist, "hook.cjs"), script);
  fs.writeFileSync(path.join(place.dist, "node.path"), `${process.execPath}\n`);
  writeEngine(place, ECHO_ENGINE);
  return place;
}

export function writeEngine(place: Place, code: string): void {
  const whole = `(function (exports, require, module, __filename, __dirname) { ${code}\n})`;
  fs.writeFileSync(path.join(place.dist, "engine.cjs"), whole);
}

export function defaultHome(place: Place): string {
  return path.join(place.user, ".local/share/hookwright");
}

export function runDir(place: Place): string {
  return path.join(place.run, `hookwright-${UID}`);
}

/** Written from the description of the address, not from the clients. */
export function socketPath(place: Place, home = defaultHome(place)): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(`${BUILD}\n${home}`)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) % (1n << 64n);
  return path.join(runDir(place), `${hash.toString(16).padStart(16, "0").slice(-12)}.sock`);
}

export interface Frame {
  readonly fields: readonly string[];
  readonly body: Buffer;
}

/** undefined while bytes are missing. */
export function decodeFrame(bytes: Buffer): Frame | undefined {
  if (bytes.length < 8) return undefined;
  if (bytes.toString("latin1", 0, 4) !== "HW01") throw new Error("the frame does not start with HW01");
  const end = 8 + bytes.readUInt32LE(4);
  if (bytes.length < end + 4 || bytes.length < end + 4 + bytes.readUInt32LE(end)) return undefined;
  const fields = bytes.toString("utf8", 8, end).split("\0");
  if (fields.pop() !== "") throw new Error("the header does not end with NUL");
  return { fields, body: bytes.subarray(end + 4) };
}

export function wholeFrame(bytes: Buffer): Frame {
  const frame = decodeFrame(bytes);
  if (frame === undefined) throw new Error(`not a whole frame: ${bytes.toString("latin1", 0, 200)}`);
  return frame;
}

export function field(frame: Frame, name: string): string | undefined {
  return frame.fields.find((text) => text.startsWith(`${name}=`))?.slice(name.length + 1);
}

export function encodeReply(exit: number, stdout: string | Buffer, stderr: string | Buffer): Buffer {
  const part = (data: string | Buffer) => {
    const bytes = Buffer.from(data);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  return Buffer.concat([Buffer.from([exit]), part(stdout), part(stderr)]);
}

export interface Daemon {
  readonly frames: Frame[];
  connections: number;
}

export interface Behaviour {
  /** Called for every whole frame; `nth` counts connections from 1. */
  readonly onFrame?: (socket: net.Socket, frame: Frame, nth: number) => void;
  readonly onConnect?: (socket: net.Socket, nth: number) => void;
}

/** A daemon for one place; it and its connections end with the test. */
export async function listen(place: Place, behaviour: Behaviour, at = socketPath(place)): Promise<Daemon> {
  const daemon: Daemon = { frames: [], connections: 0 };
  const open = new Set<net.Socket>();
  fs.mkdirSync(path.dirname(at), { recursive: true, mode: 0o700 });
  const server = net.createServer((socket) => {
    const nth = ++daemon.connections;
    const chunks: Buffer[] = [];
    let missing = 12;
    open.add(socket);
    socket.on("error", () => socket.destroy());
    behaviour.onConnect?.(socket, nth);
    if (!behaviour.onFrame) return;
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      missing -= chunk.length;
      if (missing > 0) return;
      const bytes = Buffer.concat(chunks.splice(0));
      chunks.push(bytes);
      const frame = decodeFrame(bytes);
      if (frame === undefined) {
        const end = 8 + bytes.readUInt32LE(4);
        missing = (bytes.length < end + 4 ? end + 4 : end + 4 + bytes.readUInt32LE(end)) - bytes.length;
        return;
      }
      missing = Number.POSITIVE_INFINITY;
      daemon.frames.push(frame);
      behaviour.onFrame?.(socket, frame, nth);
    });
  });
  place.cleanups.push(async () => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(at, resolve));
  return daemon;
}

export const answer = (reply: Buffer): Behaviour => ({ onFrame: (socket) => socket.end(reply) });

export interface RunOptions {
  readonly env?: Record<string, string>;
  /** Bytes for a pipe that is then closed, a descriptor to pass on, or "open" for a pipe that never closes. */
  readonly stdin?: string | Buffer | number | "ignore";
  readonly keepOpen?: boolean;
  readonly cwd?: string;
  /** Put in front of the client's command line. */
  readonly through?: readonly string[];
  /** Hands the client one more pipe, as a careless agent would. */
  readonly leak?: boolean;
  readonly onStart?: (child: ChildProcess) => void;
}

export interface Result {
  readonly exit: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly ms: number;
}

/**
 * Runs a client to the end: until it has left and nobody holds its pipes any more. A test that does not set a deadline
 * gets a long one, so that a busy machine does not change what it sees.
 */
export function run(
  client: Client,
  place: Place,
  args: readonly string[] = [],
  options: RunOptions = {},
): Promise<Result> {
  const env = { PATH: process.env.PATH ?? "", HOME: place.user, XDG_RUNTIME_DIR: place.run, ...options.env };
  const patience = args.some((arg) => arg === "--deadline-ms" || arg === "--cold-frame")
    ? []
    : ["--deadline-ms", "30000"];
  const [file = "", ...rest] = [...(options.through ?? []), ...client.command(place.dist), ...args, ...patience];
  const input = options.stdin ?? "";
  const first = typeof input === "number" || input === "ignore" ? input : "pipe";
  const stdio: StdioOptions = [first, "pipe", "pipe", ...(options.leak ? ["pipe" as const] : [])];
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(file, rest, { env, cwd: options.cwd ?? place.root, stdio });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    const guard = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`${client.name} ${args.join(" ")} did not end, or something holds its pipes`));
    }, 10_000);
    child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => err.push(chunk));
    child.on("error", reject);
    child.on("close", (exit) => {
      clearTimeout(guard);
      const ms = performance.now() - started;
      resolve({ exit, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString(), ms });
    });
    child.stdin?.on("error", () => child.stdin?.destroy()); // the client may leave before it has read everything
    if (typeof input !== "number" && input !== "ignore") {
      if (options.keepOpen) child.stdin?.write(input);
      else child.stdin?.end(input);
    }
    options.onStart?.(child);
  });
}

/** Waits for something that comes about in another process. */
export async function eventually<T>(look: () => T | undefined, what: string): Promise<T> {
  for (const end = Date.now() + 8000; Date.now() < end; ) {
    const found = look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${what} did not come about`);
}
