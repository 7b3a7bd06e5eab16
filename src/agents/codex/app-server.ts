import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { isObject, type Json, type JsonObject } from "../../core/event.ts";
import type { InstallPlace } from "../installer.ts";

const DEADLINE_MS = 20_000;

export type AskCodex = (method: string, params: JsonObject) => Promise<JsonObject>;

/** Starts `codex app-server`, which speaks JSON-RPC line by line, for as long as `work` lasts. */
export async function withAppServer<T>({ env, cwd }: InstallPlace, work: (ask: AskCodex) => Promise<T>): Promise<T> {
  const server = spawn("codex", ["app-server"], { env, cwd, stdio: "pipe" });
  // What it says there is about its own start, and a full pipe would stop it.
  server.stderr.resume();
  const failed = new Promise<never>((_resolve, reject) => {
    server.once("error", reject);
    server.stdin.once("error", reject);
    server.once("exit", (code) => reject(new Error(`\`codex app-server\` ended with ${code}`)));
  });
  let deadline: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const error = new Error(`\`codex app-server\` did not answer within ${DEADLINE_MS / 1_000} seconds`);
    deadline = setTimeout(() => reject(error), DEADLINE_MS);
  });
  try {
    return await Promise.race([converse(server, work), failed, late]);
  } finally {
    clearTimeout(deadline);
    // Its end is no failure any more.
    failed.catch(() => undefined);
    server.kill();
  }
}

async function converse<T>(server: ChildProcessWithoutNullStreams, work: (ask: AskCodex) => Promise<T>): Promise<T> {
  const waiting = new Map<number, (answer: JsonObject) => void>();
  createInterface({ input: server.stdout }).on("line", (line) => {
    const said = parsed(line);
    const answered = typeof said.id === "number" ? waiting.get(said.id) : undefined;
    answered?.(said);
  });
  const say = (message: JsonObject): void => {
    server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  };
  let last = 0;
  const ask: AskCodex = async (method, params) => {
    const id = ++last;
    const answer = new Promise<JsonObject>((resolve) => waiting.set(id, resolve));
    say({ id, method, params });
    const { error, result } = await answer;
    if (error !== undefined) {
      const why = isObject(error) && typeof error.message === "string" ? error.message : "no reason given";
      throw new Error(`Codex refused ${method}: ${why}`);
    }
    return isObject(result) ? result : {};
  };
  await ask("initialize", { clientInfo: { name: "hookwright", title: "Hookwright", version: "1" } });
  say({ method: "initialized" });
  return work(ask);
}

/** A line that is no message is a warning for a person. */
function parsed(line: string): JsonObject {
  try {
    const said = JSON.parse(line) as Json;
    return isObject(said) ? said : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
