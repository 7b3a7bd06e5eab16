import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/**
 * What may be done with a request. `enter` brings a token: it is answered with the cookie and sent on without it. `pair`
 * is asked for the pairing code, or brings it.
 */
export type Admission =
  | { readonly kind: "in" }
  | { readonly kind: "enter"; readonly cookie: string; readonly location: string }
  | { readonly kind: "pair"; readonly bringsCode: boolean }
  | { readonly kind: "refused"; readonly status: 401 | 403 | 405 | 415; readonly error: string };

/** Decides who gets in. */
export interface Gate {
  admit(request: IncomingMessage): Admission;
}

const SECRET_BYTES = 32;
const START_AGAIN = "Run `hookwright dashboard` again for a new address.";

/** For this machine: one browser, which brings the token once and keeps a cookie from then on. */
export class TokenGate implements Gate {
  readonly token = secret();
  readonly #hosts: readonly string[];
  readonly #cookie: Cookie;
  #isUsed = false;

  constructor(port: number) {
    this.#hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
    this.#cookie = new Cookie(port, "");
  }

  admit(request: IncomingMessage): Admission {
    const { headers } = request;
    const foreign = foreignRequest(request, this.#hosts, "http");
    if (foreign) return foreign;
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const token = url.searchParams.get("token");
    if (token !== null && isRead(request)) return this.#enter(token, url, headers.cookie);
    if (!this.#cookie.isIn(headers.cookie)) {
      return refused(401, `The cookie of this dashboard is missing. ${START_AGAIN}`);
    }
    return changesByJson(request);
  }

  #enter(token: string, url: URL, cookies: string | undefined): Admission {
    url.searchParams.delete("token");
    const location = url.pathname.replace(/^\/+/, "/") + url.search;
    if (!this.#isUsed && isSame(token, this.token)) {
      this.#isUsed = true;
      return { kind: "enter", cookie: this.#cookie.text, location };
    }
    if (this.#cookie.isIn(cookies)) return { kind: "enter", cookie: "", location };
    return refused(401, `This address was used already, or its token is wrong. ${START_AGAIN}`);
  }
}

/** A secret that one browser keeps; it is in our memory only. */
export class Cookie {
  /** What the browser is sent. */
  readonly text: string;
  readonly #name: string;
  readonly #value = secret();

  constructor(port: number, attributes: string) {
    // Cookies are shared by all ports of a host, so the name holds the port.
    this.#name = `hookwright_${port}`;
    this.text = `${this.#name}=${this.#value}; HttpOnly; SameSite=Strict; Path=/${attributes}`;
  }

  isIn(header: string | undefined): boolean {
    const pairs = (header ?? "").split(";").map((pair) => pair.trim());
    const start = `${this.#name}=`;
    return pairs.some((pair) => pair.startsWith(start) && isSame(pair.slice(start.length), this.#value));
  }
}

/** Why a request is not one of our own pages; undefined for one that may be. */
export function foreignRequest(
  request: IncomingMessage,
  hosts: readonly string[],
  scheme: "http" | "https",
): Admission | undefined {
  const { method = "", headers } = request;
  const host = headers.host ?? "";
  if (!hosts.includes(host)) return refused(403, `This server does not answer for the host \`${host}\`.`);
  if (!isRead(request) && method !== "POST") return refused(405, `${method} is not a method of this server.`);
  const origin = headers.origin;
  if (origin !== undefined ? origin !== `${scheme}://${host}` : !isRead(request)) {
    return refused(403, "Only the dashboard's own pages may send requests.");
  }
  // Browsers say where a request comes from. A page elsewhere may lead here, and may not load anything.
  const isElsewhere = ["cross-site", "same-site"].includes(String(headers["sec-fetch-site"]));
  if (isElsewhere && headers["sec-fetch-mode"] !== "navigate") return refused(403, "This request is another site's.");
  return undefined;
}

/** For a request with the cookie: a change is JSON, which no form of another site can send. */
export function changesByJson(request: IncomingMessage): Admission {
  const isJson = /^application\/json\s*(?:;|$)/i.test(request.headers["content-type"] ?? "");
  return isRead(request) || isJson ? { kind: "in" } : refused(415, "Send JSON.");
}

export function isRead({ method }: IncomingMessage): boolean {
  return method === "GET" || method === "HEAD";
}

function secret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}

/** Takes the same time wherever the two differ; the hashes have one length. */
export function isSame(given: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(right));
}

export function refused(status: 401 | 403 | 405 | 415, error: string): Admission {
  return { kind: "refused", status, error };
}
