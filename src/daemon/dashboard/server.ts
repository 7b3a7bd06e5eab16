import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, HookwrightError } from "../../core/errors.ts";
import type { AtmEnvironment } from "../../domain/team/atm-paths.ts";
import type { Database } from "../../state/database.ts";
import type { DashboardActions } from "./actions.ts";
import type { NowPage } from "./api.ts";
import { Decisions } from "./decisions.ts";
import { EventStream } from "./event-stream.ts";
import { Gate } from "./http/gate.ts";
import { isOwnConnection } from "./http/peer-user.ts";
import { RequestError, redirect, send, sendError, sendOwnRequest, sendText } from "./http/replies.ts";
import { readStaticFiles, type StaticFile, staticFile } from "./http/static-files.ts";
import { NowBuilder } from "./now.ts";
import { answerApi, type RouteParts } from "./routes.ts";
import { StateFile } from "./state-file.ts";
import { Statistics } from "./statistics.ts";

const LOOPBACK = "127.0.0.1";
const MOST_CONNECTIONS = 100;
const PAGE_MS = 5_000;
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;

export interface DashboardOptions {
  readonly database: string;
  /** The file of the search index. */
  readonly search: string;
  /** The folder of the built pages. */
  readonly pages: string;
  /** 0: any free port. */
  readonly port: number;
  readonly uid: number;
  readonly actions: DashboardActions;
  readonly where: AtmEnvironment;
  /** Called when the token was used. */
  onEnter(): void;
  log(line: string): void;
}

export interface Dashboard {
  /** With the token, which works once. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Listens on the loopback only. Resolves once it is ready. */
export async function startDashboard(options: DashboardOptions): Promise<Dashboard> {
  const state = new StateFile(options.database);
  const now = new NowBuilder(options.actions);
  const stream = new EventStream({ state, now: pageIfChanged(state, now) });
  const parts: RouteParts = {
    ...options,
    state,
    now,
    stream,
    statistics: new Statistics(),
    decisions: new Decisions(options.search),
  };
  const files = readStaticFiles(options.pages);
  const server = http.createServer({ headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS });
  server.maxConnections = MOST_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, LOOPBACK, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const gate = new Gate(port);
  server.on("connection", (connection) => {
    if (isOwnConnection(connection.remotePort ?? 0, port, options.uid)) return;
    options.log(`refused a connection from port ${connection.remotePort}: it is another user's`);
    connection.destroy();
  });
  server.on("request", (request, response) => {
    answer(request, response, { gate, files, parts, onEnter: options.onEnter }).catch((error: unknown) =>
      fail(response, error, options),
    );
  });
  return {
    url: `http://${LOOPBACK}:${port}/?token=${gate.token}`,
    port,
    close() {
      stream.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed.finally(() => state.close());
    },
  };
}

/** What nobody has written about changes the page too, such as the age of a silent session; so it is made now and then. */
function pageIfChanged(state: StateFile, now: NowBuilder): (db: Database) => NowPage | undefined {
  let madeOf = -1;
  let madeAt = 0;
  return (db) => {
    const at = Date.now();
    const hasRead = now.readTranscripts(db, at);
    if (!hasRead && state.version === madeOf && at - madeAt < PAGE_MS) return undefined;
    madeOf = state.version;
    madeAt = at;
    return now.page(db, at);
  };
}

interface Parts {
  readonly gate: Gate;
  readonly files: ReadonlyMap<string, StaticFile>;
  readonly parts: RouteParts;
  onEnter(): void;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { gate, files, parts, onEnter }: Parts,
): Promise<void> {
  const base = `http://${LOOPBACK}`;
  if (!URL.canParse(request.url ?? "/", base)) return sendText(response, 400, "This is not an address.");
  const admission = gate.admit(request);
  if (admission.kind === "enter") {
    onEnter();
    return redirect(response, admission.location, admission.cookie);
  }
  const url = new URL(request.url ?? "/", base);
  const isApi = url.pathname.startsWith("/api/");
  if (admission.kind === "refused") {
    const { status, error } = admission;
    if (isApi) return sendError(response, status, error);
    const isLink = status === 401 && request.headers["sec-fetch-site"] === "cross-site";
    return isLink ? sendOwnRequest(response) : sendText(response, status, error);
  }
  if (isApi) {
    if (!(await answerApi(request, response, url, parts))) sendError(response, 404, `There is no ${url.pathname}.`);
    return;
  }
  const file = request.method === "POST" ? undefined : staticFile(files, url.pathname);
  if (file) send(response, 200, file.type, file.body);
  else sendText(response, 404, "There is no such page.");
}

/** One request fails, and the server goes on. */
function fail(response: ServerResponse, error: unknown, { log }: DashboardOptions): void {
  if (!(error instanceof RequestError) && !(error instanceof HookwrightError)) log(describe(error));
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const status = error instanceof RequestError ? error.status : error instanceof HookwrightError ? 409 : 500;
  const text = error instanceof HookwrightError ? `${error.message} ${error.fix}` : describe(error);
  sendError(response, status, text);
}
