import type { AnyEvent } from "./event.ts";

/** The state of a session that decides whether its stops may be held. */
export interface SessionFlags {
  /** The last turn ended with an error of the model's service. */
  readonly failed?: true;
  /** The person called the work off. */
  readonly cancelled?: true;
  /** The session is being handed over to a fresh one. */
  readonly handingOver?: true;
  /** How full the context is, 0 to 1, as the agent's status line last said. */
  readonly contextUsage?: number;
}

/** The flags after an event, whatever the policies say. */
export function afterEvent(flags: SessionFlags, event: AnyEvent): SessionFlags {
  switch (event.name) {
    case "turn.failed":
      return { ...flags, failed: true };
    case "prompt.submit": {
      const { failed: _failed, cancelled, ...kept } = flags;
      return event.fromPerson || !cancelled ? kept : { ...kept, cancelled };
    }
    // The service answers again, in a turn that no prompt has started: a task that ended in the background did.
    case "tool.before": {
      if (!flags.failed || event.agentId !== "") return flags;
      const { failed: _failed, ...kept } = flags;
      return kept;
    }
    case "compact.after": {
      const { contextUsage: _contextUsage, ...kept } = flags;
      return kept;
    }
    case "session.start": {
      const { handingOver: _handingOver, ...kept } = flags;
      return kept;
    }
    default:
      return flags;
  }
}
