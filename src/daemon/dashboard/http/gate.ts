import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** What may be done with a request. `enter` brings a token: it is answered with the cookie and sent on without it. */
export type Admission =
  | { readonly kind: "in" }
  | { readonly kind: "enter"; readonly cookie: string; readonly location: string }
  | { readonly kind: "refused"; readonly status: 401 | 403 | 405 | 415; readonly error: string };

const SECRET_BYTES = 32;
const START_AGAIN = "Run `hookwright dashboard` again for a new address.";

/** Decides who gets in: one browser, which brings the token once and keeps a cookie from then on. */
export class Gate {
  readonly token = secret();
  readonly #port: number;
  readonly #cookie = secret();
  #isUsed = false;

  constructor(port: number) {
    this.#port = port;
  }

  admit(request: IncomingMessage): Admission {
    const { method = "", headers } = request;
    const host = headers.host ?? "";
    if (!this.#hosts.includes(host)) return refused(403, `This server does not answer for the host \`${host}\`.`);
    const isRead = method === "GET" || method === "HEAD";
    if (!isRead && method !== "POST") return refused(405, `${method} is not a method of this server.`);
    const origin = headers.origin;
    if (origin !== undefined ? origin !== `http://${host}` : !isRead) {
      return refused(403, "Only the dashboard's own pages may send requests.");
    }
    // Browsers say where a request comes from. A page elsewhere may lead here, and may not load anything.
    const isElsewhere = ["cross-site", "same-site"].includes(String(headers["sec-fetch-site"]));
    if (isElsewhere && headers["sec-fetch-mode"] !== "navigate") return refused(403, "This request is another site's.");
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const token = url.searchParams.get("token");
    if (token !== null && isRead) return this.#enter(token, url, headers.cookie);
    if (!this.#hasCookie(headers.cookie))
      return refused(401, `The cookie of this dashboard is missing. ${START_AGAIN}`);
    if (!isRead && !isJson(headers["content-type"])) return refused(415, "Send JSON.");
    return { kind: "in" };
  }

  get #hosts(): readonly string[] {
    return [`127.0.0.1:${this.#port}`, `localhost:${this.#port}`];
  }

  #enter(token: string, url: URL, cookies: string | undefined): Admission {
    url.searchParams.delete("token");
    const location = url.pathname.replace(/^\/+/, "/") + url.search;
    if (!this.#isUsed && isSame(token, this.token)) {
      this.#isUsed = true;
      // Cookies are shared by all ports of a host, so the name holds the port.
      const cookie = `${this.#name}=${this.#cookie}; HttpOnly; SameSite=Strict; Path=/`;
      return { kind: "enter", cookie, location };
    }
    if (this.#hasCookie(cookies)) return { kind: "enter", cookie: "", location };
    return refused(401, `This address was used already, or its token is wrong. ${START_AGAIN}`);
  }

  get #name(): string {
    return `hookwright_${this.#port}`;
  }

  #hasCookie(header: string | undefined): boolean {
    const pairs = (header ?? "").split(";").map((pair) => pair.trim());
    return pairs.some(
      (pair) => pair.startsWith(`${this.#name}=`) && isSame(pair.slice(this.#name.length + 1), this.#cookie),
    );
  }
}

function secret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}

/** Takes the same time wherever the two differ; the hashes have one length. */
function isSame(given: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(right));
}

function isJson(type: string | undefined): boolean {
  return /^application\/json\s*(?:;|$)/i.test(type ?? "");
}

function refused(status: 401 | 403 | 405 | 415, error: string): Admission {
  return { kind: "refused", status, error };
}
