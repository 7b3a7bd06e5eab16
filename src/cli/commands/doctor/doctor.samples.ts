/** Test helper: runs doctor in its own temporary home, with the real client and daemon of the built package. */
import fs from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { DIST, World } from "../../../../test/support/world.ts";
import type { CommandContext } from "../../command.ts";
import { registeredEvents } from "../../installation/registered-events.ts";
import { NO_TERMINAL } from "../../installation/setup.samples.ts";
import { type SystemPlaces, systemPlaces } from "../../installation/system-folders.ts";
import type { Terminal } from "../../terminal/confirm.ts";
import { runInit } from "../init/run.ts";
import type { EventCost } from "./event-cost.ts";
import type { DoctorFinding } from "./finding.ts";
import { runDoctor } from "./run.ts";
import type { DaemonState } from "./runtime-checks.ts";

const REPOSITORY = path.dirname(DIST);

export interface DoctorOutput {
  readonly code: number;
  readonly ok: boolean;
  readonly client: { readonly kind: string; readonly command: readonly string[] };
  readonly daemon: DaemonState;
  readonly cost: EventCost | null;
  readonly profiles: readonly string[];
  readonly findings: readonly DoctorFinding[];
  readonly fixed?: readonly string[];
}

export class DoctorWorkspace {
  readonly world = new World();
  readonly uid = process.getuid?.() ?? 0;
  places: SystemPlaces = systemPlaces(path.join(this.world.root, "machine"), this.uid);
  env: NodeJS.ProcessEnv = {};
  /** 0, because timing the client is slow; only tests about the timing set it. */
  runs = 0;
  readonly settings = path.join(this.world.userHome, ".claude", "settings.json");

  async run(options: CommandContext["options"], terminal: Terminal): Promise<{ code: number; said: string }> {
    let said = "";
    const out = (text: string): void => {
      said += `${text}\n`;
    };
    const env = { ...this.world.environment, ...this.env };
    const context = { args: [], options, cwd: this.world.project, env, out, err: out };
    const parts = { dist: DIST, packageRoot: REPOSITORY, places: this.places, terminal, runs: this.runs };
    return { code: await runDoctor(context, parts), said };
  }

  async ask(options: CommandContext["options"] = {}): Promise<DoctorOutput> {
    const { code, said } = await this.run({ ...options, json: true }, NO_TERMINAL);
    const told = JSON.parse(said) as Omit<DoctorOutput, "code">;
    expect(told.ok).toBe(code === 0);
    return { ...told, code };
  }

  async finding(name: string): Promise<DoctorFinding> {
    const { findings } = await this.ask();
    const found = findings.find((one) => one.name === name);
    if (!found) throw new Error(`nothing is said about ${name}: ${JSON.stringify(findings)}`);
    return found;
  }

  async install(options: CommandContext["options"] = {}, cwd = this.world.project): Promise<void> {
    const env = this.world.environment;
    const quiet = (): void => undefined;
    const context = {
      args: [],
      options: { yes: true, ...options },
      cwd,
      env,
      out: quiet,
      err: quiet,
    };
    const parts = { events: registeredEvents, packageRoot: REPOSITORY, terminal: NO_TERMINAL, system: this.places };
    expect(await runInit(context, parts)).toBe(0);
  }

  /** The folder of the installed version. */
  get folder(): string {
    const versions = path.join(this.world.home, "versions");
    return path.join(versions, fs.readdirSync(versions)[0] ?? "");
  }
}
