import type * as Zod from "zod";
import type { Actor } from "./actor.ts";
import type { AnyEvent, EventName, EventOf, Json, ToolKind } from "./event.ts";
import type { FileInfo, MovedPlaces } from "./ports.ts";
import type { ContextPolicy } from "./settings/config.ts";
import type { StageName } from "./stages.ts";
import type { StoreDefinition } from "./store.ts";
import type {
  ApproveVerdict,
  AskVerdict,
  DenyVerdict,
  EndVerdict,
  EnvironmentVerdict,
  HoldVerdict,
  NoteVerdict,
  NoticeVerdict,
  ReleaseVerdict,
  Retry,
  RewriteVerdict,
  Verdict,
  WatchVerdict,
} from "./verdict.ts";

export type MessageData = Readonly<Record<string, string | number>>;

export interface HoldOptions {
  readonly strength?: "soft" | "hard";
  readonly rank?: number;
  readonly progress?: string;
  readonly limit?: number;
  readonly once?: boolean;
  readonly exit: string;
}

/** A YAML file of other people. `detail` is a sentence that names the file and, if it can, the line. */
export type YamlRead =
  | { readonly kind: "absent" }
  | { readonly kind: "data"; readonly value: Json }
  | { readonly kind: "unreadable"; readonly detail: string };

/** Text files that people and other programs write. A file that cannot be read counts as absent. */
export interface ForeignFiles {
  /** `parts` after the first become single safe path segments. */
  toml<T>(parts: readonly [string, ...string[]], check: (value: Json) => T | undefined): T | undefined;
  /** The nearest file of this name from the event's directory up to the project's root. */
  tomlAbove<T>(name: string, check: (value: Json, file: string) => T | undefined): T | undefined;
  /** The front matter at the top of a Markdown file. */
  frontMatter(parts: readonly [string, ...string[]]): string | undefined;
}

/** How many tool calls of the session have run; known at a stop and at a prompt only. A denied call has not run. */
export interface RanCalls {
  readonly sinceStop: number;
  /** Undefined when no prompt of a person was seen in this session. */
  readonly sincePrompt: number | undefined;
}

/** What a policy may read and answer. Every read of the outside is a fact, recorded with the event. */
export interface PolicyContext<M extends string = string, O = unknown> {
  readonly options: O;
  readonly actor: Actor;
  readonly signal: AbortSignal;
  now(): number;
  /** Only names the policy declared under `reads.env`. */
  env(name: string): string | undefined;
  realPath(path: string): string;
  /** The real paths of those of these places that are links. They hardly ever change, so they are read once a second. */
  movedPlaces(places: readonly string[]): MovedPlaces;
  info(path: string): FileInfo | undefined;
  /** The names in a folder; undefined when there is no such folder. */
  list(folder: string): readonly string[] | undefined;
  readonly places: Places;
  /** Is this agent itself a worker of a tmux fleet, whose orchestrator decides? */
  fleetWorker(): Promise<boolean>;
  /** How full the agent's context is, 0 to 1; undefined when it is not known. */
  contextUsage(): number | undefined;
  /** Is a full context compacted, or is the work handed over to a fresh start? */
  readonly contextPolicy: ContextPolicy;
  readonly read: ForeignFiles & {
    /** A JSON file of another program. `parts` after the first become single safe path segments. */
    json<T>(parts: readonly [string, ...string[]], check: (value: Json) => T | undefined): T | undefined;
    /** An exported file of ours that others may change; see `mirror` of the settled context. */
    mirror<T>(parts: readonly [string, ...string[]], check: (value: Json) => T | undefined): T | undefined;
    /** What `digest` returns for a text file of at most so many bytes. The result, not the text, is the fact `about`. */
    text<T>(path: string, about: string, digest: (text: string) => T, most?: number): T | undefined;
    yaml(path: string): YamlRead;
    /** What `pick` returns for the end of a file that may be large; only the result is a fact. */
    tail<T>(path: string, bytes: number, pick: (text: string) => T): T | undefined;
    /** The same for a file that is written later than the event: waits shortly until it contains `awaited`. */
    tailWith<T>(path: string, bytes: number, awaited: string, pick: (text: string) => T): Promise<T | undefined>;
    /** Of a whole file; undefined when it is not there. */
    sha256(path: string): string | undefined;
  };
  /** Does this glob mean this path? Undefined for what is no glob. */
  glob(pattern: string, path: string): boolean | undefined;
  /**
   * What `digest` finds in git's answer to these arguments in that folder; that is kept as a fact. Nothing of the
   * repository's own is started. The code is null when git is missing or did not end in time.
   */
  git<T>(folder: string, args: readonly string[], digest: (text: string, code: number | null) => T): Promise<T>;
  /** Is that policy enforced for this event as well? */
  isEnforced(policy: string): boolean;
  readonly tmux: { hasSession(name: string): Promise<"alive" | "dead" | "unknown"> };
  readonly journal: { hasGuarded(toolUseId: string): boolean };
  readonly calls: RanCalls;

  deny(message: M, data?: MessageData, retry?: Retry): DenyVerdict;
  ask(message: M, data?: MessageData): AskVerdict;
  /** `pointer` says where the whole text is, should it have to be cut. */
  note(message: M, data?: MessageData, pointer?: string): NoteVerdict;
  /** `ifPassed`: only when the stop that it is about really passes. */
  notice(message: M, data?: MessageData, ifPassed?: "ifPassed"): NoticeVerdict;
  hold(message: M, data: MessageData, options: HoldOptions): HoldVerdict;
  release(message: M, policies: readonly string[], data?: MessageData): ReleaseVerdict;
  rewrite(message: M, value: unknown, data?: MessageData): RewriteVerdict;
  approve(message: M, data?: MessageData): ApproveVerdict;
  end(message: M, data?: MessageData): EndVerdict;
  watch(message: M, paths: readonly string[], data?: MessageData): WatchVerdict;
  environment(message: M, variables: Readonly<Record<string, string>>, data?: MessageData): EnvironmentVerdict;
}

/** Places of ours that policies guard. */
export interface Places {
  readonly home: string;
  readonly personConfig: string;
  readonly runtimeDir: string;
  readonly userHome: string;
  /** The agent's own settings files for this event. */
  readonly agentSettings: readonly string[];
  readonly tempDir: string;
  readonly uid: number;
  /** The program `engine` that came with the running build, by its absolute path; it may be missing. */
  readonly engine: string;
}

/** What became of a policy's verdict. */
export type Fate = "sent" | "dropped" | "observed" | "silent";

export interface SettledContext<M extends string = string, O = unknown> {
  readonly options: O;
  readonly actor: Actor;
  now(): number;
  /** Only names the policy declared under `reads.env`. */
  env(name: string): string | undefined;
  readonly places: Places;
  info(path: string): FileInfo | undefined;
  readonly foreign: ForeignFiles;
  readonly contextPolicy: ContextPolicy;
  /** The policy whose word decided; empty when nothing was decided. */
  readonly decidedBy: string;
  /** The outcome of the merged ruling. */
  readonly outcome: "pass" | "deny" | "ask" | "hold" | "approve";
  /** An exported file as it is now. */
  read<T>(parts: readonly [string, ...string[]], check: (value: Json) => T | undefined): T | undefined;
  /** What `on` has read of the outside; nothing is read again. */
  readonly looked: {
    list(folder: string): readonly string[] | undefined;
    info(path: string): FileInfo | undefined;
    realPath(path: string): string;
    text<T>(path: string, about: string): T | undefined;
    tail<T>(path: string): T | undefined;
    contextUsage(): number | undefined;
  };
  /** The data of this message, if the policy sent it about this event. */
  said(message: M): MessageData | undefined;
  /** A note for the model, delivered with the next event of that name in this session. */
  later(event: EventName, message: M, data?: MessageData): void;
  /** Durable work that outlives the hook: retried until it succeeds or is given up. */
  job(name: string, args: Json): void;
  /** The same, but only when the daemon decides: a cold hook would have to start a process for the job. */
  residentJob(name: string, args: Json): void;
  /** Writes a JSON file that other programs read, after the commit; undefined removes it. */
  mirror(parts: readonly [string, ...string[]], value: Json | undefined): void;
  /** Adds to the end of a person's file, after the commit and once; `marker` is a part of the text that nothing else has. */
  append(parts: readonly [string, ...string[]], text: string, marker: string): void;
  /** The same for a file of plain text. */
  mirrorText(parts: readonly [string, ...string[]], text: string): void;
  /** Adds a line of JSON to a file that other programs read. False when one with this key was added before. */
  addLine(parts: readonly [string, ...string[]], key: string, value: Json): boolean;
  readonly session: {
    /** No stop of this session is held until a person writes again. */
    cancelHolds(): void;
    handOver(isOn: boolean): void;
  };
}

type Answer = Verdict | readonly Verdict[] | undefined;

export interface PolicyDefinition<M extends string, O extends Zod.ZodObject, S> {
  /** `pack/name`, the same as its path. */
  readonly id: string;
  readonly summary: string;
  /** The accident it prevents. */
  readonly why: string;
  readonly origin?: string;
  readonly stage: StageName;
  /** Skips the policy without loading or calling it. */
  readonly filter?: { readonly kinds: readonly ToolKind[] };
  /** A thunk, so that no validator is loaded on the hook path. */
  readonly options?: (z: typeof Zod) => O;
  readonly messages: Readonly<Record<M, string>>;
  /** Shown in the documentation and run by the policy's test. */
  readonly examples: { readonly hit: readonly [string, ...string[]]; readonly pass: readonly [string, ...string[]] };
  readonly reads?: { readonly env: readonly string[] };
  readonly uses?: StoreDefinition<S>;
  /**
   * While this returns false, no handler is called. Policies of a pack share one condition, which is asked once; they
   * use the same store and read the same environment.
   */
  readonly when?: When<S>;
  readonly on: {
    readonly [N in EventName]?: (
      event: EventOf<N>,
      ctx: PolicyContext<M, Zod.output<O>>,
      store: S,
    ) => Answer | Promise<Answer>;
  };
  /** The only place that writes: synchronous, in the event's transaction. */
  readonly settled?: {
    readonly [N in EventName]?: (
      event: EventOf<N>,
      fate: Fate,
      ctx: SettledContext<M, Zod.output<O>>,
      store: S,
    ) => void;
  };
}

/** Does the event concern the policies of a pack at all? Decided without reading the outside. */
export type When<S = never> = (event: AnyEvent, ctx: Pick<PolicyContext, "places" | "env">, store: S) => boolean;

/** A policy without its own type parameters, as the engine handles it. */
export type Policy = PolicyDefinition<string, Zod.ZodObject, never>;

export function policy<const M extends string, O extends Zod.ZodObject = Zod.ZodObject, S = undefined>(
  definition: PolicyDefinition<M, O, S>,
): Policy {
  const { id, summary, why, origin, stage, filter, options, messages, examples, reads, uses, when, on, settled } =
    definition;
  // All policies have the same fields in the same order, so that V8 reads them quickly.
  const policy = {
    id,
    summary,
    why,
    origin,
    stage,
    filter,
    options,
    messages,
    examples,
    reads,
    uses,
    when,
    on,
    settled,
  };
  // The engine only ever hands a policy the options and the store that this very definition declared.
  return policy as unknown as Policy;
}

/** What the generated registry knows of a policy without loading it. */
export interface RegistryEntry {
  readonly id: string;
  readonly pack: string;
  readonly stage: StageName;
  readonly events: readonly EventName[];
  readonly kinds?: readonly ToolKind[];
  /** Environment names the policy reads; clients send these and no others. */
  readonly env: readonly string[];
  /** Options when nobody configured any. */
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly load: () => Promise<{ readonly default: Policy }>;
}
