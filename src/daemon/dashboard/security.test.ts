/** One browser gets in, and only our own pages may ask anything. */
import { execFile } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ordinaryUser } from "../../../test/support/privileges.ts";
import { DashboardWorld } from "./dashboard.samples.ts";

let world: DashboardWorld;
beforeEach(async () => {
  world = new DashboardWorld();
  world.add({ session: "s1", body: '{"tool_input":{"command":"ls"}}' });
  fs.mkdirSync(world.pages);
  fs.writeFileSync(`${world.pages}/index.html`, "<!doctype html><script src=/main.js></script>");
  fs.writeFileSync(`${world.pages}/main.js`, "start()");
  await world.start();
});
afterEach(() => world.dispose());

describe("the token", () => {
  it("becomes a cookie that no script and no other site can use, and leaves the address", async () => {
    const { status, headers } = await world.enter();
    expect([status, headers.location]).toEqual([303, "/"]);
    expect(headers["set-cookie"]?.[0]).toMatch(/^hookwright_\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/);
    expect(world.cookie).not.toContain(new URL(world.dashboard.url).searchParams.get("token"));
    expect((await world.ask("/api/now")).status).toBe(200);
  });

  it("works once", async () => {
    await world.enter();
    const { pathname, search } = new URL(world.dashboard.url);
    const again = await world.ask(pathname + search, { headers: { cookie: "" } });
    expect([again.status, again.headers["set-cookie"]]).toEqual([401, undefined]);
    expect(again.text).toContain("hookwright dashboard");
    // Who is in already may come back to the address, and gets no second cookie.
    const back = await world.ask(pathname + search);
    expect([back.status, back.headers["set-cookie"]]).toEqual([303, undefined]);
  });

  it.each(["", "x", "%00", "A".repeat(43)])("is not %j", async (token) => {
    expect((await world.ask(`/?token=${token}`)).status).toBe(401);
    expect((await world.enter()).status).toBe(303);
  });

  it("leads to no other host", async () => {
    const token = new URL(world.dashboard.url).searchParams.get("token");
    const { status, headers } = await world.ask(`//evil.example//x?token=${token}&session=a`);
    expect([status, headers.location]).toEqual([303, "/x?session=a"]);
  });
});

describe("without the cookie", () => {
  it.each(["/", "/main.js", "/api/now", "/api/decisions", "/api/decisions/1", "/api/events", "/nothing"])(
    "%s tells nothing",
    async (path) => {
      const { status, text } = await world.ask(path);
      expect(status).toBe(401);
      expect(text).not.toContain("start()");
      expect(text).not.toContain("s1");
    },
  );

  it("nothing changes", async () => {
    const { status } = await world.post("/api/decisions/1/false-alarm", { isFalseAlarm: true });
    expect(status).toBe(401);
    expect(world.db.all("SELECT * FROM false_alarms")).toEqual([]);
  });

  it("a link on another site loads the page once more, as a request of our own", async () => {
    await world.enter();
    const headers = { cookie: "", "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
    const { status, text } = await world.ask("/decisions?ruling=deny", { headers });
    expect(status).toBe(401);
    expect(text).toContain('http-equiv="refresh" content="0"');
  });
});

describe("with the cookie", () => {
  beforeEach(() => world.enter());

  it.each([
    "evil.example",
    "127.0.0.1",
    "127.0.0.1:1",
    "evil.example:PORT",
    "127.0.0.1.evil.example:PORT",
    "[::1]:PORT",
  ])("the host %s is refused", async (host) => {
    const { status, text } = await world.ask("/api/now", {
      headers: { host: host.replace("PORT", String(world.dashboard.port)) },
    });
    expect(status).toBe(403);
    expect(text).not.toContain("s1");
  });

  it("localhost is a host of ours", async () => {
    const host = `localhost:${world.dashboard.port}`;
    expect((await world.ask("/api/now", { headers: { host } })).status).toBe(200);
  });

  it.each(["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:PORT", "http://localhost:PORT"])(
    "the origin %s may neither read nor change",
    async (given) => {
      const origin = given.replace("PORT", String(world.dashboard.port));
      expect((await world.ask("/api/now", { headers: { origin } })).status).toBe(403);
      expect((await world.post("/api/decisions/1/false-alarm", { isFalseAlarm: true }, { origin })).status).toBe(403);
      expect(world.db.all("SELECT * FROM false_alarms")).toEqual([]);
    },
  );

  it.each(["cross-site", "same-site"])("a page that is %s loads nothing, not even a script", async (site) => {
    const headers = { "sec-fetch-site": site, "sec-fetch-mode": "no-cors" };
    expect((await world.ask("/main.js", { headers })).status).toBe(403);
  });

  it("a change needs an origin, JSON and a small body", async () => {
    const path = "/api/decisions/1/false-alarm";
    const origin = `http://127.0.0.1:${world.dashboard.port}`;
    const body = '{"isFalseAlarm":true}';
    const json = { "content-type": "application/json" };
    expect((await world.ask(path, { method: "POST", headers: json, body })).status).toBe(403);
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonx"]) {
      const headers = { origin, "content-type": type };
      expect((await world.ask(path, { method: "POST", headers, body })).status, type).toBe(415);
    }
    expect((await world.post(path, { isFalseAlarm: true, more: "x".repeat(70_000) })).status).toBe(413);
    expect((await world.ask(path, { method: "POST", headers: { origin, ...json }, body: "[1]" })).status).toBe(400);
    expect((await world.ask(path, { method: "PUT", headers: { origin, ...json }, body })).status).toBe(405);
    expect(world.db.all("SELECT * FROM false_alarms")).toEqual([]);
    expect((await world.post(path, { isFalseAlarm: true })).status).toBe(200);
    expect(world.db.all("SELECT journal FROM false_alarms")).toEqual([{ journal: 1 }]);
  });

  it.each([
    "/../state.db",
    "/..%2fstate.db",
    "/%2e%2e/state.db",
    "/assets/../../state.db",
    "/..\\state.db",
    "//etc/passwd.txt",
    "/main.js%00.html",
    "/api/../../state.db",
  ])("the path %s reaches no file", async (path) => {
    const { text } = await world.ask(path);
    expect(text).not.toContain("SQLite");
    expect(text).not.toContain("root:");
    expect(text).not.toContain("start()");
  });

  it("every answer forbids scripts from elsewhere, frames and guesses of its type", async () => {
    for (const path of ["/", "/main.js", "/api/now", "/nothing.png"]) {
      const { headers } = await world.ask(path);
      expect(headers["content-security-policy"], path).toContain("default-src 'none'; script-src 'self'");
      expect(headers["content-security-policy"], path).not.toMatch(/unsafe|http|\*/);
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["cache-control"]).toBe("no-store");
      expect(headers["access-control-allow-origin"]).toBeUndefined();
    }
  });

  it.each([
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "\u001b]0;title\u0007\u001b[2J",
    "\u202Eabc",
  ])("%j in a command, prompt, file name or branch stays a text of JSON", async (text) => {
    world.add({ session: text, tool: text, body: JSON.stringify({ tool_input: { command: `git switch ${text}` } }) });
    world.add({ event: "prompt.submit", tool: "", body: JSON.stringify({ prompt: text }), reason: text });
    world.add({ tool: "Write", body: JSON.stringify({ tool_input: { file_path: `/p/${text}` } }), project: text });
    for (const path of [
      "/api/now",
      "/api/decisions",
      "/api/decisions/2",
      `/api/timeline?session=${encodeURIComponent(text)}`,
    ]) {
      const { status, headers, text: answer } = await world.ask(path);
      expect([path, status, headers["content-type"]]).toEqual([path, 200, "application/json; charset=utf-8"]);
      expect(answer).not.toContain("\u001b");
      expect(() => JSON.parse(answer)).not.toThrow();
    }
    const missing = await world.ask(`/api/${encodeURIComponent(text)}`);
    expect([missing.status, missing.headers["content-type"]]).toEqual([404, "application/json; charset=utf-8"]);
  });

  it.skipIf(ordinaryUser === undefined)(
    "another user of the machine reaches nothing, even with the cookie",
    async () => {
      const { port } = world.dashboard;
      const script = `fetch("http://127.0.0.1:${port}/api/now", { headers: { cookie: ${JSON.stringify(world.cookie)} } })
      .then(async (answer) => console.log(answer.status, await answer.text()), () => console.log("refused"))`;
      const run = (owner: object): Promise<string> =>
        new Promise((resolve) =>
          execFile(process.execPath, ["-e", script], { cwd: "/", ...owner }, (_error, stdout) => resolve(stdout)),
        );
      expect(await run({})).toContain("200");
      expect(await run({ uid: ordinaryUser, gid: ordinaryUser })).toBe("refused\n");
      expect(world.logged.join()).toContain("another user's");
    },
  );

  it("listens on the loopback only", async () => {
    const refusal = await new Promise((resolve) => {
      const socket = net.connect(world.dashboard.port, "127.0.0.2");
      socket.on("connect", () => resolve("connected"));
      socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code));
    });
    expect(refusal).toBe("ECONNREFUSED");
  });
});
