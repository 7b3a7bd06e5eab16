import fs from "node:fs";
import net from "node:net";
import { describe } from "../core/errors.ts";
import { decodeFrame, encodeReply, encodeWaiting, type Frame, frameLength, type Reply } from "../core/frame.ts";
import type { Engine } from "../engine/engine.ts";
import { crashPoint } from "../system/crash-point.ts";

export interface ServerOptions {
  readonly socket: string;
  readonly build: string;
  readonly home: string;
  readonly engine: Engine;
  /** Answers `hookwright daemon status` and `stop`. */
  control(command: string): Reply;
  /** Whether this daemon is about to end and answers no more events. */
  isLeaving(): boolean;
  onActivity(): void;
  /** Called when a request was answered or its connection was closed. */
  onDone(): void;
  log(line: string): void;
}

/** The first argument of a frame that is meant for the daemon itself and not for the engine. */
export const CONTROL = "--control";

/** Resolves once the socket is ready; frames in, replies out, nothing else. */
export function listen(options: ServerOptions): Promise<net.Server> {
  // Half-open: a client may close its sending side before the answer is ready.
  const server = net.createServer({ allowHalfOpen: true }, (connection) => serve(connection, options));
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.socket, () => {
      fs.chmodSync(options.socket, 0o600);
      resolve(server);
    });
  });
}

function serve(connection: net.Socket, options: ServerOptions): void {
  let received: Buffer = Buffer.alloc(0);
  let chunks: Buffer[] = [];
  let missing = 0;
  let isAnswering = false;
  let isEnded = false;
  connection.on("error", (error) => options.log(`connection: ${describe(error)}`));
  connection.on("end", () => {
    if (!isAnswering) connection.destroy();
    isEnded = true;
  });
  connection.on("close", () => {
    isEnded = true;
  });
  connection.on("data", (chunk) => {
    if (isAnswering) return;
    chunks.push(chunk);
    missing -= chunk.length;
    if (missing > 0) return;
    received = chunks.length === 1 && received.length === 0 ? chunk : Buffer.concat([received, ...chunks]);
    chunks = [];
    try {
      const length = frameLength(received);
      if (length === undefined) return;
      missing = length - received.length;
      if (missing > 0) return;
      isAnswering = true;
      void answer(decodeFrame(received), connection, options, () => isEnded);
    } catch (error) {
      options.log(describe(error));
      connection.destroy();
    }
  });
}

async function answer(
  frame: Frame,
  connection: net.Socket,
  options: ServerOptions,
  isGone: () => boolean,
): Promise<void> {
  options.onActivity();
  try {
    // The frame is late or for another daemon: without an answer the client decides by itself.
    const isForUs = frame.build === options.build && frame.home === options.home;
    if (!isForUs || Date.now() > frame.deadline || options.isLeaving()) {
      connection.destroy();
      return;
    }
    // A client that waits keeps its sending side open, so its end means that nobody waits.
    const wait = (ms: number): void => void connection.write(encodeWaiting(ms));
    const client = frame.waits ? { wait, isGone } : undefined;
    const [first, command] = frame.args;
    const reply = first === CONTROL ? options.control(command ?? "") : await options.engine.decide(frame, client);
    connection.end(encodeReply(reply), () => crashPoint(options.home, "after-reply"));
  } catch (error) {
    options.log(`decide: ${describe(error)}`);
    connection.destroy();
  } finally {
    options.onDone();
  }
}
