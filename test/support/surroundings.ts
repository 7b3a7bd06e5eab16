/** What lies and runs around a world's daemons, and how to leave nothing of it behind. */
import fs from "node:fs";
import path from "node:path";
import { test as base, expect } from "vitest";
import { runDoctor } from "../../src/cli/commands/doctor/run.ts";
import { folderHash } from "../../src/cli/commands/trust/policy-folder.ts";
import { systemPlaces } from "../../src/cli/installation/system-folders.ts";
import { trustFileAt } from "../../src/engine/config/trust.ts";
import { policyText } from "../../src/engine/project-policies/project-policies.samples.ts";
import { forbiddenWrite, harmlessWrite } from "./events.ts";
import { argumentsOf, killByPid, processesWith, sleep } from "./processes.ts";
import { CLIENTS, type ClientKind, DIST, isMissing, World } from "./world.ts";

export const USABLE_CLIENTS: readonly ClientKind[] = CLIENTS.filter((client) => !isMissing(client));

/** For a client that gives a daemon three seconds, where the daemon itself has to answer and the machine may be busy. */
export const PATIENT: readonly string[] = ["--deadline-ms", "12000"];

/** The faster one, where it does not matter which. */
export const [ANY_CLIENT = "node"] = USABLE_CLIENTS;

/** These tests mostly wait, so they run side by side: each has worlds of its own, and fails if it leaves anything. */
export const test = base.extend<{ makeWorld: () => World }>({
  makeWorld: async ({ task: _task }, use) => {
    const worlds: World[] = [];
    await use(() => {
      const world = new World();
      worlds.push(world);
      return world;
    });
    for (const world of worlds) await expectNothingLeft(world).finally(() => world.dispose());
  },
});

/** The folder that holds socket, lock and stamps. */
export function runtimeDir(world: World): string {
  return path.dirname(world.socket);
}

export function stamp(world: World, kind: "starting" | "slow"): string {
  return world.socket.replace(/sock$/, kind);
}

/** Waits for something that another process brings about. */
export async function eventually<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  limitMs = 60_000,
): Promise<T> {
  for (const end = performance.now() + limitMs; performance.now() < end; await sleep(20)) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
  }
  throw new Error(`${what} did not come about`);
}

/** The world's daemons, of every build, found by the home in their environment. */
export function daemonsOf(world: World): number[] {
  const ours = processesWith(`HOOKWRIGHT_HOME=${world.home}`);
  return ours.filter((pid) => argumentsOf(pid).some((arg) => arg.endsWith("daemon.cjs")));
}

/** Asks every daemon to end, and fails when one stays, or anything else that belongs to this world. */
async function expectNothingLeft(world: World): Promise<void> {
  // One that is still starting dies of the signal at once, and its stamp with nobody to remove it stays.
  await eventually("a daemon's start", () => daemonsOf(world).length === 0 || !fs.existsSync(stamp(world, "starting")));
  for (const pid of daemonsOf(world)) {
    killByPid(pid, "SIGTERM");
    // One that is stopped gets the first signal only now.
    killByPid(pid, "SIGCONT");
  }
  const ours = `HOOKWRIGHT_HOME=${world.home}`;
  await eventually("the end of all processes", () => processesWith(ours).length === 0);
  const files = fs.existsSync(runtimeDir(world)) ? fs.readdirSync(runtimeDir(world)) : [];
  expect(files.filter((name) => /\.(?:sock|new|starting)$/.test(name))).toEqual([]);
}

/** A policy of the project's own for calls that are about to run, as `hookwright trust` records it. */
export function trustPolicy(world: World, name: string, handler: string): void {
  const folder = path.join(world.project, ".hookwright");
  fs.mkdirSync(path.join(folder, "policies"), { recursive: true });
  fs.writeFileSync(path.join(folder, "policies", `${name}.js`), policyText(name, handler));
  fs.mkdirSync(world.home, { recursive: true, mode: 0o700 });
  const record = { file: fs.realpathSync(folder), sha256: folderHash(folder), at: "2026-01-01T00:00:00.000Z" };
  fs.writeFileSync(trustFileAt(world.home), JSON.stringify([record]), { mode: 0o600 });
}

interface Ways {
  /** For the client. */
  readonly args?: readonly string[];
  readonly daemon?: boolean;
  readonly clients?: readonly ClientKind[];
}

/** One forbidden and one harmless call through every client: whatever is the matter, both are decided right. */
export async function expectGuarded(world: World, name: string, ways: Ways = {}): Promise<string[]> {
  const said: string[] = [];
  const { daemon = true, clients = USABLE_CLIENTS, args = [] } = ways;
  for (const client of clients) {
    const denied = await world.send(forbiddenWrite(world, `${name}-${client}-denied`), { client, daemon }, { args });
    expect(denied, `${name} ${client}`).toMatchObject({ exit: 2, signal: null });
    expect(denied.stderr).toContain("git's own storage");
    const passed = await world.send(harmlessWrite(world, `${name}-${client}-passed`), { client, daemon }, { args });
    expect(passed, `${name} ${client}`).toMatchObject({ exit: 0, stdout: "" });
    said.push(denied.stderr, passed.stderr);
  }
  return said;
}

interface Report {
  readonly daemon: { readonly state: string };
  readonly findings: readonly { readonly name: string; readonly level: string; readonly detail: string }[];
}

/** What `hookwright doctor` reports, by finding, without the time it takes to measure speed. */
export async function doctor(world: World): Promise<{ state: string; says(name: string): string }> {
  let said = "";
  const out = (text: string): void => {
    said += text;
  };
  const places = systemPlaces(path.join(world.root, "machine"), process.getuid?.() ?? 0);
  const terminal = { input: process.stdin, output: process.stdout };
  await runDoctor(
    { args: [], options: { json: true }, cwd: world.project, env: world.environment, out, err: out },
    { dist: DIST, packageRoot: path.dirname(DIST), places, terminal, runs: 0 },
  );
  return readReport(said);
}

export function readReport(text: string): { state: string; says(name: string): string } {
  const { daemon, findings } = JSON.parse(text) as Report;
  return {
    state: daemon.state,
    says(name) {
      const found = findings.find((finding) => finding.name === name);
      return found ? `${found.level}: ${found.detail}` : "nothing";
    },
  };
}
