import type { InstallPlace } from "./installer.ts";
import type { IsOwnHandler } from "./own-handlers.ts";

/** One of our entries, as an agent that asks for trust sees it. */
export interface TrustEntry {
  /** The agent's name for it. */
  readonly key: string;
  readonly event: string;
  /** Of what the entry says now: trust ends when the entry changes. */
  readonly hash: string;
  readonly isTrusted: boolean;
}

/** For an agent that runs a hook only after a person has trusted it, and otherwise skips it without a word. */
export interface HookTrust {
  /** The file in which the agent keeps what is trusted. */
  file(place: InstallPlace): string;
  /** Our entries in this file with the hooks; throws when the agent cannot be asked. */
  entries(hooksFile: string, place: InstallPlace, isOurs: IsOwnHandler): Promise<readonly TrustEntry[]>;
  /** Has the agent itself write down that these are trusted. */
  record(entries: readonly TrustEntry[], place: InstallPlace): Promise<void>;
  /** The text of `file` without what it says of these keys. */
  forget(text: string, keys: readonly string[]): string;
}
