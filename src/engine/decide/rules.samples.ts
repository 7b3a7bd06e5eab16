/** Test data: real configuration files, a real project folder, and the engine's own look at an event in it. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { compileConfig, readYaml } from "../../config/compile.ts";
import * as patterns from "../../config/patterns.ts";
import type { Frame } from "../../core/frame.ts";
import { system } from "../../system/system.ts";
import { sha256, trustFileAt } from "../config/trust.ts";
import { createEngine, type Engine } from "../engine.ts";
import type { Examination } from "../examine.ts";

export interface Said {
  readonly outcome: string;
  readonly policy: string;
  readonly reason: string;
  readonly notes: readonly string[];
  readonly problems: readonly string[];
  /** What each rule said or why it could not, by its id. */
  readonly rules: Readonly<Record<string, string>>;
}

let calls = 0;

export class RuleWorld {
  readonly root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hw-rules-")));
  readonly project = path.join(this.root, "project");
  readonly userHome = path.join(this.root, "user");
  readonly home = path.join(this.root, "home");
  /** How often the chunk with the engines behind patterns was asked for. */
  loads = 0;
  readonly #engine: Engine;

  constructor() {
    for (const folder of [path.join(this.project, ".git"), this.userHome, this.home]) {
      fs.mkdirSync(folder, { recursive: true });
    }
    this.#engine = createEngine({
      home: this.home,
      build: "test",
      ports: system,
      busyMs: () => 1_000,
      onJobs: () => undefined,
      databaseFile: ":memory:",
      readOnly: true,
      policyWorker: "/nowhere",
      compileConfig,
      readYaml,
      loadPatterns: () => {
        this.loads++;
        return patterns;
      },
      readToml: () => ({ problem: "no rule reads TOML" }),
    });
  }

  person(rules: readonly object[]): this {
    fs.writeFileSync(path.join(this.home, "config.yml"), JSON.stringify({ profiles: [], rules }));
    return this;
  }

  theirs(rules: readonly object[], isTrusted = false): this {
    const file = path.join(this.project, "hookwright.yml");
    const text = JSON.stringify({ rules });
    fs.writeFileSync(file, text);
    const record = { file, sha256: sha256(Buffer.from(text)), at: "2026-01-01T00:00:00.000Z" };
    fs.writeFileSync(trustFileAt(this.home), JSON.stringify(isTrusted ? [record] : []));
    return this;
  }

  shell(command: string, more: object = {}): Promise<Said> {
    return this.tool("Bash", { command }, more);
  }

  tool(name: string, input: object, more: object = {}): Promise<Said> {
    return this.send({ hook_event_name: "PreToolUse", tool_name: name, tool_input: input, ...more });
  }

  async send(payload: object): Promise<Said> {
    return said(await this.examine(payload));
  }

  examine(payload: object, args: readonly string[] = []): Promise<Examination> {
    const body = { session_id: "s1", cwd: this.project, tool_use_id: `t${++calls}`, ...payload };
    const frame: Frame = {
      nonce: `n${calls}`,
      build: "test",
      home: this.home,
      deadline: Date.now() + 10_000,
      cwd: this.project,
      ppid: 1,
      cut: "",
      args,
      env: { HOME: this.userHome },
      body: Buffer.from(JSON.stringify(body)),
    };
    return this.#engine.examine(frame);
  }

  close(): void {
    this.#engine.close();
    fs.rmSync(this.root, { recursive: true, force: true });
  }
}

function said({ judgement }: Examination): Said {
  if (!judgement) throw new Error("the event was not judged");
  const { ruling, results } = judgement;
  const rules = results
    .filter(({ id }) => id.startsWith("rules/"))
    .map(({ id, verdicts, error }) => [id, error ?? verdicts.map(({ kind }) => kind).join(", ")] as const);
  return {
    outcome: ruling.outcome,
    policy: ruling.policy,
    reason: ruling.reason,
    notes: ruling.notes.map(({ text }) => text),
    problems: judgement.newProblems,
    rules: Object.fromEntries(rules),
  };
}
