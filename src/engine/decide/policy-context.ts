import type { ActivePolicy } from "../../core/pipeline.ts";
import type { PolicyContext } from "../../core/policy.ts";
import { NOT_MOVED, type RunResult } from "../../core/ports.ts";
import { type VerdictBuilders, verdictBuilders } from "../../core/verdict-builders.ts";
import { GIT_QUERY_ENVIRONMENT } from "../../domain/git-loss.ts";
import { isFleetWorker } from "./fleet-worker.ts";
import { foreignFiles, pathOf } from "./foreign-files.ts";
import { tailWith } from "./wait-for-tail.ts";
import {
  boardCounts,
  contextUsage,
  fileInfo,
  LARGEST_FOREIGN_FILE,
  parseForeignJson,
  personAnswer,
  readForeign,
  readMirror,
  type World,
} from "./world.ts";

const TMUX_MS = 2_000;
const GIT_MS = 2_000;

/** Returns the function that makes the context of each policy that is asked about this event. */
export function policyContexts(
  world: World,
  policies: readonly ActivePolicy[],
  store: PolicyContext["store"],
): (active: ActivePolicy, getSignal: () => AbortSignal) => PolicyContext {
  const { actor, places, calls, contextPolicy } = world;
  const optionsOf = (id: string) =>
    policies.find(({ policy, mode }) => policy.id === id && mode === "enforce")?.options;
  const isEnforced = (id: string): boolean => optionsOf(id) !== undefined;
  const shared = { actor, places, calls, contextPolicy, isEnforced, optionsOf, store, ...sharedReads(world) };
  return (active, getSignal) => new Context(world, active, shared, getSignal);
}

type SharedReads = Pick<
  PolicyContext,
  | "now"
  | "realPath"
  | "movedPlaces"
  | "info"
  | "list"
  | "fleetWorker"
  | "contextUsage"
  | "read"
  | "glob"
  | "git"
  | "tmux"
  | "journal"
  | "board"
  | "spent"
  | "isAlive"
  | "answer"
>;
type Shared = SharedReads &
  Pick<PolicyContext, "actor" | "places" | "calls" | "contextPolicy" | "isEnforced" | "optionsOf" | "store">;

/**
 * What one policy sees of an event. A class with plain fields: V8 fills them quickly, and nothing is called to read one.
 * Most policies say nothing and wait for nothing, so what they need for that is made on demand.
 */
class Context implements PolicyContext {
  readonly options: PolicyContext["options"];
  readonly env: PolicyContext["env"];
  readonly actor: PolicyContext["actor"];
  readonly places: PolicyContext["places"];
  readonly calls: PolicyContext["calls"];
  readonly contextPolicy: PolicyContext["contextPolicy"];
  readonly isEnforced: PolicyContext["isEnforced"];
  readonly optionsOf: PolicyContext["optionsOf"];
  readonly store: PolicyContext["store"];
  readonly now: PolicyContext["now"];
  readonly realPath: PolicyContext["realPath"];
  readonly movedPlaces: PolicyContext["movedPlaces"];
  readonly info: PolicyContext["info"];
  readonly list: PolicyContext["list"];
  readonly fleetWorker: PolicyContext["fleetWorker"];
  readonly contextUsage: PolicyContext["contextUsage"];
  readonly read: PolicyContext["read"];
  readonly glob: PolicyContext["glob"];
  readonly git: PolicyContext["git"];
  readonly tmux: PolicyContext["tmux"];
  readonly journal: PolicyContext["journal"];
  readonly board: PolicyContext["board"];
  readonly spent: PolicyContext["spent"];
  readonly isAlive: PolicyContext["isAlive"];
  readonly answer: PolicyContext["answer"];
  readonly #messages: Readonly<Record<string, string>>;
  readonly #getSignal: () => AbortSignal;

  constructor(world: World, active: ActivePolicy, shared: Shared, getSignal: () => AbortSignal) {
    this.options = active.options;
    this.env = (name) => world.facts.variable(active.policy, world.env, name);
    this.actor = shared.actor;
    this.places = shared.places;
    this.calls = shared.calls;
    this.contextPolicy = shared.contextPolicy;
    this.isEnforced = shared.isEnforced;
    this.optionsOf = shared.optionsOf;
    this.store = shared.store;
    this.now = shared.now;
    this.realPath = shared.realPath;
    this.movedPlaces = shared.movedPlaces;
    this.info = shared.info;
    this.list = shared.list;
    this.fleetWorker = shared.fleetWorker;
    this.contextUsage = shared.contextUsage;
    this.read = shared.read;
    this.glob = shared.glob;
    this.git = shared.git;
    this.tmux = shared.tmux;
    this.journal = shared.journal;
    this.board = shared.board;
    this.spent = shared.spent;
    this.isAlive = shared.isAlive;
    this.answer = shared.answer;
    this.#messages = active.policy.messages;
    this.#getSignal = getSignal;
  }

  get signal(): AbortSignal {
    return this.#getSignal();
  }

  get deny() {
    return buildersFor(this.#messages).deny;
  }

  get ask() {
    return buildersFor(this.#messages).ask;
  }

  get note() {
    return buildersFor(this.#messages).note;
  }

  get notice() {
    return buildersFor(this.#messages).notice;
  }

  get hold() {
    return buildersFor(this.#messages).hold;
  }

  get release() {
    return buildersFor(this.#messages).release;
  }

  get rewrite() {
    return buildersFor(this.#messages).rewrite;
  }

  get approve() {
    return buildersFor(this.#messages).approve;
  }

  get wait() {
    return buildersFor(this.#messages).wait;
  }

  get end() {
    return buildersFor(this.#messages).end;
  }

  get watch() {
    return buildersFor(this.#messages).watch;
  }

  get environment() {
    return buildersFor(this.#messages).environment;
  }
}

const buildersOfMessages = new WeakMap<object, VerdictBuilders>();

/** The builders of a policy's verdicts depend on its messages alone, so they are made once. */
function buildersFor(messages: Readonly<Record<string, string>>): VerdictBuilders {
  const known = buildersOfMessages.get(messages) ?? verdictBuilders(messages);
  buildersOfMessages.set(messages, known);
  return known;
}

/** The reads of the outside, the same for all policies of an event. Each is a fact. */
function sharedReads(world: World): SharedReads {
  const { facts, ports } = world;
  const notLinks = new Set<string>();
  return {
    now: () => facts.read("now", ports.now),
    realPath: (file) => facts.readUnlessUsual(`real:${file}`, file, () => ports.realPath(file, notLinks)),
    movedPlaces: (places) =>
      facts.readUnlessUsual(`moved:${places.join(":")}`, NOT_MOVED, () => ports.movedPlaces(places)),
    info: (file) => fileInfo(world, file),
    list: (folder) => facts.read(`list:${folder}`, () => ports.list(folder)),
    fleetWorker: () => isFleetWorker(world),
    contextUsage: (by) => contextUsage(world, world.flags, by),
    read: {
      ...foreignFiles(world),
      json: (parts, check) => parseForeignJson(readForeign(world, pathOf(parts)), check),
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
    board: () => boardCounts(world),
    spent: () => facts.readUnlessUsual("spent", undefined, () => world.spentBy(world.event.session)),
    isAlive: (pid) => facts.read(`alive:${pid}`, () => ports.isAlive(pid)),
    answer: () => personAnswer(world),
  };
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
