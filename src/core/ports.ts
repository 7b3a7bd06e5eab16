/** The outside world, as far as a decision may read it. Policies reach it only through their context. */
export interface RunResult {
  /** Exit code, or null when the program could not be started or was ended by the deadline. */
  readonly code: number | null;
  readonly stdout: string;
  readonly missing: boolean;
}

export interface FileInfo {
  readonly kind: "file" | "directory" | "link" | "other";
  readonly uid: number;
  readonly mode: number;
}

/** How many tasks of each kind a project's task board has, and the first open ones; or why it cannot be read. */
export type BoardCounts =
  | {
      readonly total: number;
      readonly pending: number;
      readonly claimed: number;
      readonly done: number;
      readonly failed: number;
      readonly open: readonly { readonly id: string; readonly text: string; readonly agent?: string }[];
      /** When a task was completed or failed last; absent while none is. */
      readonly lastEndedAt?: number;
      /** Its open tasks cannot be claimed, because the swarm was ended. */
      readonly isEnded: boolean;
    }
  | { readonly unreadable: string };

/** What was spent, as far as transcripts were read. */
export interface SpentSoFar {
  /** By this session, from its beginning. */
  readonly session: Spending;
  /** By all sessions of the project on each day; `age` 0 is today, in UTC. */
  readonly days: readonly (Spending & { readonly age: number })[];
}

export interface Spending {
  readonly dollars: number;
  /** Without what was read from the cache. */
  readonly tokens: number;
  /** Those of models whose price is not known, which `dollars` does not have. */
  readonly unpriced: number;
}

/** Real paths of places that are links, by the name of the place. */
export type MovedPlaces = Readonly<Record<string, string>>;
export const NOT_MOVED: MovedPlaces = {};

export interface Ports {
  now(): number;
  readText(path: string, maxBytes: number): string | undefined;
  /** The last `bytes` of a file that may be large and still growing. */
  readTail(path: string, bytes: number): string | undefined;
  info(path: string): FileInfo | undefined;
  /** The kind alone: to change it, the file has to be removed first. */
  kind(path: string): FileInfo["kind"] | undefined;
  sha256(path: string): string | undefined;
  /** The names in a folder; undefined when there is no such folder. */
  list(path: string): readonly string[] | undefined;
  /** Changes whenever the file does; undefined when it is not there. */
  stamp(path: string): string | undefined;
  isAlive(pid: number): boolean;
  /**
   * Resolves links of the deepest part that exists; the rest is appended unchanged. `plain` collects paths that are no
   * links, for callers that ask about many paths at once.
   */
  realPath(path: string, plain?: Set<string>): string;
  /** The real paths of those places that are links, at most a second old; `NOT_MOVED` when none is. */
  movedPlaces(places: readonly string[]): MovedPlaces;
  run(command: string, args: readonly string[], env: Readonly<Record<string, string>>, ms: number): Promise<RunResult>;
  readonly uid: number;
  readonly tempDir: string;
}
