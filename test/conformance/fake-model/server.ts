/** A scripted model on loopback for every agent: whichever service it is asked as, it says the same turns. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { chatCompletions } from "./chat-completions.ts";
import { gemini } from "./gemini.ts";
import { messages } from "./messages.ts";
import type { Answer, ModelTurn, Protocol, RequestBody } from "./protocol.ts";
import { responses } from "./responses.ts";

const PROTOCOLS: readonly Protocol[] = [responses, chatCompletions, gemini, messages];
/** Said when no turn is left, and to a request without tools, by which agents ask for titles and summaries. */
const OVER = "Nothing is left to do.";

export class FakeModel {
  /** The bodies of the requests that took a turn of the script or came after its end, in order. */
  readonly requests: string[] = [];
  /** Mistakes of the script or of this server, which must fail the scenario rather than look like an error of a service. */
  readonly failures: unknown[] = [];
  readonly #turns: readonly ModelTurn[];
  readonly #server: Server;
  #serial = 0;

  private constructor(turns: readonly ModelTurn[]) {
    this.#turns = turns;
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((failure: unknown) => {
        this.failures.push(failure);
        response.destroy();
      });
    });
  }

  static async start(turns: readonly ModelTurn[]): Promise<FakeModel> {
    const model = new FakeModel(turns);
    await new Promise<void>((resolve, reject) => {
      model.#server.once("error", reject);
      model.#server.listen(0, "127.0.0.1", resolve);
    });
    return model;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  /** The next request takes the first turn again, as if nothing had been asked. */
  rewind(): void {
    this.requests.length = 0;
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? "/", this.url).pathname;
    const text = await readText(request);
    const protocol = request.method === "POST" ? PROTOCOLS.find((one) => one.isTurn(path)) : undefined;
    if (protocol === undefined) {
      // Lists of models, counts of tokens and probes: an agent goes on without them.
      sendJson(response, request.method === "HEAD" ? 200 : 404, { error: { message: `no ${path}` } });
      return;
    }
    const body = JSON.parse(text) as RequestBody;
    this.#serial += 1;
    send(response, protocol.answer(this.#nextTurn(body, text), { path, body }, this.#serial));
  }

  #nextTurn(body: RequestBody, text: string): ModelTurn {
    if ((body.tools ?? []).length === 0) return OVER;
    this.requests.push(text);
    return this.#turns[this.requests.length - 1] ?? OVER;
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function send(response: ServerResponse, answer: Answer): void {
  if ("json" in answer) {
    sendJson(response, 200, answer.json);
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const { type, data } of answer.events) {
    const line = typeof data === "string" ? data : JSON.stringify(data);
    response.write(`${type === undefined ? "" : `event: ${type}\n`}data: ${line}\n\n`);
  }
  response.end();
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
