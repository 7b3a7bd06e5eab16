/** Test data: a project with policies of its own, a home, and the real engine with a worker made from these sources. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { Frame, Reply } from "../../core/frame.ts";
import type { PolicyResult } from "../../core/pipeline.ts";
import { type Config, DEFAULT_CONFIG } from "../../core/settings/config.ts";
import { system } from "../../system/system.ts";
import { sha256, trustFileAt } from "../config/trust.ts";
import { createEngine, type Engine } from "../engine.ts";
import type { Examination } from "../examine.ts";
import { listFolder, policyFolderOf, readFolder } from "./policy-folder.ts";

/** Like the build, so that the test runs what stands in the sources. */
export async function buildWorker(folder: string): Promise<string> {
  const outfile = path.join(folder, "outside-worker.cjs");
  await build({
    entryPoints: [path.join(import.meta.dirname, "worker.ts")],
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    outfile,
    logLevel: "error",
  });
  return outfile;
}

/** The text of a policy file whose handler for calls is this. */
export function policyText(name: string, handler: string, more: { stage?: string; head?: string } = {}): string {
  return [
    more.head ?? "",
    "export default {",
    `  id: "local/${name}",`,
    '  summary: "A test.",',
    '  why: "To see what happens.",',
    `  stage: "${more.stage ?? "scope"}",`,
    '  messages: { no: "No {what}.", fyi: "For your information." },',
    `  on: { "tool.before": ${handler} },`,
    "};",
  ].join("\n");
}

let events = 0;

export class Scene {
  readonly root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hw-outside-")));
  readonly project = path.join(this.root, "project");
  readonly home = path.join(this.root, "home");
  readonly folder = policyFolderOf(this.project);
  readonly engine: Engine;

  constructor(policyWorker: string, config: Partial<Config> = {}) {
    fs.mkdirSync(path.join(this.project, ".git"), { recursive: true });
    fs.mkdirSync(this.home);
    this.engine = createEngine({
      home: this.home,
      build: "test",
      ports: system,
      busyMs: () => 1_000,
      onJobs: () => undefined,
      policyWorker,
      compileConfig: async () => ({ ...DEFAULT_CONFIG, ...config, goodFiles: [] }),
      readYaml: () => {
        throw new Error("no policy here reads YAML");
      },
      loadPatterns: () => {
        throw new Error("no rule here has a pattern");
      },
      readToml: () => ({ problem: "no policy here reads TOML" }),
    });
    // Only then is the configuration asked for.
    if (Object.keys(config).length > 0) fs.writeFileSync(path.join(this.home, "config.yml"), "");
  }

  write(name: string, text: string): void {
    const file = path.join(this.folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }

  /** One policy per name, each with a handler for calls. */
  policies(handlers: Readonly<Record<string, string>>, stage?: string): void {
    for (const [name, handler] of Object.entries(handlers)) {
      this.write(`policies/${name}.js`, policyText(name, handler, stage === undefined ? {} : { stage }));
    }
    this.trust();
  }

  /** As `hookwright trust` records it. */
  trust(): void {
    const listed = listFolder(this.folder);
    if (!listed || "refused" in listed) throw new Error("there is no folder to trust");
    const content = readFolder(
      this.folder,
      listed.map(({ name }) => name),
    );
    if ("refused" in content) throw new Error(content.refused);
    const record = { file: this.folder, sha256: content.sha256, at: "2026-01-01T00:00:00.000Z" };
    fs.writeFileSync(trustFileAt(this.home), JSON.stringify([record]));
  }

  frame(payload: Readonly<Record<string, unknown>> = {}, ms = 4_000): Frame {
    const body = {
      session_id: "s1",
      cwd: this.project,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "ls" },
      tool_use_id: `u${++events}`,
      ...payload,
    };
    return {
      nonce: sha256(Buffer.from(String(events))).slice(0, 32),
      build: "test",
      home: this.home,
      deadline: Date.now() + ms,
      cwd: this.project,
      ppid: 1,
      cut: "",
      args: ["--reply", "json"],
      env: {},
      body: Buffer.from(JSON.stringify(body)),
    };
  }

  decide(payload?: Readonly<Record<string, unknown>>): Promise<Reply> {
    return this.engine.decide(this.frame(payload));
  }

  look(payload?: Readonly<Record<string, unknown>>): Promise<Examination> {
    return this.engine.examine(this.frame(payload));
  }

  /** What each of the project's policies came to, by its name. */
  async results(payload?: Readonly<Record<string, unknown>>): Promise<Record<string, PolicyResult>> {
    const { judgement } = await this.look(payload);
    const own = (judgement?.results ?? []).filter(({ id }) => id.startsWith("local/"));
    return Object.fromEntries(own.map((result) => [result.id.slice("local/".length), result]));
  }

  /** What the person would be told now, by an engine that keeps nothing. */
  async told(payload?: Readonly<Record<string, unknown>>): Promise<string[]> {
    const { judgement } = await this.look(payload);
    return (judgement?.ruling.notices ?? []).map(({ text }) => text);
  }

  dispose(): void {
    this.engine.close();
    fs.rmSync(this.root, { recursive: true, force: true });
  }
}

export const DENIES =
  '(event, ctx) => event.tool.input.command === "bad" ? ctx.deny("no", { what: "way" }) : undefined';
export const bad = { tool_input: { command: "bad" } };

/** One worker for a test file, and a fresh scene for each of its tests, which may put another in its place. */
export function stageForEachTest(): { readonly worker: string; scene: Scene } {
  const stage = { worker: "", scene: undefined as unknown as Scene };
  beforeAll(async () => {
    stage.worker = await buildWorker(fs.mkdtempSync(path.join(os.tmpdir(), "hw-worker-")));
  });
  afterAll(() => fs.rmSync(path.dirname(stage.worker), { recursive: true, force: true }));
  beforeEach(() => {
    stage.scene = new Scene(stage.worker);
  });
  afterEach(() => stage.scene.dispose());
  return stage;
}
