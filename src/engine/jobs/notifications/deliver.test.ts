/** Every sink with a real receiver: servers on the loopback, a real tmux, a program in the place of the desktop's. */
import { execFileSync, spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compileConfig } from "../../../config/compile.ts";
import type { Json } from "../../../core/event.ts";
import { policy as definePolicy } from "../../../core/policy.ts";
import { DELIVER_JOB, type JobSink, type Notification } from "../../../domain/notifications/notification.ts";
import { EXPORT_SPANS_JOB } from "../../../domain/notifications/spans.ts";
import { Database } from "../../../state/database.ts";
import { addJob, summarizeJobs } from "../../../state/jobs.ts";
import { system } from "../../../system/system.ts";
import { claudeEvent, shell, toolAfter } from "../../../testing/events.ts";
import { createSandbox } from "../../../testing/sandbox.ts";
import { runDueJobs } from "../run-jobs.ts";

let home: string;
let db: Database;
let server: http.Server;
let requests: { readonly url: string; readonly headers: http.IncomingHttpHeaders; readonly body: string }[];
/** The codes of the next answers; after them every answer is a success. */
let answers: number[];
beforeEach(async () => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), "hwn-"));
  db = new Database(path.join(home, "state.db"), 50);
  requests = [];
  answers = [];
  server = http.createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => {
      body += part;
    });
    request.on("end", () => {
      requests.push({ url: request.url ?? "", headers: request.headers, body });
      const code = answers.shift() ?? 200;
      response.writeHead(code, code === 302 ? { location: "/elsewhere" } : {}).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  db.close();
  fs.rmSync(home, { recursive: true, force: true });
});

const port = (): number => (server.address() as AddressInfo).port;
const configure = (notifications: object): void =>
  fs.writeFileSync(path.join(home, "config.yml"), JSON.stringify({ notifications }));
const environment = (more: Record<string, string> = {}): Record<string, string> => ({
  PATH: process.env.PATH ?? "",
  HOME: home,
  TERM: "xterm-256color",
  ...more,
});

const notification: Notification = {
  id: "1f2e",
  kind: "waiting",
  text: "claude-code in app: it needs an answer",
  agent: "claude-code",
  session: "s",
  project: "/home/dev/app",
  at: Date.UTC(2026, 10, 19, 12),
};
const send = (sink: JobSink, env = environment(), about: Partial<Notification> = {}): number =>
  addJob(db, DELIVER_JOB, { sink, notification: { ...notification, ...about } }, env, 0);
/** Runs what is due, by a clock that may be ahead. */
const run = (later = 0): Promise<number> =>
  runDueJobs(db, { ...system, now: () => Date.now() + later }, { compileConfig, build: () => "b1" });
const errors = (): string[] => db.all("SELECT error FROM jobs").map(({ error }) => String(error));

describe("a webhook", () => {
  const secretFile = (): string => path.join(home, "key");
  const webhook = (login = ""): void => {
    fs.writeFileSync(secretFile(), "k3y\n", { mode: 0o600 });
    configure({ webhook: { url: `http://${login}127.0.0.1:${port()}/hook/T0K3N`, secretFile: secretFile() } });
  };

  it("gets the notification with a signature that its receiver can check", async () => {
    webhook();
    send("webhook");
    await run();
    const [{ url, headers, body } = expect.fail("no request")] = requests;
    expect(url).toBe("/hook/T0K3N");
    expect(JSON.parse(body)).toEqual(notification);
    const time = headers["x-hookwright-timestamp"];
    const signature = createHmac("sha256", "k3y")
      .update(`${String(time)}.${body}`)
      .digest("hex");
    expect(headers["x-hookwright-signature"]).toBe(`sha256=${signature}`);
    expect(headers["x-hookwright-id"]).toBe(notification.id);
    expect(Math.abs(Number(time) - Date.now() / 1000)).toBeLessThan(60);
    expect(errors()).toEqual([""]);
  });

  it("is tried again after a pause, with the same id, until it takes the notification", async () => {
    webhook();
    answers = [500, 503];
    send("webhook");
    expect(await run()).toBe(1);
    expect(await run()).toBe(0);
    expect(await run(5_000)).toBe(1);
    expect(await run(60_000)).toBe(1);
    expect(await run(600_000)).toBe(0);
    expect(requests.map(({ headers }) => headers["x-hookwright-id"])).toEqual(Array(3).fill(notification.id));
    expect(summarizeJobs(db)).toEqual({ open: 0, failed: [] });
  });

  it("is given up after five tries, and the error has nothing of the address but its origin", async () => {
    webhook("me:pass-w0rd@");
    answers = [500, 500, 500, 500, 500];
    send("webhook");
    for (const later of [0, 1e4, 1e5, 1e6, 1e7, 1e8]) await run(later);
    expect(requests).toHaveLength(5);
    const { open, failed } = summarizeJobs(db);
    expect(open).toBe(0);
    expect(failed[0]?.error).toContain(`the webhook at http://127.0.0.1:${port()}: nothing was delivered`);
    expect(failed[0]?.error).toContain("it answered 500");
    const kept = JSON.stringify(db.all("SELECT * FROM jobs"));
    for (const secret of ["T0K3N", "pass-w0rd", "k3y"]) expect(kept).not.toContain(secret);
    const basic = Buffer.from("me:pass-w0rd").toString("base64");
    expect(requests[0]?.headers.authorization).toBe(`Basic ${basic}`);
  });

  it("that leads elsewhere or is not there is an error, and nothing is sent elsewhere", async () => {
    webhook();
    answers = [302];
    send("webhook");
    await run();
    expect(requests.map(({ url }) => url)).toEqual(["/hook/T0K3N"]);
    expect(errors()[0]).toContain("it answered 302");
    server.close();
    server.closeAllConnections();
    await run(1e5);
    expect(errors()[0]).toContain("it cannot be reached (ECONNREFUSED)");
  });

  it("without its key is not called", async () => {
    webhook();
    for (const spoil of [() => fs.writeFileSync(secretFile(), " \n"), () => fs.unlinkSync(secretFile())]) {
      spoil();
      send("webhook");
      await run();
    }
    expect(errors()[0]).toContain(secretFile());
    expect(requests).toEqual([]);
  });

  it("hears nothing once the person has turned it off, or wants to hear of other things", async () => {
    webhook();
    send("webhook");
    fs.rmSync(path.join(home, "config.yml"));
    await run();
    configure({ for: ["done"], webhook: { url: `http://127.0.0.1:${port()}/`, secretFile: secretFile() } });
    send("webhook");
    await run();
    expect(requests).toEqual([]);
    expect(errors()).toEqual(["", ""]);
  });
});

describe("the desktop", () => {
  it("is told by its program, whose words are no options and no markup", async () => {
    const program = path.join(home, "notify-send");
    fs.writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" > '${home}/said'\n`, { mode: 0o755 });
    configure({ desktop: true });
    send("desktop", environment({ PATH: `${home}:/bin:/usr/bin` }), { text: "--urgency <b>&" });
    await run();
    const said = fs.readFileSync(path.join(home, "said"), "utf8").split("\n");
    expect(said).toEqual(["--app-name=hookwright", "--", "hookwright", "--urgency &lt;b&gt;&amp;", ""]);
  });

  it("that is not there is no error", async () => {
    configure({ desktop: true });
    send("desktop", { PATH: home, HOME: home });
    await run();
    expect(errors()).toEqual([""]);
  });
});

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;
const hasScript = spawnSync("script", ["--version"]).status === 0;
if (!hasTmux) console.log("tmux is missing, so what it shows is not tested");

describe.skipIf(!hasTmux)("tmux", () => {
  const socket = (): string => path.join(home, "tmux");
  const tmux = (...args: string[]): string =>
    execFileSync("tmux", ["-S", socket(), "-f", "/dev/null", ...args], { env: environment(), encoding: "utf8" }).trim();
  const pane = (): string => tmux("new-session", "-d", "-s", "f", "-P", "-F", "#{pane_id}", "sleep 300");
  const inPane = (id: string): Record<string, string> => environment({ TMUX: `${socket()},1,0`, TMUX_PANE: id });
  afterEach(() => {
    spawnSync("tmux", ["-S", socket(), "kill-server"]);
  });

  it("has the text as an option of the agent's pane", async () => {
    const id = pane();
    configure({ tmux: "option" });
    send("tmux", inPane(id), { text: "it needs #(touch x) \u001b[31man answer" });
    await run();
    expect(tmux("show-options", "-pqv", "-t", id, "@hookwright_notification")).toBe(
      "it needs #(touch x)  [31man answer",
    );
  });

  it.skipIf(!hasScript)("shows a message to who looks, and runs nothing that stands in it", async () => {
    const id = pane();
    const made = path.join(home, "made");
    const screen = path.join(home, "screen");
    const attach = `tmux -S ${socket()} attach -t f`;
    const client = execFileSync(
      "sh",
      ["-c", `script -qfc '${attach}' '${screen}' >/dev/null 2>&1 </dev/zero & echo $!`],
      {
        env: environment(),
        encoding: "utf8",
      },
    ).trim();
    try {
      await expect.poll(() => tmux("list-clients", "-t", id), { timeout: 10_000 }).not.toBe("");
      configure({ tmux: "message" });
      send("tmux", inPane(id), { text: `it needs an answer #(touch ${made})` });
      await run();
      await expect.poll(() => tmux("show-messages"), { timeout: 10_000 }).toContain("it needs an answer");
      expect(errors()).toEqual([""]);
      expect(fs.existsSync(made)).toBe(false);
    } finally {
      process.kill(Number(client));
    }
  });

  it("outside of it is told nothing, and that is no error", async () => {
    configure({ tmux: "message" });
    send("tmux");
    send("tmux", environment({ TMUX: "/no/such,1,0", TMUX_PANE: "%1;x" }));
    await run();
    expect(errors()).toEqual(["", ""]);
  });
});

describe("a collector of traces", () => {
  const guard = definePolicy({
    id: "test/guard",
    summary: "Denies rm.",
    why: "A test needs it.",
    stage: "destructive",
    messages: { no: "No." },
    examples: { hit: ["`rm x`"], pass: ["`ls`"] },
    on: { "tool.before": (event, ctx) => (event.tool.input.command === "rm x" ? ctx.deny("no") : undefined) },
  });
  const sandbox = () => createSandbox([guard]);
  type Sandbox = ReturnType<typeof sandbox>;
  const spans = (body: string): Record<string, Json>[] =>
    (
      JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Record<string, Json>[] }[] }[] }
    ).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((one) => one.spans));
  const values = (span: Record<string, Json> | undefined): Record<string, string> =>
    Object.fromEntries(
      ((span?.attributes ?? []) as unknown as { key: string; value: { stringValue: string } }[]).map(
        ({ key, value }) => [key, value.stringValue],
      ),
    );
  const call = async (box: Sandbox, command: string, end: "after" | "failed" | "none"): Promise<string> => {
    const before = shell(command);
    const id = before.tool?.useId ?? "";
    await box.send(before);
    if (end === "after") await box.send(toolAfter("Bash", { command }, id));
    if (end === "failed") {
      const tool = { tool_name: "Bash", tool_input: { command }, tool_use_id: id, error: "x" };
      await box.send(claudeEvent({ hook_event_name: "PostToolUseFailure", ...tool }));
    }
    return id;
  };
  /** The jobs of a sandbox run with its own database, whose folder is not the home. */
  const exportFrom = async (box: Sandbox, later = 0): Promise<void> => {
    addJob(box.db, EXPORT_SPANS_JOB, { since: 0 }, environment(), 0);
    const read = async () =>
      compileConfig([{ file: "c.yml", owner: "person", text: fs.readFileSync(path.join(home, "config.yml"), "utf8") }]);
    await runDueJobs(box.db, { ...system, now: () => Date.now() + later }, { compileConfig: read, build: () => "b1" });
  };
  const collector = (): void => {
    fs.writeFileSync(path.join(home, "headers"), "x-team: blue\nauthorization: Bearer t0k3n\n");
    configure({ otlp: { endpoint: `http://127.0.0.1:${port()}/otlp/`, headersFile: path.join(home, "headers") } });
  };

  it("gets a span for each call, with the names of the conventions", async () => {
    collector();
    const box = sandbox();
    const id = await call(box, "ls", "after");
    await call(box, "false", "failed");
    await call(box, "rm x", "none");
    await call(box, "sleep 1", "none");
    await exportFrom(box);
    const [{ url, headers, body } = expect.fail("no request")] = requests;
    expect([url, headers["x-team"], headers.authorization]).toEqual(["/otlp/v1/traces", "blue", "Bearer t0k3n"]);
    const [ran, failed, denied, more] = spans(body);
    expect(more).toBeUndefined();
    expect(ran?.name).toBe("execute_tool Bash");
    expect(values(ran)).toMatchObject({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "Bash",
      "gen_ai.tool.call.id": id,
      "gen_ai.conversation.id": "11111111-2222-3333-4444-555555555555",
      "gen_ai.agent.id": "claude-code",
      "hookwright.ruling": "pass",
    });
    expect([ran?.traceId, ran?.spanId]).toEqual([
      expect.stringMatching(/^[\da-f]{32}$/),
      expect.stringMatching(/^[\da-f]{16}$/),
    ]);
    expect(Number(ran?.endTimeUnixNano)).toBeGreaterThanOrEqual(Number(ran?.startTimeUnixNano));
    expect(values(failed)).toMatchObject({ "error.type": "failed" });
    expect(values(denied)).toMatchObject({
      "error.type": "denied",
      "security_rule.name": "test/guard",
      "security_rule.ruleset.name": "test",
      "security_rule.version": "b1",
    });
    box.close();
  });

  it("gets each call once, and after a failure with the next try", async () => {
    collector();
    const box = sandbox();
    await call(box, "one", "after");
    await exportFrom(box);
    await call(box, "two", "after");
    answers = [500];
    await exportFrom(box);
    await call(box, "three", "after");
    await exportFrom(box, 1e5);
    expect(requests.map(({ body }) => spans(body).length)).toEqual([1, 1, 2]);
    const [, second, third] = requests.map(({ body }) => spans(body));
    expect(second?.[0]?.spanId).toBe(third?.[0]?.spanId);
    box.close();
  });

  it("gets nothing of what a call says", async () => {
    collector();
    const box = sandbox();
    await call(box, "echo confidential", "after");
    await exportFrom(box);
    expect(requests[0]?.body).not.toContain("confidential");
    box.close();
  });
});
