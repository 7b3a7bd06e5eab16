/** Test data: sessions recorded by the real engine in a real project, and their replay. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { compileConfig, readYaml } from "../config/compile.ts";
import * as patterns from "../config/patterns.ts";
import { readToml } from "../config/toml.ts";
import { createEngine, type Engine } from "../engine/engine.ts";
import { Database } from "../state/database.ts";
import { highestId } from "../state/journal-query.ts";
import type { Origin } from "../state/origins.ts";
import { homeAt } from "../system/home.ts";
import { system } from "../system/system.ts";
import { afterwardsIn } from "./afterwards.ts";
import { journalEvents, type Selection } from "./journal-events.ts";
import { type Replayed, replay } from "./replay.ts";
import { BodyRestorer } from "./restore-body.ts";
import { openSources, type Trial } from "./sources.ts";
import { transcriptEvents, transcriptFiles } from "./transcript-events.ts";

const CHUNKS = {
  compileConfig: async (sources: Parameters<typeof compileConfig>[0]) => compileConfig(sources),
  readYaml,
  readToml,
  loadPatterns: () => patterns,
};
const BUILD = "test";
const SAME: Trial = { modes: {}, profiles: [] };

export class RecordedWorld {
  readonly root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hw-recorded-")));
  readonly project = path.join(this.root, "project");
  readonly userHome = path.join(this.root, "user");
  readonly home = homeAt(path.join(this.root, "home"), this.userHome);
  readonly #engine: Engine;
  #events = 0;
  #calls = 0;

  constructor(config = "profiles: [safety]\n") {
    for (const folder of [path.join(this.project, ".git"), this.userHome, this.home.root]) {
      fs.mkdirSync(folder, { recursive: true });
    }
    fs.writeFileSync(this.home.config, config);
    this.#engine = createEngine({
      ...CHUNKS,
      home: this.home.root,
      build: BUILD,
      ports: system,
      busyMs: () => 1_000,
      onJobs: () => undefined,
      policyWorker: path.join(this.root, "dist", "outside-worker.cjs"),
    });
  }

  async send(body: object, args: readonly string[] = []): Promise<string> {
    const about = { session_id: "s1", cwd: this.project, transcript_path: path.join(this.root, "s1.jsonl") };
    const reply = await this.#engine.decide({
      nonce: `n${++this.#events}`,
      build: BUILD,
      home: this.home.root,
      deadline: Date.now() + 10_000,
      cwd: this.project,
      ppid: 1,
      cut: "",
      args,
      env: { PATH: "/usr/bin:/bin", HOME: this.userHome },
      body: Buffer.from(JSON.stringify({ ...about, ...body })),
    });
    return reply.stdout;
  }

  /** A call, and the report that it ran unless it was denied. */
  async call(tool_name: string, tool_input: object, more: object = {}): Promise<string> {
    const about = { tool_name, tool_input, tool_use_id: `t${++this.#calls}`, ...more };
    const said = await this.send({ hook_event_name: "PreToolUse", ...about });
    if (!/"permissionDecision":"deny"/.test(said)) {
      await this.send({ hook_event_name: "PostToolUse", tool_response: {}, ...about });
    }
    return said;
  }

  shell(command: string, more: object = {}): Promise<string> {
    return this.call("Bash", { command }, more);
  }

  /** Every event of the journal decided again, with what became of those whose answer has changed. */
  async replay(trial: Partial<Trial> = {}, selection: Selection = {}): Promise<(Replayed & { afterwards: string })[]> {
    const opened = openSources({
      ...CHUNKS,
      home: this.home,
      build: BUILD,
      policyWorker: "/nowhere/outside-worker.cjs",
      trial: { ...SAME, ...trial },
    });
    const db = new Database(this.home.database, 1_000);
    const restorer = new BodyRestorer();
    const all: (Replayed & { afterwards: string })[] = [];
    try {
      const events = journalEvents(db, selection, highestId(db));
      for await (const one of replay(events, opened.sources, { restore: (event) => restorer.restore(event) })) {
        if (!one.recorded.isWarmUp) all.push({ ...one, afterwards: one.change ? afterwardsIn(db, one.recorded) : "" });
      }
    } finally {
      db.close();
      opened.close();
    }
    return all;
  }

  /** The transcripts below a folder, as they would have been decided. */
  async replayTranscripts(folder: string, selection: Selection = {}): Promise<Replayed[]> {
    const opened = openSources({ ...CHUNKS, home: this.home, build: BUILD, policyWorker: "/nowhere", trial: SAME });
    const origin: Origin = {
      ...{ build: BUILD, config: "", args: [], env: { HOME: this.userHome }, notice: "", userHome: this.userHome },
      ...{ home: this.home.root, personConfig: this.home.config, programs: "/nowhere", tempDir: "/tmp", uid: 1000 },
      isResident: true,
    };
    const all: Replayed[] = [];
    for (const file of transcriptFiles(folder, selection)) {
      for await (const one of replay(transcriptEvents(file, selection, origin), opened.sources)) all.push(one);
    }
    opened.close();
    return all;
  }

  state<T>(work: (db: Database) => T): T {
    const db = new Database(this.home.database, 1_000);
    try {
      return work(db);
    } finally {
      db.close();
    }
  }

  close(): void {
    this.#engine.close();
    fs.rmSync(this.root, { recursive: true, force: true });
  }
}

/** Each event in a line: what it was about, and what became of it in the replay. */
export function outcomes(all: readonly Replayed[]): string[] {
  return all.map(({ recorded, again, change }) => {
    const { kind } = again;
    const what =
      kind === "undecidable"
        ? `undecidable: ${again.missing.join(", ")}`
        : kind === "not-replayable"
          ? `${kind}: ${again.why}`
          : "same";
    const changed = change && `${change.kind} by ${change.policy}: ${change.was.ruling} -> ${change.now.ruling}`;
    return `${recorded.agentEvent} ${recorded.tool}: ${changed ?? what}`;
  });
}
