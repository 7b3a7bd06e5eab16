/** Test helper: a project with modes, and `hookwright mode` in this process. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { fileReader } from "../../../domain/mode/files/file-reader.ts";
import type { StartRequest } from "../../../domain/mode/machine.ts";
import { machineOf } from "../../../domain/mode/machines.ts";
import { aRun } from "../../../domain/mode/mode.samples.ts";
import type { ModeRun } from "../../../domain/mode/mode-run.ts";
import { ModeRuns } from "../../../domain/mode/mode-runs.ts";
import type { ModeName } from "../../../domain/mode/modes.ts";
import { Database } from "../../../state/database.ts";
import { sampleEntry } from "../../../state/entry.samples.ts";
import { append } from "../../../state/journal.ts";
import { bumpRevision, ensureSession } from "../../../state/sessions.ts";
import { openTable, projectScope } from "../../../state/stores.ts";
import { runMode } from "./run.ts";

/** What these modes cannot begin without. */
const WISHES: Partial<Record<ModeName, Partial<StartRequest>>> = {
  pipeline: { stages: "explore -> architect" },
  ultraqa: { goal: "custom", command: "make check" },
};

export interface ModeCall {
  readonly options?: Record<string, string | boolean>;
  /** The session of the agent that runs the command; without one a person does. */
  readonly caller?: string;
  readonly env?: Record<string, string>;
  readonly columns?: number;
  readonly input?: string;
}

export class ModeWorkspace {
  readonly root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-mode-")));
  readonly project = path.join(this.root, "app");
  readonly home = path.join(this.root, "hw");
  now = Date.UTC(2026, 0, 2, 3, 4, 5);
  /** What the last command wrote to standard error. */
  notices = "";

  constructor() {
    fs.mkdirSync(path.join(this.project, ".git"), { recursive: true });
    fs.mkdirSync(this.home, { mode: 0o700 });
    this.configure("profiles: [safety, omc]\n");
  }

  dispose(): void {
    fs.rmSync(this.root, { recursive: true, force: true });
  }

  configure(text: string): void {
    fs.writeFileSync(path.join(this.home, "config.yml"), text);
  }

  async run(words: string, { options = {}, caller, env = {}, columns, input = "" }: ModeCall = {}) {
    const out: string[] = [];
    const err: string[] = [];
    const context = {
      args: words.split(" "),
      options,
      cwd: this.project,
      env: {
        HOME: this.root,
        HOOKWRIGHT_HOME: this.home,
        ...(caller === undefined ? {} : { CLAUDE_CODE_SESSION_ID: caller }),
        ...env,
      },
      ...(columns === undefined ? {} : { columns }),
      out: (text: string) => out.push(text),
      err: (text: string) => err.push(text),
    };
    try {
      // An error that is thrown synchronously also counts as an error of the command.
      const code = await (async () =>
        runMode(context, { now: () => this.now, input: Readable.from([Buffer.from(input)]) }))();
      return { code, out: out.join("\n") };
    } finally {
      this.notices = err.join("\n");
    }
  }

  /** The printed JSON. */
  async ask(words: string, call: ModeCall = {}) {
    const { out } = await this.run(words, { ...call, options: { ...call.options, json: true } });
    return JSON.parse(out);
  }

  inState<T>(work: (db: Database) => T): T {
    const db = new Database(path.join(this.home, "state.db"), 1_000);
    try {
      return work(db);
    } finally {
      db.close();
    }
  }

  store<T>(work: (store: ModeRuns) => T): T {
    const scope = projectScope({ agent: "", session: "", agentId: "", project: this.project });
    return this.inState((db) => work(new ModeRuns(openTable(db, scope, "modes", () => bumpRevision(db, scope)))));
  }

  /** Stores a run that began a minute ago. */
  have(mode: ModeName, session: string, changed: Partial<ModeRun> = {}): void {
    const at = this.now - 60_000;
    const wish = { mode, request: "fix the login", ...(WISHES[mode] ?? {}) };
    const details = machineOf(mode).begin(wish, fileReader(this.project, at));
    this.store((store) => store.save(aRun(mode, { session, pid: 0, startedAt: at, seenAt: at, details, ...changed })));
  }

  runs(): readonly ModeRun[] {
    return this.store((store) => store.all());
  }

  /** Makes a session known, as its hooks do. */
  open(session: string, { event = "prompt.submit", ago = 0 } = {}): void {
    const ref = { agent: "claude-code", session, agentId: "", project: this.project };
    const at = this.now - ago;
    this.inState((db) => {
      ensureSession(db, ref, at);
      append(db, `${session} ${at} ${event}`, sampleEntry({ session, event, at, project: this.project }));
    });
  }

  isCancelled(session: string): boolean {
    const row = this.inState((db) => db.get("SELECT flags FROM sessions WHERE session = ?", session));
    return String(row?.flags ?? "").includes("cancelled");
  }

  file(name: string): string {
    return path.join(this.project, ".omc/state", name);
  }

  read(name: string): Record<string, unknown> | undefined {
    const file = this.file(name);
    return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : undefined;
  }
}
