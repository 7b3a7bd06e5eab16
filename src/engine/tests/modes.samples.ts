/** Test data: the real engine in a real project with modes, a clock that stands still, and `hookwright mode` beside it. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { runMode } from "../../cli/commands/mode/run.ts";
import { compileConfig, readYaml } from "../../config/compile.ts";
import * as patterns from "../../config/patterns.ts";
import { readToml } from "../../config/toml.ts";
import type { JsonObject } from "../../core/event.ts";
import type { ModeRun } from "../../domain/mode/mode-run.ts";
import { ModeRuns } from "../../domain/mode/mode-runs.ts";
import { Database } from "../../state/database.ts";
import { openTable, projectScope } from "../../state/stores.ts";
import { system } from "../../system/system.ts";
import { createEngine, type Engine } from "../engine.ts";

export interface ModeAnswer {
  readonly isHeld: boolean;
  readonly isDenied: boolean;
  /** What the model reads. */
  readonly model: string;
  /** What the person reads. */
  readonly person: string;
}

export class ModeWorld {
  readonly root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-modes-")));
  project = path.join(this.root, "app");
  readonly home = path.join(this.root, "hw");
  /** Environment of the agents. */
  env: Record<string, string> = {};
  now = Date.UTC(2026, 0, 2, 3, 4, 5);
  readonly #engine: Engine;
  readonly #state: Database;
  #events = 0;

  constructor(config = "profiles: [safety, omc]\n") {
    this.enter("app");
    fs.mkdirSync(this.home, { mode: 0o700 });
    fs.writeFileSync(path.join(this.home, "config.yml"), config);
    this.#engine = createEngine({
      home: this.home,
      build: "test",
      ports: { ...system, now: () => this.now },
      busyMs: () => 1_000,
      onJobs: () => undefined,
      policyWorker: "/nowhere",
      compileConfig,
      readYaml,
      loadPatterns: () => patterns,
      readToml,
    });
    this.#state = new Database(path.join(this.home, "state.db"), 1_000);
  }

  /** From now on events come from this project, which has no mode yet. */
  enter(name: string): void {
    this.project = path.join(this.root, name);
    fs.mkdirSync(path.join(this.project, ".git"), { recursive: true });
  }

  close(): void {
    this.#engine.close();
    this.#state.close();
    fs.rmSync(this.root, { recursive: true, force: true });
  }

  async send(session: string, body: JsonObject): Promise<ModeAnswer> {
    this.now += 10;
    const { stdout, stderr } = await this.#engine.decide({
      nonce: `n${++this.#events}`,
      build: "test",
      home: this.home,
      deadline: this.now + 60_000,
      cwd: this.project,
      ppid: process.pid,
      cut: "",
      args: ["--reply", "json"],
      env: { PATH: process.env.PATH ?? "", HOME: this.root, ...this.env },
      body: Buffer.from(JSON.stringify({ session_id: session, cwd: this.project, ...body })),
    });
    const { decision, reason = "", systemMessage = "", hookSpecificOutput: more = {} } = parsed(stdout);
    const context = more.additionalContext ?? "";
    return {
      isHeld: body.hook_event_name === "Stop" && (decision === "block" || context !== ""),
      isDenied: ["deny", "ask"].includes(more.permissionDecision ?? ""),
      model: [reason, context, more.permissionDecisionReason ?? ""].join("\n").trim(),
      person: [systemMessage, stderr].join("\n").trim(),
    };
  }

  prompt(session: string, prompt: string): Promise<ModeAnswer> {
    return this.send(session, { hook_event_name: "UserPromptSubmit", prompt, prompt_id: `p${this.#events}` });
  }

  stop(session: string, last_assistant_message = "Done.", more: JsonObject = {}): Promise<ModeAnswer> {
    return this.send(session, { hook_event_name: "Stop", stop_hook_active: false, last_assistant_message, ...more });
  }

  /** A command, and the report that it ran unless it was stopped. True when it ran. */
  async call(session: string, command: string): Promise<boolean> {
    const call = { tool_name: "Bash", tool_input: { command }, tool_use_id: `t${this.#events}` };
    const { isDenied } = await this.send(session, { hook_event_name: "PreToolUse", ...call });
    if (!isDenied) await this.send(session, { hook_event_name: "PostToolUse", tool_response: {}, ...call });
    return !isDenied;
  }

  /** `hookwright mode …` of a person in another terminal. False when it was refused. */
  async mode(words: string, options: Record<string, string | boolean> = {}): Promise<boolean> {
    const context = {
      args: words.split(" "),
      options,
      cwd: this.project,
      env: { HOME: this.root, HOOKWRIGHT_HOME: this.home },
      out: () => undefined,
      err: () => undefined,
    };
    try {
      return (await runMode(context, { now: () => this.now, input: Readable.from([]) })) === 0;
    } catch (error) {
      if (error instanceof Error && "code" in error && String(error.code).startsWith("HW_MODE_")) return false;
      throw error;
    }
  }

  runs(session: string): readonly ModeRun[] {
    const scope = projectScope({ agent: "", session: "", agentId: "", project: this.project });
    // The engine writes through another connection.
    this.#state.refresh();
    return new ModeRuns(openTable(this.#state, scope, "modes")).of(session);
  }

  stateFile(session: string, mode: string): string {
    return path.join(this.project, ".omc/state/sessions", session, `${mode}-state.json`);
  }
}

function parsed(stdout: string) {
  // What is kept in the summary of a compaction is printed as it is.
  if (!stdout.startsWith("{")) return stdout === "" ? {} : { reason: stdout };
  return JSON.parse(stdout);
}
