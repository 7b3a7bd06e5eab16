import net from "node:net";
import type { TeamRequest, TeamResponse } from "./protocol.ts";

const ANSWER_MS = 1_000;
const LARGEST_ANSWER = 1024 * 1024;

/** Sends a request to the socket; undefined when no program listens. Rejects when no valid response comes in time. */
export function askSocket(socket: string, request: TeamRequest): Promise<TeamResponse | undefined> {
  return new Promise((resolve, reject) => {
    const connection = net.connect(socket, () => connection.write(`${JSON.stringify(request)}\n`));
    const fail = (why: string): void => {
      connection.destroy();
      reject(new Error(`${socket}: ${why}`));
    };
    let received = "";
    connection.setEncoding("utf8");
    connection.setTimeout(ANSWER_MS, () => fail(`no answer within ${ANSWER_MS} ms`));
    connection.on("data", (text) => {
      received += text;
      if (received.length > LARGEST_ANSWER) fail("the answer is too long");
      const end = received.indexOf("\n");
      if (end < 0) return;
      connection.destroy();
      finish(received.slice(0, end), resolve, fail);
    });
    // Some daemons send the response without a newline and close the connection.
    connection.on("end", () => (received === "" ? fail("closed without an answer") : finish(received, resolve, fail)));
    connection.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ECONNREFUSED") resolve(undefined);
      else fail(error.message);
    });
  });
}

function finish(line: string, resolve: (answer: TeamResponse) => void, fail: (why: string) => void): void {
  try {
    const answer = JSON.parse(line) as TeamResponse;
    if (answer?.status === "ok" || answer?.status === "error") resolve(answer);
    else fail("the answer has no status");
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    fail("the answer is not JSON");
  }
}
