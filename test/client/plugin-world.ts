/** What the tests of the plugins share: the agent's side as the plugin sees it, and a daemon that answers as it is told. */
import fs from "node:fs";
import { createRequire } from "node:module";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { vi } from "vitest";
import { OPENCODE } from "../../src/agents/opencode/declaration.ts";
import { PI } from "../../src/agents/pi/declaration.ts";
import type { PluginAnswer } from "../../src/agents/plugin/answer.ts";
import { decodeFrame, encodeReply, frameLength } from "../../src/core/frame.ts";

const CLIENT = path.resolve(import.meta.dirname, "../../client");
const load = createRequire(import.meta.url);

export type Fields = Readonly<Record<string, unknown>>;
/** A hook or a handler as the agent calls it. */
export type Hook = (input: object, output?: object) => Promise<unknown>;

/** A daemon on the socket of this home, in a runtime folder of its own. */
export class ScriptedDaemon {
  /** What it was asked, in order. */
  readonly asked: Fields[] = [];
  readonly args: (readonly string[])[] = [];
  /** By event; nothing means that the event passes. */
  answers: Readonly<Record<string, PluginAnswer | string>> = {};
  readonly #root = fs.mkdtempSync(path.join(os.tmpdir(), "hwp-"));
  readonly #server: net.Server;

  private constructor() {
    this.#server = net.createServer({ allowHalfOpen: true }, (socket) => {
      let bytes = Buffer.alloc(0);
      socket.on("data", (chunk) => {
        bytes = Buffer.concat([bytes, chunk]);
        const length = frameLength(bytes);
        if (length !== undefined && bytes.length >= length) socket.end(encodeReply(this.#reply(bytes)));
      });
    });
  }

  static async start(): Promise<ScriptedDaemon> {
    const daemon = new ScriptedDaemon();
    vi.stubEnv("HOOKWRIGHT_HOME", path.join(daemon.#root, "home"));
    vi.stubEnv("XDG_RUNTIME_DIR", daemon.#root);
    const { socketPathFor, homeFor } = load(path.join(CLIENT, "hook.cjs")) as Record<string, (home?: string) => string>;
    const file = socketPathFor?.(homeFor?.()) ?? "";
    fs.mkdirSync(path.dirname(file), { mode: 0o700 });
    await new Promise<void>((resolve) => daemon.#server.listen(file, resolve));
    return daemon;
  }

  async stop(): Promise<void> {
    vi.unstubAllEnvs();
    await new Promise((resolve) => this.#server.close(resolve));
    fs.rmSync(this.#root, { recursive: true, force: true });
  }

  /** The names of the events, in order. */
  get events(): unknown[] {
    return this.asked.map(({ hook }) => hook);
  }

  #reply(bytes: Buffer): { exit: number; stdout: string; stderr: string } {
    const { body, args } = decodeFrame(bytes);
    const fields = JSON.parse(body.toString("utf8")) as Fields;
    this.asked.push(fields);
    this.args.push(args);
    const answer = this.answers[String(fields.hook)];
    const stdout = answer === undefined ? "" : typeof answer === "string" ? answer : JSON.stringify(answer);
    return { exit: 0, stdout, stderr: "" };
  }
}

const settings = (events: object): Fields => ({ via: "user", profiles: ["safety"], events: Object.keys(events) });

/** What the plugin asks opencode for, and what it tells it. */
export class FakeOpencode {
  readonly prompts: { readonly path: Fields; readonly body: Fields }[] = [];
  /** Parts of the message that is being written, by its id. */
  readonly parts: Record<string, readonly Fields[]> = {};
  readonly toasts: unknown[] = [];
  readonly sessions: Record<string, Fields> = {};
  readonly hooks: Readonly<Record<string, Hook>>;

  constructor() {
    const add = (request: { readonly path: Fields; readonly body: Fields }) => {
      this.prompts.push(request);
      return Promise.resolve({ data: { info: { id: `msg_held${this.prompts.length}` }, parts: [] } });
    };
    const session = {
      get: ({ path: { id } }: { path: { id: string } }) => Promise.resolve({ data: this.sessions[id] }),
      message: ({ path: { messageID } }: { path: { messageID: string } }) =>
        Promise.resolve({ data: { info: { id: messageID }, parts: this.parts[messageID] ?? [] } }),
      prompt: add,
      promptAsync: add,
    };
    const tui = { showToast: ({ body }: { body: unknown }) => Promise.resolve({ data: this.toasts.push(body) }) };
    const { start } = load(path.join(CLIENT, "opencode.cjs")) as {
      start(given: object, input: object): Readonly<Record<string, Hook>>;
    };
    this.hooks = start(settings(OPENCODE.events), { client: { session, tui }, directory: "/home/dev/project" });
  }

  call(name: string, input: object, output: object = {}): Promise<unknown> {
    const hook = this.hooks[name];
    if (!hook) throw new Error(`the plugin has no hook ${name}`);
    return hook(input, output);
  }

  bus(type: string, properties: object): Promise<unknown> {
    return this.call("event", { event: { type, properties } });
  }
}

/** pi as an extension sees it. */
export class FakePi {
  readonly sent: { readonly text: string; readonly options: unknown }[] = [];
  readonly notified: string[] = [];
  pending = false;
  readonly #handlers = new Map<string, (event: object, ctx: object) => unknown>();

  constructor() {
    const { start } = load(path.join(CLIENT, "pi.cjs")) as { start(given: object, api: object): void };
    start(settings(PI.events), {
      on: (event: string, handler: (event: object, ctx: object) => unknown) => this.#handlers.set(event, handler),
      sendUserMessage: (text: string, options: unknown) => this.sent.push({ text, options }),
    });
  }

  async emit(type: string, event: object = {}): Promise<unknown> {
    const handler = this.#handlers.get(type);
    if (!handler) throw new Error(`the extension does not handle ${type}`);
    return handler(
      { type, ...event },
      {
        cwd: "/home/dev/project",
        hasUI: true,
        ui: { notify: (text: string) => this.notified.push(text) },
        hasPendingMessages: () => this.pending,
        sessionManager: { getSessionId: () => "s1", getSessionFile: () => "/home/dev/.pi/agent/sessions/s1.jsonl" },
      },
    );
  }
}
