import type { Actor } from "./actor.ts";
import type { EventName, Json, ToolCall } from "./event.ts";
import type { BoardCounts, FileInfo, MovedPlaces, SpentSoFar } from "./ports.ts";
import type { ContextPolicy } from "./settings/config.ts";
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
  WaitVerdict,
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

/** What a person has answered to a permission request, and where. A type alias, because facts need JSON. */
export type PersonAnswer = {
  readonly says: "yes" | "no";
  /** For a no. */
  readonly reason: string;
  readonly by: "browser";
  readonly at: number;
};

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
  /**
   * How full the agent's context is, 0 to 1; undefined when it is not known. The status line reports it for nothing;
   * without its report the end of the transcript is read.
   */
  contextUsage(by?: "status line"): number | undefined;
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
  /** The options of that policy, if it is enforced for this event. */
  optionsOf(policy: string): Readonly<Record<string, unknown>> | undefined;
  readonly tmux: { hasSession(name: string): Promise<"alive" | "dead" | "unknown"> };
  readonly journal: { hasGuarded(toolUseId: string): boolean };
  readonly calls: RanCalls;
  /** The project's task board; undefined when it has none. */
  board(): BoardCounts | undefined;
  /** What the session and the project have spent; undefined while no transcript was read. Read by a job, so it lags. */
  spent(): SpentSoFar | undefined;
  /** Is there a process with this number? */
  isAlive(pid: number): boolean;
  /** What a person has answered to this very request; undefined while nobody has. */
  answer(): PersonAnswer | undefined;
  /** The state of another pack, to read only. */
  store<T>(definition: StoreDefinition<T>): T;

  deny(message: M, data?: MessageData, retry?: Retry): DenyVerdict;
  ask(message: M, data?: MessageData): AskVerdict;
  /** `pointer` says where the whole text is, should it have to be cut. */
  note(message: M, data?: MessageData, pointer?: string): NoteVerdict;
  /**
   * `ifPassed`: only when the stop that it is about really passes. `alert`: the same, and the person's terminal notifies
   * instead of a line in the conversation.
   */
  notice(message: M, data?: MessageData, how?: "ifPassed" | "alert"): NoticeVerdict;
  hold(message: M, data: MessageData, options: HoldOptions): HoldVerdict;
  release(message: M, policies: readonly string[], data?: MessageData): ReleaseVerdict;
  rewrite(message: M, value: unknown, data?: MessageData): RewriteVerdict;
  approve(message: M, data?: MessageData): ApproveVerdict;
  /** Keeps the agent waiting for an answer that a person may give elsewhere; see `answer`. */
  wait(message: M, data?: MessageData): WaitVerdict;
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
  /** Is the agent kept waiting for an answer that a person may give elsewhere? */
  readonly isWaiting: boolean;
  /** An exported file as it is now. */
  read<T>(parts: readonly [string, ...string[]], check: (value: Json) => T | undefined): T | undefined;
  /** What `on` has read of the outside; nothing is read again. */
  readonly looked: {
    list(folder: string): readonly string[] | undefined;
    info(path: string): FileInfo | undefined;
    realPath(path: string): string;
    text<T>(path: string, about: string): T | undefined;
    tail<T>(path: string): T | undefined;
    contextUsage(by?: "status line"): number | undefined;
    board(): BoardCounts | undefined;
    isAlive(pid: number): boolean;
  };
  /** The data of this message, if the policy sent it about this event. */
  said(message: M): MessageData | undefined;
  /** The state of another pack, to read only; with what policies before this one have written about this event. */
  store<T>(definition: StoreDefinition<T>): T;
  /** A note for the model, delivered with the next event of that name in this session. */
  later(event: EventName, message: M, data?: MessageData): void;
  /** Durable work that outlives the hook: retried until it succeeds or is given up. */
  job(name: string, args: Json): void;
  /** The same for work that changes nothing but our own database, so it is done in observe mode as well. */
  ownJob(name: string, args: Json): void;
  /** As `job`, but only when the daemon decides: a cold hook would have to start a process for the job. */
  residentJob(name: string, args: Json): void;
  /** Writes a JSON file that other programs read, after the commit; undefined removes it. */
  mirror(parts: readonly [string, ...string[]], value: Json | undefined): void;
  /** Adds to the end of a person's file, after the commit and once; `marker` is a part of the text that nothing else has. */
  append(parts: readonly [string, ...string[]], text: string, marker: string): void;
  /** The same for a file of plain text. */
  mirrorText(parts: readonly [string, ...string[]], text: string): void;
  /** Adds a line of JSON to a file that other programs read. False when one with this key was added before. */
  addLine(parts: readonly [string, ...string[]], key: string, value: Json): boolean;
  /** The person has answered in the agent's own dialog: this call, or whatever was open of this thread or session. */
  closeRequests(of: ToolCall | "thread" | "session"): void;
  /** Ends the swarm on the project's task board: claimed tasks are pending again, and none can be claimed. */
  endBoard(): void;
  readonly session: {
    /** No stop of this session is held until a person writes again. */
    cancelHolds(): void;
    handOver(isOn: boolean): void;
  };
}
