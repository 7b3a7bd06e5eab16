import type { EventName } from "../core/event.ts";
import type { VerdictKind } from "../core/verdict.ts";

/** Which of our events an agent's event is, and which verdicts the agent carries out there. All others have no effect. */
export interface DeclaredEvent {
  readonly name: EventName;
  readonly can: readonly VerdictKind[];
  /** What the same event of the agent becomes where its payload says so, such as a failed call. */
  readonly also?: readonly EventName[];
}

/** What is known of an agent, as data: decoding, the installer, docs/agents.md and the conformance suite read it. */
export interface Declaration {
  readonly id: string;
  /** For people. */
  readonly title: string;
  /** The command that starts it. */
  readonly program: string;
  /** Its npm package and the version that the conformance suite runs. */
  readonly package: string;
  readonly version: string;
  /** By the agent's own names. */
  readonly events: Readonly<Record<string, DeclaredEvent>>;
  /** Why a verdict that one may expect is not carried out, by `event verdict`, such as `turn.stop hold`. */
  readonly because: Readonly<Record<string, string>>;
  /** How often in a row the agent lets its stop be held; 0 when it has no limit of its own. */
  readonly stopCap: number;
  /** For people: what else has to be known about an installation. */
  readonly setup?: readonly string[];
  /** For people: what the agent does without showing it to a hook. */
  readonly limits?: readonly string[];
  /** What the agent does with a call when its hook fails in one of these ways. */
  readonly onFailure: Readonly<Record<"crash" | "timeout" | "missing", "runs" | "denies">>;
}

/** Is it the event that a call waits for, which a guard has to see? */
export function isCallEvent({ events }: Declaration, agentEvent: string): boolean {
  return Object.hasOwn(events, agentEvent) && events[agentEvent]?.name === "tool.before";
}

/** The same for every event of an agent that carries out the same verdicts. */
export function declared(name: EventName, ...can: VerdictKind[]): DeclaredEvent {
  return { name, can };
}

/** The end of a call, for an agent that reports a failed one by the same event as any other. */
export function declaredEnd(...can: VerdictKind[]): DeclaredEvent {
  return { name: "tool.after", can, also: ["tool.failed"] };
}
