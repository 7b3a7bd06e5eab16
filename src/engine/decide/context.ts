import type { Adapter } from "../../agents/adapter.ts";
import { type Actor, actorOf, type Sender } from "../../core/actor.ts";
import type { AnyEvent, Json } from "../../core/event.ts";
import type { Facts } from "../../core/facts.ts";
import type { ActivePolicy } from "../../core/pipeline.ts";
import type { Places, PolicyContext, RanCalls, SettledContext } from "../../core/policy.ts";
import { type FileInfo, NOT_MOVED, type Ports, type RunResult } from "../../core/ports.ts";
import type { SessionFlags } from "../../core/session-flags.ts";
import type { ContextPolicy } from "../../core/settings/config.ts";
import type { VerdictKind } from "../../core/verdict.ts";
import { GIT_QUERY_ENVIRONMENT } from "../../domain/git-loss.ts";
import { type Mirror, mirroredText } from "../../state/exported-files.ts";
import type { Home } from "../../system/home.ts";
import type { ForeignFormats } from "../config/foreign-formats.ts";
import { usageFromTranscript } from "./context-usage.ts";
import { EventPlaces } from "./event-places.ts";
import { isFleetWorker } from "./fleet-worker.ts";
import { foreignFiles, pathOf } from "./foreign-files.ts";
import { tailWith } from "./wait-for-tail.ts";

const LARGEST_FOREIGN_FILE = 4 * 1024 * 1024;
const TRANSCRIPT_TAIL = 256 * 1024;
const TMUX_MS = 2_000;
const GIT_MS = 2_000;

/** Everything the policies of one event share. */
export interface World {
  readonly event: AnyEvent;
  readonly actor: Actor;
  readonly places: Places;
  readonly facts: Facts;
  readonly env: Readonly<Record<string, string>>;
  readonly ports: Ports;
  readonly formats: ForeignFormats;
  /** Decided by the daemon, and not by the client itself. */
  readonly isResident: boolean;
  readonly flags: SessionFlags;
  readonly calls: RanCalls;
  readonly contextPolicy: ContextPolicy;
  hasGuarded(toolUseId: string): boolean;
  mirrorOf(file: string): Mirror | undefined;
}

interface Outside {
  readonly ports: Ports;
  readonly formats: ForeignFormats;
  readonly isResident: boolean;
  readonly policyWorker: string;
}

export function worldOf(
  event: AnyEvent,
  sender: Sender,
  adapter: Adapter,
  home: Home,
  facts: Facts,
  outside: Outside,
): Omit<World, "hasGuarded" | "mirrorOf" | "flags" | "calls" | "contextPolicy"> {
  const { env } = sender;
  const { ports, formats, isResident } = outside;
  const actor = actorOf(event, sender, facts, ports);
  const places = new EventPlaces(home, env, ports, outside.policyWorker, (userHome) =>
    adapter.settingsFiles(env, userHome, event.cwd, actor.project),
  );
  return { event, actor, facts, ports, formats, env, isResident, places };
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

/** The part of a context that all policies of an event share. */
export type Look = Omit<
  PolicyContext,
  "options" | "signal" | "env" | "isEnforced" | "actor" | "places" | "contextPolicy" | "calls" | VerdictKind
>;

export function lookAround(world: World): Look {
  const { facts, ports } = world;
  const plain = new Set<string>();
  return {
    now: () => facts.read("now", () => ports.now()),
    realPath: (file) => facts.readUnlessUsual(`real:${file}`, file, () => ports.realPath(file, plain)),
    movedPlaces: (places) => facts.readUnlessUsual(movedFact(places), NOT_MOVED, () => ports.movedPlaces(places)),
    info: (file) => lookAt(world, file),
    list: (folder) => facts.read(`list:${folder}`, () => ports.list(folder)),
    fleetWorker: () => isFleetWorker(world),
    contextUsage: () => contextUsage(world, world.flags),
    read: {
      ...foreignFiles(world),
      json: (parts, check) => parseJson(readFile(world, pathOf(parts)), check),
      mirror: (parts, check) => readMirror(world, parts, check),
      text: (file, about, digest, most = LARGEST_FOREIGN_FILE) =>
        facts.readUnlessUsual(`${about}:${file}`, undefined, () => {
          const text = ports.readText(file, most);
          return text === undefined ? undefined : digest(text);
        }),
      yaml: (file) => facts.read(`yaml:${file}`, () => world.formats.readYaml(file)),
      tail: <T>(file: string, bytes: number, pick: (text: string) => T) =>
        facts.read(`tail:${file}`, () => {
          const text = ports.readTail(file, bytes);
          return text === undefined ? undefined : pick(text);
        }),
      tailWith: (file, bytes, awaited, pick) =>
        facts.readLater(`tail:${file}`, () => tailWith(ports, { file, bytes, awaited }, pick)),
      sha256: (file) => facts.read(`sha256:${file}`, () => ports.sha256(file)),
    },
    glob: (pattern, file) => world.formats.matchesGlob(pattern, file),
    git: (folder, args, digest) =>
      facts.readLater(`git:${folder}:${args.join(" ")}`, async () => {
        const { code, stdout } = await git(world, folder, args);
        return digest(stdout, code);
      }),
    tmux: { hasSession: (name) => facts.readLater(`tmux:${name}`, () => tmuxSession(world, name)) },
    journal: { hasGuarded: (toolUseId) => world.hasGuarded(toolUseId) },
  };
}

/** The same looks, but only what is known by now. */
export function lookedAt(world: World): SettledContext["looked"] {
  const { facts } = world;
  const unseen = () => undefined;
  return {
    list: (folder) => facts.read<readonly string[] | undefined>(`list:${folder}`, unseen),
    info: (file) => facts.read<FileInfo | undefined>(`info:${file}`, unseen),
    realPath: (file) => facts.readUnlessUsual(`real:${file}`, file, () => file),
    text: <T>(file: string, about: string) => facts.read<T | undefined>(`${about}:${file}`, unseen),
    tail: <T>(file: string) => facts.read<T | undefined>(`tail:${file}`, unseen),
    contextUsage: () => contextUsage(world, world.flags),
  };
}

export function lookAt(world: World, file: string): FileInfo | undefined {
  return world.facts.read(`info:${file}`, () => world.ports.info(file));
}

const moved = new WeakMap<readonly string[], string>();

/** What a list of places is called among the facts; a list is the same one as long as nothing in it changes. */
function movedFact(places: readonly string[]): string {
  const name = moved.get(places) ?? `moved:${places.join(":")}`;
  moved.set(places, name);
  return name;
}

const facts = new Map<string, string>();

/** What a variable is called among the facts; put together once, as many policies ask for the same few. */
function factOf(variable: string): string {
  const name = facts.get(variable) ?? `env:${variable}`;
  facts.set(variable, name);
  return name;
}

export function declaredEnv(world: World, { policy }: ActivePolicy, name: string): string | undefined {
  return policy.reads?.env.includes(name) ? world.facts.keep(factOf(name), world.env[name]) : undefined;
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

/** Asked with the hook's own environment: which tmux server is meant depends on it. */
async function tmuxSession(world: World, name: string): Promise<"alive" | "dead" | "unknown"> {
  const result = await world.ports.run("tmux", ["has-session", "-t", `=${name}`], { ...world.env }, TMUX_MS);
  if (result.code === 0) return "alive";
  return result.missing || result.code === null ? "unknown" : "dead";
}

function git(world: World, folder: string, args: readonly string[]): Promise<RunResult> {
  const env = { ...world.env, ...GIT_QUERY_ENVIRONMENT };
  return world.ports.run("git", ["-C", folder, ...args], env, GIT_MS);
}
