import type { ActivePolicy } from "../../core/pipeline.ts";
import type { PolicyContext } from "../../core/policy.ts";
import { type VerdictBuilders, verdictBuilders } from "../../core/verdict-builders.ts";
import { declaredEnv, type Look, lookAround, type World } from "./context.ts";

/** What the contexts of one event have in common. */
export class Shared {
  readonly world: World;
  readonly policies: readonly ActivePolicy[];
  #look: Look | undefined;

  constructor(world: World, policies: readonly ActivePolicy[]) {
    this.world = world;
    this.policies = policies;
  }

  get look(): Look {
    this.#look ??= lookAround(this.world);
    return this.#look;
  }
}

const speech = new WeakMap<object, VerdictBuilders>();

function buildersFor(messages: Readonly<Record<string, string>>): VerdictBuilders {
  const known = speech.get(messages) ?? verdictBuilders(messages);
  speech.set(messages, known);
  return known;
}

/**
 * What one policy sees of an event. There are many policies to an event, and most of them ask for little and say
 * nothing, so each has three fields and everything else is looked up in what is shared.
 */
export class Context implements PolicyContext {
  readonly #shared: Shared;
  readonly #active: ActivePolicy;
  readonly #getSignal: () => AbortSignal;

  constructor(shared: Shared, active: ActivePolicy, getSignal: () => AbortSignal) {
    this.#shared = shared;
    this.#active = active;
    this.#getSignal = getSignal;
  }

  isEnforced(id: string): boolean {
    return this.#shared.policies.some(({ policy, mode }) => policy.id === id && mode === "enforce");
  }

  get options() {
    return this.#active.options;
  }

  get signal() {
    return this.#getSignal();
  }

  get env() {
    return (name: string): string | undefined => declaredEnv(this.#shared.world, this.#active, name);
  }

  get #speaks(): VerdictBuilders {
    return buildersFor(this.#active.policy.messages);
  }

  get actor() {
    return this.#shared.world.actor;
  }

  get places() {
    return this.#shared.world.places;
  }

  get now() {
    return this.#shared.look.now;
  }

  get realPath() {
    return this.#shared.look.realPath;
  }

  get movedPlaces() {
    return this.#shared.look.movedPlaces;
  }

  get info() {
    return this.#shared.look.info;
  }

  get list() {
    return this.#shared.look.list;
  }

  get fleetWorker() {
    return this.#shared.look.fleetWorker;
  }

  get contextUsage() {
    return this.#shared.look.contextUsage;
  }

  get contextPolicy() {
    return this.#shared.world.contextPolicy;
  }

  get calls() {
    return this.#shared.world.calls;
  }

  get read() {
    return this.#shared.look.read;
  }

  get glob() {
    return this.#shared.look.glob;
  }

  get git() {
    return this.#shared.look.git;
  }

  get tmux() {
    return this.#shared.look.tmux;
  }

  get journal() {
    return this.#shared.look.journal;
  }

  get deny() {
    return this.#speaks.deny;
  }

  get ask() {
    return this.#speaks.ask;
  }

  get note() {
    return this.#speaks.note;
  }

  get notice() {
    return this.#speaks.notice;
  }

  get hold() {
    return this.#speaks.hold;
  }

  get release() {
    return this.#speaks.release;
  }

  get rewrite() {
    return this.#speaks.rewrite;
  }

  get approve() {
    return this.#speaks.approve;
  }

  get end() {
    return this.#speaks.end;
  }

  get watch() {
    return this.#speaks.watch;
  }

  get environment() {
    return this.#speaks.environment;
  }
}
