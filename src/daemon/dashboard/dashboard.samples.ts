/** A dashboard on a database of its own, and a browser that keeps its cookie. */
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { Database } from "../../state/database.ts";
import { sampleEntry } from "../../state/entry.samples.ts";
import { append, type JournalEntry } from "../../state/journal.ts";
import type { DashboardActions } from "./actions.ts";
import { type Dashboard, type DashboardOptions, startDashboard } from "./server.ts";

export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Answers of the command line, which has tests of its own. */
export const NO_ACTIONS: DashboardActions = {
  recorded: () => ({ policies: [], facts: {}, reply: { exit: 0, stdout: "", stderr: "" } }),
  effects: async () => [],
  explain: async () => ({ ruling: "pass", policy: "", reason: "", policies: [] }),
  allowOnce: (shown) => ({ shown, until: 1 }),
  setMode: async () => ({ isPreview: true, file: "", diff: "", wouldHave: null }),
  allowLosses: async () => ({ isPreview: true, file: "", diff: "", wouldHave: null }),
  alwaysApprove: async () => ({ isPreview: true, file: "", diff: "", wouldHave: null }),
  policies: async () => [],
  plan: () => undefined,
  wholeBody: (row) => String(row.body),
  replay: async () => undefined,
  record: () => undefined,
};

export class DashboardWorld {
  readonly root = fs.mkdtempSync(path.join(os.tmpdir(), "hw-dashboard-"));
  readonly database = path.join(this.root, "state.db");
  readonly pages = path.join(this.root, "ui");
  readonly logged: string[] = [];
  #dashboard: Dashboard | undefined;
  #db: Database | undefined;
  #cookie = "";
  #keys = 0;

  get db(): Database {
    this.#db ??= new Database(this.database, 1_000);
    return this.#db;
  }

  get dashboard(): Dashboard {
    if (!this.#dashboard) throw new Error("it was not started");
    return this.#dashboard;
  }

  get cookie(): string {
    return this.#cookie;
  }

  async start(actions: Partial<DashboardActions> = {}, remote?: DashboardOptions["remote"]): Promise<void> {
    this.#dashboard = await startDashboard({
      database: this.database,
      search: `${this.root}/search.db`,
      pages: this.pages,
      port: 0,
      remote,
      uid: process.getuid?.() ?? 0,
      actions: { ...NO_ACTIONS, ...actions },
      fleet: `${this.root}/fleet`,
      where: { env: () => undefined, userHome: this.root },
      onEnter: () => undefined,
      log: (line) => void this.logged.push(line),
    });
  }

  /** Uses the token, as a browser does that opens the printed address. */
  async enter(): Promise<Answer> {
    const { pathname, search } = new URL(this.dashboard.url);
    const answer = await this.ask(pathname + search, { headers: { cookie: "" } });
    this.#cookie = String(answer.headers["set-cookie"]?.[0] ?? "").split(";")[0] ?? "";
    return answer;
  }

  ask(path: string, { method = "GET", headers = {}, body }: Sent = {}): Promise<Answer> {
    const { port } = this.dashboard;
    return new Promise((resolve, reject) => {
      const all = { host: `127.0.0.1:${port}`, cookie: this.#cookie, ...headers };
      const request = http.request({ host: "127.0.0.1", port, path, method, headers: all }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        });
      });
      request.on("error", reject);
      request.end(body);
    });
  }

  async json<T>(path: string): Promise<T> {
    const { status, text } = await this.ask(path);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return JSON.parse(text) as T;
  }

  post(path: string, value: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const own = { origin: `http://127.0.0.1:${this.dashboard.port}`, "content-type": "application/json" };
    return this.ask(path, { method: "POST", headers: { ...own, ...headers }, body: JSON.stringify(value) });
  }

  add(about: Partial<JournalEntry>): number {
    const entry = sampleEntry({ at: Date.now(), project: this.root, ...about });
    const done = this.db.transaction(() => {
      const query = `INSERT INTO sessions (agent, session, via, project, first_at, last_at, events, tool_calls)
        VALUES (?, ?, '', ?, ?, ?, 0, 0) ON CONFLICT DO UPDATE SET last_at = excluded.last_at`;
      this.db.run(query, entry.agent, entry.session, entry.project, entry.at, entry.at);
      return append(this.db, `key-${++this.#keys}`, entry);
    });
    return done?.value ?? 0;
  }

  async dispose(): Promise<void> {
    await this.#dashboard?.close();
    this.#db?.close();
    fs.rmSync(this.root, { recursive: true, force: true });
  }
}
