/** Test data: the real engine in a real project with every profile on. */
import fs from "node:fs";
import path from "node:path";
import { compileConfig, readYaml } from "../../config/compile.ts";
import * as patterns from "../../config/patterns.ts";
import { PROFILES } from "../../core/settings/profiles.ts";
import { system } from "../../system/system.ts";
import { createEngine, type Engine } from "../engine.ts";

export type Call = readonly [tool: string, input: object];

export interface Answer {
  /** Empty when the agent decides by itself. */
  readonly decision: string;
  /** What the model reads of it. */
  readonly text: string;
}

export class AllProfiles {
  /** Short: what is counted has paths in it. */
  readonly root = fs.realpathSync(fs.mkdtempSync("/tmp/hw-"));
  readonly project = path.join(this.root, "project");
  readonly #userHome = path.join(this.root, "user");
  readonly #programs = path.join(this.root, "bin");
  readonly #home = path.join(this.root, "home");
  readonly #engine: Engine;
  #events = 0;

  /** `session`: fields of a session's state as another program wrote it; undefined for no session. */
  constructor(session: object | undefined, files: readonly string[] = []) {
    const dir = path.join(this.project, "sessions/2026_01_02_LOGIN");
    const folders = [
      path.join(this.project, ".git"),
      path.join(this.project, "src"),
      dir,
      this.#userHome,
      this.#programs,
    ];
    for (const folder of folders) fs.mkdirSync(folder, { recursive: true });
    // Where no `engine` can be run nothing waits for a session.
    fs.writeFileSync(path.join(this.#programs, "engine"), "#!/bin/sh\n", { mode: 0o755 });
    for (const file of files) fs.writeFileSync(path.join(this.project, file), "x\n");
    if (session) {
      const state = { sessionId: "s1", pid: process.pid, skill: "implement", lifecycle: "active", ...session };
      fs.writeFileSync(path.join(dir, ".state.json"), JSON.stringify(state));
    }
    fs.mkdirSync(this.#home);
    fs.writeFileSync(path.join(this.#home, "config.yml"), JSON.stringify({ profiles: PROFILES }));
    this.#engine = createEngine({
      home: this.#home,
      build: "test",
      ports: system,
      busyMs: () => 1_000,
      onJobs: () => undefined,
      databaseFile: path.join(this.root, "state.db"),
      readOnly: true,
      policyWorker: "/nowhere",
      compileConfig,
      readYaml,
      loadPatterns: () => patterns,
      readToml: () => ({ problem: "nothing here is TOML" }),
    });
  }

  async send(body: object): Promise<Answer> {
    const about = { session_id: "s1", cwd: this.project, transcript_path: path.join(this.project, "t.jsonl") };
    const PATH = [this.#programs, process.env.PATH ?? ""].join(path.delimiter);
    const { stdout } = await this.#engine.decide({
      nonce: `n${++this.#events}`,
      build: "test",
      home: this.#home,
      deadline: Date.now() + 10_000,
      cwd: this.project,
      ppid: process.pid,
      cut: "",
      args: [],
      env: {
        PATH,
        HOME: this.#userHome,
        NTM_ORCH_RUNTIME_DIR: path.join(this.root, "ntm"),
        SESSION_REQUIRED: "1",
        CLAUDE_SUPERVISOR_PID: String(process.pid),
      },
      body: Buffer.from(JSON.stringify({ ...about, ...body })),
    });
    const { hookSpecificOutput: said = {} } = stdout === "" ? {} : JSON.parse(stdout);
    const text = [said.permissionDecisionReason, said.additionalContext].filter(Boolean).join("\n");
    return { decision: said.permissionDecision ?? "", text };
  }

  /** A call, and the report that it ran unless it was denied. */
  async call([tool_name, tool_input]: Call, more: object = {}): Promise<Answer[]> {
    const about = { tool_name, tool_input, tool_use_id: `t${this.#events}`, ...more };
    const before = await this.send({ hook_event_name: "PreToolUse", ...about });
    if (before.decision === "deny") return [before];
    return [before, await this.send({ hook_event_name: "PostToolUse", tool_response: {}, ...about })];
  }

  close(): void {
    this.#engine.close();
    fs.rmSync(this.root, { recursive: true, force: true });
  }
}
