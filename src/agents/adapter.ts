import type { AnyEvent } from "../core/event.ts";
import type { Reply } from "../core/frame.ts";
import type { Ruling } from "../core/ruling.ts";
import type { Declaration } from "./declaration.ts";

export interface DecodeInput {
  readonly body: Buffer;
  /** The agent's event name from the registration (`--event`); empty without one. */
  readonly namedEvent: string;
  /** The client's working directory, for payloads without one. */
  readonly cwd: string;
}

/**
 * - event: a known event, perhaps with malformed fields
 * - unknown: readable, but an event that this version does not know; it passes
 * - unreadable: not an event
 */
export type Decoded =
  | { readonly kind: "event"; readonly event: AnyEvent }
  | { readonly kind: "unknown"; readonly agentEvent: string; readonly session: string; readonly cwd: string }
  | { readonly kind: "unreadable"; readonly detail: string };

/** Everything that is specific to one agent: pure functions and the paths of its settings files. */
export interface Adapter {
  readonly id: string;
  /** What the agent sends and carries out. */
  readonly declaration: Declaration;
  decode(input: DecodeInput): Decoded;
  encode(event: AnyEvent, ruling: Ruling, form: "exit" | "json"): Reply;
  /** Converts a stored answer into the requested form, for an agent that has more than one. */
  inForm?(event: AnyEvent, reply: Reply, form: "exit" | "json"): Reply;
  /** The denial of a call whose event could not be read. */
  denyUnreadable(agentEvent: string, text: string, form: "exit" | "json"): Reply;
  /**
   * Settings files inside a project, for an agent that puts what they say into the environment of its hooks. Variables that
   * these set are not trusted as the person's.
   */
  projectSettings?(env: Readonly<Record<string, string>>, cwd: string, project: string): string[];
  settingsFiles(
    env: Readonly<Record<string, string>>,
    userHome: string,
    cwd: string,
    project: string,
  ): readonly string[];
}
