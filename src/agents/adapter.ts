import type { AnyEvent } from "../core/event.ts";
import type { Reply } from "../core/frame.ts";
import type { Ruling } from "../core/ruling.ts";

export interface DecodeInput {
  readonly body: Buffer;
  /** The event the registration named, in the agent's words; empty when it named none. */
  readonly namedEvent: string;
  /** Where the client ran, for payloads that do not say. */
  readonly cwd: string;
}

/**
 * - event: one of ours, perhaps with malformed fields
 * - unknown: readable, but an event this version does not know; it passes
 * - unreadable: not an event at all
 */
export type Decoded =
  | { readonly kind: "event"; readonly event: AnyEvent }
  | { readonly kind: "unknown"; readonly agentEvent: string; readonly session: string; readonly cwd: string }
  | { readonly kind: "unreadable"; readonly detail: string };

/** Pure functions and a list of files: all that is agent-specific. */
export interface Adapter {
  readonly id: string;
  decode(input: DecodeInput): Decoded;
  encode(event: AnyEvent, ruling: Ruling, form: "exit" | "json"): Reply;
  /** An answer given before, in the form that is asked for now. */
  inForm(event: AnyEvent, reply: Reply, form: "exit" | "json"): Reply;
  /** The answer when the event itself could not be read but is known to be guarded. */
  encodeUnreadable(agentEvent: string, text: string, form: "exit" | "json"): Reply;
  /** Is this event, in the agent's words, one that a guard must see? */
  isGuarded(agentEvent: string): boolean;
  /** Settings that come with a project or lie in it; what they put into the environment is not the person's word. */
  projectSettings(env: Readonly<Record<string, string>>, cwd: string, project: string): string[];
  settingsFiles(
    env: Readonly<Record<string, string>>,
    userHome: string,
    cwd: string,
    project: string,
  ): readonly string[];
}
