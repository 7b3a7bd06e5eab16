import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { HookwrightError } from "../../../core/errors.ts";

const PATIENCE_MS = 10_000;
const LARGEST_SECRET = 64 * 1024;

/** Sends JSON, and throws for any answer but a success, so that the job is tried again. */
export async function post(
  address: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  what: string,
): Promise<void> {
  const url = new URL(address);
  const login = loginOf(url);
  // The rest of an address may be a secret, and the text of an error is stored.
  const to = `${what} ${url.origin}`;
  let response: Response;
  try {
    response = await fetch(url, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...login, ...headers },
      // What is meant for one address is for no other.
      redirect: "manual",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  } catch (error) {
    throw new HookwrightError("HW_NOT_SENT", { to, detail: reasonOf(error) });
  }
  await response.body?.cancel();
  if (!response.ok) throw new HookwrightError("HW_NOT_SENT", { to, detail: `it answered ${response.status}` });
}

/** A request with a login in its address is refused by \`fetch\`, so the login becomes a header. */
function loginOf(url: URL): Record<string, string> {
  const { username, password } = url;
  if (username === "" && password === "") return {};
  url.username = "";
  url.password = "";
  const login = [username, password].map(decodeURIComponent).join(":");
  return { authorization: `Basic ${Buffer.from(login).toString("base64")}` };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "it cannot be reached";
  if (error.name === "TimeoutError") return `it did not answer within ${PATIENCE_MS / 1000} seconds`;
  const { cause } = error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return code === "" ? "it cannot be reached" : `it cannot be reached (${code})`;
}

/** The text of a file of the person that holds a secret. */
export function readSecret(file: string, what: string): string {
  const full = file.startsWith("~/") ? path.join(os.homedir(), file.slice(2)) : file;
  try {
    if (!path.isAbsolute(full)) throw new Error("the name is relative");
    const { size } = fs.statSync(full);
    const text = size > LARGEST_SECRET ? "" : fs.readFileSync(full, "utf8").trim();
    if (text !== "") return text;
    throw new Error(size === 0 ? "it is empty" : "it holds no key");
  } catch (error) {
    const detail = error instanceof Error ? error.message : "it cannot be read";
    throw new HookwrightError("HW_NOT_SENT", { to: what, detail: `${file}: ${detail}` });
  }
}
