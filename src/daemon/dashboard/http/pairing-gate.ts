import { randomInt } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type Admission, Cookie, changesByJson, foreignRequest, type Gate, isRead, isSame, refused } from "./gate.ts";

const DIGITS = 8;
const MOST_TRIES = 5;
const VALID_MS = 5 * 60_000;
const START_AGAIN = "Run `hookwright dashboard` with `--listen` again for a new code.";

export const PAIR_PATH = "/pair";

/** For another machine: one browser, whose person types the code that the terminal shows. */
export class PairingGate implements Gate {
  /** To be typed, such as `1234-5678`. */
  readonly code: string;
  readonly #hosts: readonly string[];
  readonly #cookie: Cookie;
  readonly #now: () => number;
  readonly #until: number;
  #triesLeft = MOST_TRIES;

  /** `host` as in an address, with brackets around an IPv6 address. */
  constructor(host: string, port: number, now: () => number) {
    // Browsers leave the usual port out.
    this.#hosts = [`${host}:${port}`, ...(port === 443 ? [host] : [])];
    this.#cookie = new Cookie(port, "; Secure");
    this.#now = now;
    this.#until = now() + VALID_MS;
    const digits = String(randomInt(10 ** DIGITS)).padStart(DIGITS, "0");
    this.code = `${digits.slice(0, DIGITS / 2)}-${digits.slice(DIGITS / 2)}`;
  }

  admit(request: IncomingMessage): Admission {
    const foreign = foreignRequest(request, this.#hosts, "https");
    if (foreign) return foreign;
    if (this.#cookie.isIn(request.headers.cookie)) return changesByJson(request);
    const { pathname } = new URL(request.url ?? "/", "https://127.0.0.1");
    if (!isRead(request) && pathname === PAIR_PATH) return { kind: "pair", bringsCode: true };
    if (!isRead(request) || pathname.startsWith("/api/")) return refused(401, "This browser is not paired.");
    return { kind: "pair", bringsCode: false };
  }

  /** The cookie for the right code, else what is wrong. The code works once, for a few minutes, and bears few mistakes. */
  pair(given: string): { readonly cookie: string } | { readonly problem: string } {
    if (this.#triesLeft <= 0) return { problem: `The code does not work any more. ${START_AGAIN}` };
    if (this.#now() > this.#until) return { problem: `The code is older than five minutes. ${START_AGAIN}` };
    this.#triesLeft--;
    const plain = (text: string): string => text.replace(/[\s-]/g, "");
    if (!isSame(plain(given), plain(this.code))) {
      const left = this.#triesLeft === 0 ? START_AGAIN : `It may be tried ${this.#triesLeft} more times.`;
      return { problem: `This is not the code. ${left}` };
    }
    this.#triesLeft = 0;
    return { cookie: this.#cookie.text };
  }
}
