import path from "node:path";
import type { Adapter } from "../../agents/adapter.ts";
import type { Abilities } from "../../core/abilities.ts";
import { type Actor, actorOf, type Sender } from "../../core/actor.ts";
import { type AnyEvent, EVENTS, type Json } from "../../core/event.ts";
import { Facts } from "../../core/facts.ts";
import type { PersonAnswer, Places, RanCalls, SettledContext } from "../../core/policy.ts";
import type { BoardCounts, FileInfo, Ports, SpentSoFar } from "../../core/ports.ts";
import type { SessionFlags } from "../../core/session-flags.ts";
import type { ContextPolicy } from "../../core/settings/config.ts";
import { type Mirror, mirroredText } from "../../state/exported-files.ts";
import type { Home } from "../../system/home.ts";
import { runtimeDirOf } from "../../system/runtime-directory.ts";
import { homeFolder } from "../../system/user-folders.ts";
import type { ForeignFormats } from "../config/foreign-formats.ts";
import { usageFromTranscript } from "./context-usage.ts";
import { pathOf } from "./foreign-files.ts";

export const LARGEST_FOREIGN_FILE = 4 * 1024 * 1024;
const TRANSCRIPT_TAIL = 256 * 1024;

/** Everything the policies of one event share. */
export interface World {
  readonly event: AnyEvent;
  /** Undefined where the agent carries out whatever may be said of the event. */
  readonly abilities: Abilities | undefined;
  readonly actor: Actor;
  readonly places: Places;
  readonly facts: Facts;
  readonly env: Readonly<Record<string, string>>;
  readonly ports: Ports;
  readonly formats: ForeignFormats;
  readonly boardOf: WorldSources["boardOf"];
  readonly endBoard: WorldSources["endBoard"];
  /** Decided by the daemon and not by a cold client. */
  readonly isResident: boolean;
  readonly flags: SessionFlags;
  readonly calls: RanCalls;
  readonly contextPolicy: ContextPolicy;
  hasGuarded(toolUseId: string): boolean;
  mirrorOf(file: string): Mirror | undefined;
  spentBy(session: string): SpentSoFar | undefined;
}

export interface WorldSources {
  readonly ports: Ports;
  readonly formats: ForeignFormats;
  readonly isResident: boolean;
  readonly policyWorker: string;
  /** Reads the task board of a project. */
  boardOf(project: string, now: number): BoardCounts | undefined;
  /** Ends the swarm on the task board of a project. Returns what went wrong, in words. */
  endBoard(project: string, now: number, uid: number): string;
}

/** The part of a world that is known before the database is read. */
export type Surroundings = Omit<World, "hasGuarded" | "mirrorOf" | "spentBy" | "flags" | "calls" | "contextPolicy">;

export function surroundingsOf(
  event: AnyEvent,
  sender: Sender,
  adapter: Adapter,
  home: Home,
  { ports, formats, isResident, policyWorker, boardOf, endBoard }: WorldSources,
  facts = new Facts(),
): Surroundings {
  const { env } = sender;
  const actor = actorOf(event, sender, facts, ports);
  const places = new EventPlaces(home, env, ports, policyWorker, (userHome) =>
    adapter.settingsFiles(env, userHome, event.cwd, actor.project),
  );
  const abilities = abilitiesAt(event, adapter);
  return { event, abilities, actor, facts, ports, formats, env, isResident, places, boardOf, endBoard };
}

function abilitiesAt(event: AnyEvent, { declaration: { title, events } }: Adapter): Abilities | undefined {
  const can = events[event.agentEvent]?.can ?? [];
  return can === EVENTS[event.name].verdicts ? undefined : { agent: title, can };
}

/** A class, because V8 gives every object literal with getters a shape of its own and cannot optimise what reads it. */
class EventPlaces implements Places {
  readonly home: string;
  readonly personConfig: string;
  readonly userHome: string;
  readonly tempDir: string;
  readonly uid: number;
  readonly #policyWorker: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #settingsFiles: (userHome: string) => readonly string[];
  #agentSettings: readonly string[] | undefined;

  constructor(
    home: Home,
    env: Readonly<Record<string, string>>,
    { tempDir, uid }: Ports,
    policyWorker: string,
    settingsFiles: (userHome: string) => readonly string[],
  ) {
    this.home = home.root;
    this.personConfig = home.config;
    this.userHome = env.HOME || homeFolder();
    this.tempDir = tempDir;
    this.uid = uid;
    this.#policyWorker = policyWorker;
    this.#env = env;
    this.#settingsFiles = settingsFiles;
  }

  get runtimeDir(): string {
    return runtimeDirOf(this.#env, this.uid);
  }

  /** Every build has the program beside the worker. */
  get engine(): string {
    return path.join(path.dirname(this.#policyWorker), "engine");
  }

  get agentSettings(): readonly string[] {
    this.#agentSettings ??= this.#settingsFiles(this.userHome);
    return this.#agentSettings;
  }
}

/** How full the context is, 0 to 1: from the status line, else, unless only that is asked, from the end of the transcript. */
export function contextUsage(world: World, flags: SessionFlags, by?: "status line"): number | undefined {
  const { facts } = world;
  // A status line writes outside of any event, so what it said is a fact as well.
  if (by === "status line") return facts.read("status-line-usage", () => flags.contextUsage);
  return facts.read("context-usage", () => {
    const { transcript } = world.event;
    if (flags.contextUsage !== undefined || transcript === "") return flags.contextUsage;
    const tail = world.ports.readTail(transcript, TRANSCRIPT_TAIL);
    return tail === undefined ? undefined : usageFromTranscript(tail, world.env);
  });
}

/** What the policies have read of the outside so far; nothing is read again. */
export function recordedReads(world: World): SettledContext["looked"] {
  const { facts } = world;
  const notRead = () => undefined;
  return {
    list: (folder) => facts.read<readonly string[] | undefined>(`list:${folder}`, notRead),
    info: (file) => facts.read<FileInfo | undefined>(`info:${file}`, notRead),
    realPath: (file) => facts.readUnlessUsual(`real:${file}`, file, () => file),
    text: <T>(file: string, about: string) => facts.read<T | undefined>(`${about}:${file}`, notRead),
    tail: <T>(file: string) => facts.read<T | undefined>(`tail:${file}`, notRead),
    contextUsage: (by) => contextUsage(world, world.flags, by),
    board: () => facts.read<BoardCounts | undefined>(BOARD, notRead),
    isAlive: (pid) => facts.read<boolean>(`alive:${pid}`, () => false),
  };
}

const BOARD = "board";
/** The fact that holds what a person has answered to this very request. */
export const ANSWER = "answer";

/** An answer that was given is among the facts before anything is decided. */
export function personAnswer({ facts }: Pick<World, "facts">): PersonAnswer | undefined {
  return facts.readUnlessUsual<PersonAnswer | undefined>(ANSWER, undefined, () => undefined);
}

/** The project's task board. The file of a database in WAL mode keeps its time, so every event reads it anew. */
export function boardCounts({ facts, boardOf, actor, ports }: World): BoardCounts | undefined {
  return facts.read(BOARD, () => boardOf(actor.project, facts.read("now", ports.now)));
}

export function fileInfo(world: World, file: string): FileInfo | undefined {
  return world.facts.read(`info:${file}`, () => world.ports.info(file));
}

/** An exported file of ours that others may have changed: what the database says unless they did. */
export function readMirror<T>(
  world: World,
  parts: readonly [string, ...string[]],
  check: (value: Json) => T | undefined,
): T | undefined {
  const file = pathOf(parts);
  return parseForeignJson(mirroredText(world.mirrorOf(file), readForeign(world, file)), check);
}

export function readForeign(world: World, file: string): string | undefined {
  return world.facts.read(`file:${file}`, () => world.ports.readText(file, LARGEST_FOREIGN_FILE));
}

export function parseForeignJson<T>(text: string | undefined, check: (value: Json) => T | undefined): T | undefined {
  if (text === undefined) return undefined;
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    // A broken file of another program is left alone and counts as absent; the fact holds its text.
    return undefined;
  }
  return check(value);
}
