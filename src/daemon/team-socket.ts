import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { describe } from "../core/errors.ts";
import { fingerprint } from "../core/text/fingerprint.ts";
import { type AtmPaths, atmPathsIn } from "../domain/team/atm-paths.ts";
import { errorResponse, handleRequestLine } from "../domain/team/handle-request.ts";
import type { TeamResponse } from "../domain/team/protocol.ts";
import { flushLines, teamServiceOn } from "../domain/team/service.ts";
import { type StateFile, stateFile } from "../engine/record/state-file.ts";
import { makeFolder } from "../system/make-folder.ts";
import { takeLock } from "./lock.ts";

/** The kernel's limit for a socket address, less the final NUL. */
const SOCKET_LIMIT = 107;
const LONGEST_LINE = 1024 * 1024;
const CONNECTION_MS = 30_000;
const PROBE_MS = 1_000;
/** A longer wait would hold up every session; another try follows without blocking anybody. */
const BUSY_MS = 5;
const TRIES_MS = 2_000;

export interface TeamSocketOptions {
  readonly home: string;
  readonly userHome: string;
  readonly database: string;
  /** A private folder for the lock. */
  readonly lockFolder: string;
  readonly uid: number;
  onActivity(): void;
  log(line: string): void;
}

/** Who serves the socket: this daemon, another one, or nobody because of a problem. */
export type Standing = { readonly owner: "us" | "another" } | { readonly owner: "nobody"; readonly problem: string };

export interface TeamSocket {
  readonly standing: Standing;
  /** Do clients still find our socket? */
  isOurs(): boolean;
  close(): void;
}

/** The socket of agent-team-mail, served unless another daemon already does. */
export async function openTeamSocket(options: TeamSocketOptions): Promise<TeamSocket> {
  const places = atmPathsIn(options.home);
  const away = (standing: Standing): TeamSocket => ({ standing, isOurs: () => false, close: () => undefined });
  const problem = prepareFolder(places, options.uid);
  if (problem !== "") return away({ owner: "nobody", problem });
  const unlock = takeLock(path.join(options.lockFolder, `teams-${fingerprint(options.home).slice(0, 12)}.lock`));
  if (!unlock) return away({ owner: "another" });
  if (await isAnswered(places.socket)) {
    unlock();
    return away({ owner: "another" });
  }
  const state = stateFile(options.database, () => BUSY_MS);
  flushLines(state.open(0).db, options.uid, options.log);
  const server = net.createServer({ allowHalfOpen: true }, (connection) => serve(connection, state, options));
  const inode = await bind(server, places);
  fs.writeFileSync(places.pidFile, `${process.pid}\n`, { mode: 0o600 });
  const isOurs = (): boolean => inodeOf(places.socket) === inode;
  return {
    standing: { owner: "us" },
    isOurs,
    close() {
      if (isOurs()) {
        fs.unlinkSync(places.socket);
        fs.rmSync(places.pidFile, { force: true });
      }
      server.close();
      state.close();
      unlock();
    },
  };
}

/** Why the folder cannot be used; empty when it can. */
function prepareFolder({ daemon, socket }: AtmPaths, uid: number): string {
  if (Buffer.byteLength(socket) > SOCKET_LIMIT) return `${socket} is too long for a socket`;
  try {
    makeFolder(daemon, 0o700);
  } catch (error) {
    return `${daemon} cannot be made: ${describe(error)}`;
  }
  const stat = fs.lstatSync(daemon);
  if (!stat.isDirectory()) return `${daemon} is not a directory`;
  if (stat.uid !== uid) return `${daemon} belongs to user ${stat.uid}`;
  if ((stat.mode & 0o022) !== 0) return `others may write to ${daemon}`;
  const found = fs.lstatSync(socket, { throwIfNoEntry: false });
  return found === undefined || found.isSocket() ? "" : `${socket} is not a socket`;
}

function isAnswered(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = net.connect(socket);
    const end = (isThere: boolean): void => {
      connection.destroy();
      resolve(isThere);
    };
    connection.setTimeout(PROBE_MS, () => end(true));
    connection.on("connect", () => end(true));
    connection.on("error", (error: NodeJS.ErrnoException) =>
      end(!["ENOENT", "ECONNREFUSED"].includes(error.code ?? "")),
    );
  });
}

/** Made under another name and renamed: at its end Node deletes the name that it made, whoever owns it by then. */
async function bind(server: net.Server, { socket }: AtmPaths): Promise<number | undefined> {
  const draft = `${socket.slice(0, -"-daemon.sock".length)}.${process.pid}`;
  fs.rmSync(draft, { force: true });
  // The socket is private from its creation on, whatever the folder allows.
  const before = process.umask(0o177);
  const listening = new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(draft, resolve);
  });
  // `listen` has created the socket already; the umask of other files must not change while we wait.
  process.umask(before);
  await listening;
  fs.chmodSync(draft, 0o600);
  const inode = inodeOf(draft);
  fs.renameSync(draft, socket);
  return inode;
}

function inodeOf(file: string): number | undefined {
  return fs.statSync(file, { throwIfNoEntry: false })?.ino;
}

/** One request per line, one line per answer, in order. */
function serve(connection: net.Socket, state: StateFile, options: TeamSocketOptions): void {
  let received = "";
  let queue = Promise.resolve();
  connection.setEncoding("utf8");
  connection.setTimeout(CONNECTION_MS, () => connection.destroy());
  connection.on("error", (error) => options.log(`teams: ${describe(error)}`));
  connection.on("data", (text) => {
    received += text;
    const lines = received.split("\n");
    received = lines.pop() ?? "";
    for (const line of lines) take(line);
    if (received.length <= LONGEST_LINE) return;
    received = "";
    reply(connection, errorResponse("", "INVALID_REQUEST", `the line is longer than ${LONGEST_LINE} characters`));
    connection.end();
  });
  connection.on("end", () => {
    if (received.trim() !== "") take(received);
    void queue.then(() => connection.end());
  });

  function take(line: string): void {
    if (line.trim() === "") return;
    options.onActivity();
    queue = queue.then(async () => reply(connection, await answer(line, state, options)));
  }
}

function reply(connection: net.Socket, response: TeamResponse): void {
  if (connection.writable) connection.write(`${JSON.stringify(response)}\n`);
}

/** Answers when the request is in the database, and in the audit trail unless another process is writing there. */
async function answer(line: string, state: StateFile, options: TeamSocketOptions): Promise<TeamResponse> {
  const where = { env: (name: string) => (name === "ATM_HOME" ? options.home : undefined), userHome: options.userHome };
  try {
    for (const until = Date.now() + TRIES_MS; Date.now() < until; ) {
      const { db, unrecorded } = state.open(0);
      // A database in memory would lose the request.
      if (db.file === ":memory:") throw new Error(unrecorded);
      const service = teamServiceOn(db, options.home, where, () => Date.now());
      const done = db.transaction(() => handleRequestLine(line, service));
      if (done) {
        flushLines(db, options.uid, options.log);
        return done.value;
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return errorResponse("", "UNAVAILABLE", "the registry is busy; try again");
  } catch (error) {
    state.failed(error);
    options.log(`teams: ${describe(error)}`);
    return errorResponse("", "UNAVAILABLE", "the registry cannot be used; `hookwright doctor` says why");
  }
}
