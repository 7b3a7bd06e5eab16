/** A scripted stand-in for the Messages API on loopback. It decides nothing; it says its lines and remembers. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type MessagesBody, type ModelRequest, type Purpose, purposeOf, valueFor } from "./model-requests.ts";
import {
  type DetailedTurn,
  detailed,
  type ModelScript,
  messageFor,
  streamedMessage,
  wholeMessage,
} from "./model-script.ts";

const EXHAUSTED = "The script has no turn left.";

interface ChosenTurn {
  readonly turn: DetailedTurn;
  readonly scripted: boolean;
}

export class FakeModel {
  readonly requests: ModelRequest[] = [];
  /** Mistakes of the script or of this server. They must fail the test rather than look like an API error. */
  readonly failures: unknown[] = [];
  readonly #script: ModelScript;
  readonly #taken = new Map<string, number>();
  readonly #server: Server;
  #serial = 0;

  private constructor(script: ModelScript) {
    this.#script = script;
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((failure: unknown) => {
        this.failures.push(failure);
        response.destroy();
      });
    });
  }

  static async start(script: ModelScript): Promise<FakeModel> {
    const model = new FakeModel(script);
    await new Promise<void>((resolve, reject) => {
      model.#server.once("error", reject);
      model.#server.listen(0, "127.0.0.1", resolve);
    });
    return model;
  }

  get baseUrl(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  /** The requests that belong to one conversation, without the client's own side requests. */
  conversation(queue = "main"): ModelRequest[] {
    return this.requests.filter(({ purpose }) => purpose.kind === "turn" && purpose.queue === queue);
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? "/", this.baseUrl).pathname;
    if (request.method === "HEAD") {
      response.writeHead(200).end();
      return;
    }
    const body = await readBody(request);
    if (request.method === "POST" && path === "/v1/messages/count_tokens") {
      sendJson(response, 200, { input_tokens: 10 });
    } else if (request.method === "POST" && path === "/v1/messages") {
      const agentId = request.headers["x-claude-code-agent-id"];
      await this.#answer(JSON.parse(body) as MessagesBody, agentId?.toString(), response);
    } else {
      sendJson(response, 404, { type: "error", error: { type: "not_found_error", message: path } });
    }
  }

  async #answer(body: MessagesBody, agentId: string | undefined, response: ServerResponse): Promise<void> {
    const purpose = purposeOf(body, agentId);
    const { turn, scripted } = this.#choose(purpose);
    this.requests.push({ purpose, body, scripted });
    await turn.before?.();
    if (turn.delayMs !== undefined) await sleep(turn.delayMs);
    if (turn.error !== undefined) {
      const { status, type, message } = turn.error;
      sendJson(response, status, { type: "error", error: { type, message } });
      return;
    }
    this.#serial += 1;
    const message = messageFor(turn, body.model, this.#serial, this.requests);
    if (body.stream !== true) {
      sendJson(response, 200, wholeMessage(message));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    for (const event of streamedMessage(message)) {
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    }
    response.end();
  }

  #choose(purpose: Purpose): ChosenTurn {
    switch (purpose.kind) {
      case "turn":
        return this.#nextTurn(purpose.queue);
      case "structured-side":
        return { turn: { say: JSON.stringify(valueFor(purpose.schema)) }, scripted: true };
      case "compaction":
        return { turn: detailed(this.#script.compaction ?? "Summary: nothing of note."), scripted: true };
      default:
        return { turn: detailed(this.#script.side ?? "ok"), scripted: true };
    }
  }

  #nextTurn(queue: string): ChosenTurn {
    const turns = queue === "main" ? this.#script.main : this.#script.queues?.[queue];
    const position = this.#taken.get(queue) ?? 0;
    this.#taken.set(queue, position + 1);
    const turn = turns?.[position];
    return { turn: detailed(turn ?? this.#script.whenExhausted ?? EXHAUSTED), scripted: turn !== undefined };
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
