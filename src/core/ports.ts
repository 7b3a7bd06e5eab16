/** The outside world, as far as a decision may look at it. Policies reach it only through their context. */
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

/** Where places really lie, by their name. */
export type MovedPlaces = Readonly<Record<string, string>>;
export const NOT_MOVED: MovedPlaces = {};

export interface Ports {
  now(): number;
  readText(path: string, maxBytes: number): string | undefined;
  /** The last `bytes` of a file that may be large and still growing. */
  readTail(path: string, bytes: number): string | undefined;
  info(path: string): FileInfo | undefined;
  /** The same without what a file can change by itself, so that it need not be looked at every time. */
  kind(path: string): FileInfo["kind"] | undefined;
  sha256(path: string): string | undefined;
  /** The names in a folder; undefined when there is no such folder. */
  list(path: string): readonly string[] | undefined;
  /** Changes whenever the file does; undefined when it is not there. */
  stamp(path: string): string | undefined;
  isAlive(pid: number): boolean;
  /**
   * Resolves links of the deepest part that exists; the rest is appended unchanged. `plain` keeps what turned out to be
   * no link, for whoever asks about many places at one moment.
   */
  realPath(path: string, plain?: Set<string>): string;
  /** Of these places those that lie elsewhere, as it was found within the last second; `NOT_MOVED` when none does. */
  movedPlaces(places: readonly string[]): MovedPlaces;
  run(command: string, args: readonly string[], env: Readonly<Record<string, string>>, ms: number): Promise<RunResult>;
  readonly uid: number;
  readonly tempDir: string;
}
