import os from "node:os";
import path from "node:path";
import type { Adapter } from "../agents/adapter.ts";
import { type Actor, actorOf } from "../core/actor.ts";
import { usageFromTranscript } from "../core/context-usage.ts";
import type { AnyEvent, Json } from "../core/event.ts";
import type { Facts } from "../core/facts.ts";
import type { Home } from "../core/home.ts";
import type { ActivePolicy } from "../core/pipeline.ts";
import type { GitAnswer, Places, PolicyContext } from "../core/policy.ts";
import type { FileInfo, Ports } from "../core/ports.ts";
import { runtimeDirOf } from "../core/runtime-dir.ts";
import { safeName } from "../core/safe-name.ts";
import type { SessionFlags } from "../core/session-flags.ts";
import { verdictBuilders } from "../core/verdict-builders.ts";
import { ASKING_ENVIRONMENT } from "../domain/git-loss.ts";
import { type Mirror, mirroredText } from "../state/mirrors.ts";
import { isFleetWorker } from "./fleet-worker.ts";

const LARGEST_FOREIGN_FILE = 4 * 1024 * 1024;
const TRANSCRIPT_TAIL = 256 * 1024;
const TMUX_MS = 2_000;
const GIT_MS = 1_000;

/** Everything the policies of one event share. */
export interface World {
  readonly event: AnyEvent;
  readonly actor: Actor;
  readonly places: Places;
  readonly facts: Facts;
  readonly env: Readonly<Record<string, string>>;
  readonly ports: Ports;
  readonly flags: SessionFlags;
  hasGuarded(toolUseId: string): boolean;
  mirrorOf(file: string): Mirror | undefined;
}

export function worldOf(
  event: AnyEvent,
  env: Readonly<Record<string, string>>,
  adapter: Adapter,
  home: Home,
  facts: Facts,
  ports: Ports,
): Omit<World, "hasGuarded" | "mirrorOf" | "flags"> {
  const actor = actorOf(event, env, facts, ports);
  const userHome = env.HOME || os.homedir();
  return {
    event,
    actor,
    facts,
    ports,
    env,
    places: {
      home: home.root,
      personConfig: home.config,
      runtimeDir: runtimeDirOf(env, ports.uid),
      userHome,
      agentSettings: adapter.settingsFiles(env, userHome, event.cwd, actor.project),
      tempDir: ports.tempDir,
      uid: ports.uid,
    },
  };
}

/** How full the context is, 0 to 1: what the status line said, else what the transcript's end says. */
export function contextUsage(world: World, flags: SessionFlags): number | undefined {
  if (flags.contextUsage !== undefined) return flags.contextUsage;
  const { transcript } = world.event;
  if (transcript === "") return undefined;
  return world.facts.read("context-usage", () => {
    const tail = world.ports.readTail(transcript, TRANSCRIPT_TAIL);
    return tail === undefined ? undefined : usageFromTranscript(tail);
  });
}

export function contextFor(
  world: World,
  active: ActivePolicy,
  signal: () => AbortSignal,
  all: readonly ActivePolicy[],
): PolicyContext {
  const { facts, ports } = world;
  return {
    options: active.options,
    actor: world.actor,
    places: world.places,
    get signal() {
      return signal();
    },
    now: () => facts.read("now", () => ports.now()),
    env: (name) => declaredEnv(world, active, name),
    realPath: (file) => facts.readUnlessUsual(`real:${file}`, file, () => ports.realPath(file)),
    info: (file) => infoOf(world, file),
    git: (folder, args) => facts.readLater(`git:${folder}:${args.join(" ")}`, () => askGit(world, folder, args)),
    isEnforced: (id) => all.some(({ policy, mode }) => policy.id === id && mode === "enforce"),
    fleetWorker: () => isFleetWorker(world),
    contextUsage: () => contextUsage(world, world.flags),
    read: {
      json: (parts, check) => parseJson(readFile(world, pathOf(parts)), check),
      mirror: (parts, check) => readMirror(world, parts, check),
      sha256: (file) => facts.read(`sha256:${file}`, () => ports.sha256(file)),
    },
    tmux: { hasSession: (name) => facts.readLater(`tmux:${name}`, () => tmuxSession(world, name)) },
    journal: { hasGuarded: (toolUseId) => world.hasGuarded(toolUseId) },
    ...verdictBuilders(active.policy.messages),
  };
}

export function declaredEnv(world: World, { policy }: ActivePolicy, name: string): string | undefined {
  return policy.reads?.env.includes(name) ? world.facts.read(`env:${name}`, () => world.env[name]) : undefined;
}

/** A file of ours that others may have changed: what the database says unless they did. */
export function readMirror<T>(
  world: World,
  parts: readonly [string, ...string[]],
  check: (value: Json) => T | undefined,
): T | undefined {
  const file = pathOf(parts);
  return parseJson(mirroredText(world.mirrorOf(file), readFile(world, file)), check);
}

/** The first part is trusted; every further one is an outside name and becomes a single safe segment. */
export function pathOf([base, ...names]: readonly [string, ...string[]]): string {
  return path.join(base, ...names.map(safeName));
}

function readFile(world: World, file: string): string | undefined {
  return world.facts.read(`file:${file}`, () => world.ports.readText(file, LARGEST_FOREIGN_FILE));
}

function parseJson<T>(text: string | undefined, check: (value: Json) => T | undefined): T | undefined {
  if (text === undefined) return undefined;
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    // Another program's broken file is left alone and counts as absent; the fact keeps what was read.
    return undefined;
  }
  return check(value);
}

export function infoOf({ facts, ports }: World, file: string): FileInfo | undefined {
  return facts.read<FileInfo | undefined>(`info:${file}`, () => ports.info(file));
}

async function askGit(world: World, folder: string, args: readonly string[]): Promise<GitAnswer> {
  const { code, stdout } = await world.ports.run(
    "git",
    ["-C", folder, ...args],
    { ...world.env, ...ASKING_ENVIRONMENT },
    GIT_MS,
  );
  return { code, stdout };
}

/** Asked with the hook's own environment: which tmux server is meant depends on it. */
async function tmuxSession(world: World, name: string): Promise<"alive" | "dead" | "unknown"> {
  const result = await world.ports.run("tmux", ["has-session", "-t", `=${name}`], { ...world.env }, TMUX_MS);
  if (result.code === 0) return "alive";
  return result.missing || result.code === null ? "unknown" : "dead";
}
