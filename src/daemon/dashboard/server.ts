import http, { type IncomingMessage, type ServerResponse } from "node:http";
import https from "node:https";
import net, { type AddressInfo } from "node:net";
import { describe, HookwrightError } from "../../core/errors.ts";
import type { AtmEnvironment } from "../../domain/team/atm-paths.ts";
import type { Database } from "../../state/database.ts";
import type { DashboardActions } from "./actions.ts";
import type { NowPage } from "./api.ts";
import { Decisions } from "./decisions.ts";
import { EventStream } from "./event-stream.ts";
import type { Certificate } from "./http/certificate.ts";
import { type Gate, TokenGate } from "./http/gate.ts";
import { PairingGate } from "./http/pairing-gate.ts";
import { isOwnConnection } from "./http/peer-user.ts";
import {
  RequestError,
  readField,
  redirect,
  send,
  sendError,
  sendOwnRequest,
  sendPairingPage,
  sendText,
} from "./http/replies.ts";
import { readStaticFiles, type StaticFile, staticFile } from "./http/static-files.ts";
import { NowBuilder } from "./now.ts";
import { answerApi, type RouteParts } from "./routes.ts";
import { StateFile } from "./state-file.ts";
import { Statistics } from "./statistics.ts";

const LOOPBACK = "127.0.0.1";
const MOST_CONNECTIONS = 100;
const PAGE_MS = 5_000;
const LIMITS = { headersTimeout: 10_000, requestTimeout: 30_000 };

export interface DashboardOptions {
  readonly database: string;
  /** The file of the search index. */
  readonly search: string;
  /** The folder of the built pages. */
  readonly pages: string;
  /** 0: any free port. */
  readonly port: number;
  readonly uid: number;
  /** Also listens for other machines, at exactly this address. */
  readonly remote?: { readonly host: string; readonly port: number; readonly certificate: Certificate } | undefined;
  readonly actions: DashboardActions;
  readonly where: AtmEnvironment;
  /** The fleet's folder in our home. */
  readonly fleet: string;
  /** Called when the token was used. */
  onEnter(): void;
  log(line: string): void;
}

export interface Dashboard {
  /** With the token, which works once. */
  readonly url: string;
  readonly port: number;
  /** For another machine: the address, and the code that its person types there. */
  readonly remote?: { readonly url: string; readonly port: number; readonly code: string } | undefined;
  close(): Promise<void>;
}

/** Listens on the loopback, and elsewhere only where that is asked for. Resolves once it is ready. */
export async function startDashboard(options: DashboardOptions): Promise<Dashboard> {
  const state = new StateFile(options.database);
  const now = new NowBuilder(options.actions, options.fleet);
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
  const serve = (gate: Gate) => (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response, { gate, files, parts, onEnter: options.onEnter }).catch((error: unknown) =>
      fail(response, error, options),
    );
  };
  const server = http.createServer(LIMITS);
  const port = await listen(server, LOOPBACK, options.port);
  const gate = new TokenGate(port);
  server.on("connection", (connection) => {
    if (isOwnConnection(connection.remotePort ?? 0, port, options.uid)) return;
    options.log(`refused a connection from port ${connection.remotePort}: it is another user's`);
    connection.destroy();
  });
  server.on("request", serve(gate));
  const remote = options.remote && (await listenRemotely(options.remote, serve));
  return {
    url: `http://${LOOPBACK}:${port}/?token=${gate.token}`,
    port,
    remote,
    close() {
      stream.close();
      const servers = remote ? [server, remote.server] : [server];
      const closed = servers.map((one) => new Promise<void>((resolve) => one.close(() => resolve())));
      for (const one of servers) one.closeAllConnections();
      return Promise.all(closed).finally(() => state.close()) as Promise<never>;
    },
  };
}

async function listenRemotely(
  { host, port: wanted, certificate }: NonNullable<DashboardOptions["remote"]>,
  serve: (gate: Gate) => http.RequestListener,
) {
  const { key, cert } = certificate;
  const server = https.createServer({ ...LIMITS, key, cert, minVersion: "TLSv1.2" });
  const port = await listen(server, host, wanted);
  const name = net.isIPv6(host) ? `[${host}]` : host;
  const gate = new PairingGate(name, port, Date.now);
  server.on("request", serve(gate));
  return { url: `https://${name}:${port}/`, port, code: gate.code, server };
}

/** The port that it got. */
async function listen(server: http.Server | https.Server, host: string, port: number): Promise<number> {
  server.maxConnections = MOST_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
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
  if (admission.kind === "pair") return pair(request, response, admission.bringsCode, gate);
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

async function pair(
  request: IncomingMessage,
  response: ServerResponse,
  bringsCode: boolean,
  gate: Gate,
): Promise<void> {
  if (!bringsCode || !(gate instanceof PairingGate)) return sendPairingPage(response, "");
  const paired = gate.pair(await readField(request, "code"));
  if ("problem" in paired) sendPairingPage(response, paired.problem);
  else redirect(response, "/", paired.cookie);
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
