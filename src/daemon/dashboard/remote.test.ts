/** The dashboard as another machine reaches it: encrypted, by its own name, and after a code was typed. */
import fs from "node:fs";
import https from "node:https";
import net from "node:net";
import type { TLSSocket } from "node:tls";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Answer, DashboardWorld, type Sent } from "./dashboard.samples.ts";
import { makeCertificate } from "./http/certificate.ts";
import { PairingGate } from "./http/pairing-gate.ts";

const HOST = "127.0.0.1";
const certificate = makeCertificate(HOST, Date.now());
let world: DashboardWorld;
beforeEach(async () => {
  world = new DashboardWorld();
  fs.mkdirSync(world.pages);
  fs.writeFileSync(`${world.pages}/index.html`, "<!doctype html><script src=/app.js></script>");
  await world.start({}, { host: HOST, port: 0, certificate });
});
afterEach(() => world.dispose());

const remote = () => world.dashboard.remote ?? expect.fail("it does not listen for others");

function ask(
  path: string,
  { method = "GET", headers = {}, body }: Sent = {},
): Promise<Answer & { readonly seen: string }> {
  const { port } = remote();
  return new Promise((resolve, reject) => {
    const all = { host: `${HOST}:${port}`, ...headers };
    const options = {
      host: HOST,
      port,
      path,
      method,
      headers: all,
      ca: certificate.cert,
      servername: "",
      agent: false,
    };
    const request = https.request(options, (response) => {
      const seen = (response.socket as TLSSocket).getPeerX509Certificate()?.fingerprint256 ?? "";
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, seen });
      });
    });
    request.on("error", reject);
    request.end(body);
  });
}

function type(code: string, headers: Readonly<Record<string, string>> = {}) {
  const own = { origin: `https://${HOST}:${remote().port}`, "content-type": "application/x-www-form-urlencoded" };
  return ask("/pair", {
    method: "POST",
    headers: { ...own, ...headers },
    body: new URLSearchParams({ code }).toString(),
  });
}
const cookieOf = ({ headers }: Answer): string => String(headers["set-cookie"]?.[0] ?? "").split(";")[0] ?? "";

describe("another machine", () => {
  it("sees the certificate whose fingerprint is printed, and is asked for the code before anything else", async () => {
    const page = await ask("/?session=s1");
    expect([page.status, page.seen]).toEqual([401, certificate.fingerprint]);
    expect(page.text).toContain("The code that the terminal shows");
    expect(page.headers["content-security-policy"]).toContain("form-action 'self'");
    for (const path of ["/api/now", "/api/events"]) {
      const { status, text } = await ask(path);
      expect([path, status, text]).toEqual([path, 401, expect.stringContaining("not paired")]);
    }
    expect((await ask("/app.js")).text).not.toContain("start()");
  });

  it("gets in with the code, which works once, and may change things from then on", async () => {
    const paired = await type(remote().code.replace("-", " "));
    expect([paired.status, paired.headers.location]).toEqual([303, "/"]);
    expect(paired.headers["set-cookie"]?.[0]).toMatch(
      /^hookwright_\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Secure$/,
    );
    const cookie = cookieOf(paired);
    expect((await ask("/api/now", { headers: { cookie } })).status).toBe(200);
    const headers = { cookie, origin: `https://${HOST}:${remote().port}`, "content-type": "application/json" };
    expect((await ask("/api/approvals/1", { method: "POST", headers, body: '{"answer":"yes"}' })).status).toBe(409);
    expect([(await type(remote().code)).status, cookieOf(await type(remote().code))]).toEqual([401, ""]);
  });

  it("may mistype the code a few times, and then not even the right one helps", async () => {
    const wrong = remote().code === "0000-0000" ? "1111-1111" : "0000-0000";
    for (const left of [4, 3, 2, 1]) expect((await type(wrong)).text).toContain(`tried ${left} more times`);
    await type("");
    const late = await type(remote().code);
    expect([late.status, cookieOf(late), late.text]).toEqual([
      401,
      "",
      expect.stringContaining("does not work any more"),
    ]);
  });

  it.each([
    ["another name", { host: "rebound.example" }, 403],
    ["the name without the port", { host: HOST }, 403],
    ["another origin", { origin: "https://evil.example" }, 403],
    ["the page of another site", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" }, 403],
  ])("does not pair under %s, and the code is not used up", async (_name, headers, status) => {
    expect((await type(remote().code, headers)).status).toBe(status);
    expect((await type(remote().code)).status).toBe(303);
  });

  it("gets in with neither the token nor the cookie of this machine's own browser", async () => {
    const { search } = new URL(world.dashboard.url);
    expect(cookieOf(await ask(`/${search}`))).toBe("");
    await world.enter();
    expect((await ask("/api/now", { headers: { cookie: world.cookie } })).status).toBe(401);
  });

  it("is answered in nothing but TLS", async () => {
    const said = await new Promise<string>((resolve) => {
      const socket = net.connect(remote().port, HOST, () => socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk.toString("latin1");
      });
      socket.on("error", () => resolve(text));
      socket.on("close", () => resolve(text));
    });
    expect(said).not.toContain("HTTP/1.1 2");
    expect(said).not.toContain("Hookwright");
  });
});

it("a code is too old after five minutes", () => {
  let now = 0;
  const gate = new PairingGate("box.local", 4443, () => now);
  now = 5 * 60_000 + 1;
  expect(gate.pair(gate.code)).toEqual({ problem: expect.stringContaining("older than five minutes") });
  now = 0;
  expect(gate.pair(gate.code)).toHaveProperty("cookie");
});
