import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { ApiError } from "../api.ts";
import { PAIR_PATH } from "./pairing-gate.ts";

/** No script, style or picture from elsewhere, none inside the page, no frame around it, and no form that leads away. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const HEADERS: OutgoingHttpHeaders = {
  "Content-Security-Policy": CONTENT_POLICY,
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-store",
};

/** A request of an answer holds little: the largest is a configuration's path and a rule. */
const LARGEST_BODY = 64 * 1024;

/** A mistake in a request, which its sender is told. */
export class RequestError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, { ...HEADERS, "Content-Type": type, "Content-Length": Buffer.byteLength(body) });
  response.end(response.req.method === "HEAD" ? undefined : body);
}

export function sendJson(response: ServerResponse, value: unknown): void {
  send(response, 200, "application/json; charset=utf-8", JSON.stringify(value));
}

export function sendError(response: ServerResponse, status: number, error: string): void {
  const body: ApiError = { error };
  send(response, status, "application/json; charset=utf-8", JSON.stringify(body));
}

/** For a page: what was wrong, as text. */
export function sendText(response: ServerResponse, status: number, text: string): void {
  send(response, status, "text/plain; charset=utf-8", `${text}\n`);
}

/**
 * A link on another site leads here without the cookie, which browsers keep back then. The page loads itself once more,
 * which is a request of its own.
 */
export function sendOwnRequest(response: ServerResponse): void {
  const page = '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0"><title>Hookwright</title>';
  send(response, 401, "text/html; charset=utf-8", page);
}

export function redirect(response: ServerResponse, location: string, cookie: string): void {
  response.writeHead(303, { ...HEADERS, Location: location, ...(cookie === "" ? {} : { "Set-Cookie": cookie }) });
  response.end();
}

/** Headers of a stream; its parts are written one by one. */
export function beginStream(response: ServerResponse, type: string): void {
  response.writeHead(200, { ...HEADERS, "Content-Type": type });
  response.flushHeaders();
}

/** Asks for the code of a pairing gate. It is a plain form, which may be sent to ourselves only. */
export function sendPairingPage(response: ServerResponse, problem: string): void {
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Hookwright</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<h1>Hookwright</h1>${problem === "" ? "" : `<p role="alert">${problem}</p>`}
<form method="post" action="${PAIR_PATH}"><label>The code that the terminal shows:
<input name="code" inputmode="numeric" autocomplete="off" autofocus required></label> <button>Pair</button></form></html>
`;
  const policy = CONTENT_POLICY.replace("form-action 'none'", "form-action 'self'");
  // A browser that may tell nobody where it comes from would not send the origin of the form either.
  const own = { "Content-Security-Policy": policy, "Referrer-Policy": "same-origin" };
  const about = { "Content-Type": "text/html; charset=utf-8", "Content-Length": Buffer.byteLength(page) };
  response.writeHead(401, { ...HEADERS, ...own, ...about });
  response.end(response.req.method === "HEAD" ? undefined : page);
}

/** A field of a form. */
export async function readField(request: IncomingMessage, name: string): Promise<string> {
  return new URLSearchParams((await readBody(request)).toString("utf8")).get(name) ?? "";
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > LARGEST_BODY) throw new RequestError(413, `A request may have ${LARGEST_BODY} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export async function readJson(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const body = await readBody(request);
  let value: unknown;
  try {
    value = JSON.parse(body.toString("utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) throw new RequestError(400, "The body is not JSON.");
    throw error;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new RequestError(400, "The body should be a JSON object.");
  }
  return value as Readonly<Record<string, unknown>>;
}
