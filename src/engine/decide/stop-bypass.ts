import type { AnyEvent } from "../../core/event.ts";
import { isFleetWorker } from "./fleet-worker.ts";
import { contextUsage, type World } from "./world.ts";

/** A context this full has no room for another continuation. */
const CRITICAL_USAGE = 0.95;

/**
 * Why no stop may be held now, whatever the policies say; empty when a stop may be held. `isIdleAgain`: the last
 * stop was held, and no tool call ran since.
 */
export async function bypassOf(world: World, isIdleAgain: boolean): Promise<string> {
  const { event, flags, abilities } = world;
  if (abilities && !abilities.can.includes("hold")) return `${abilities.agent} cannot be kept from ending its turn`;
  if (flags.cancelled) return "the work was cancelled";
  if (flags.handingOver) return "the session is being handed over";
  if (flags.failed) return "the last turn failed at the model's service";
  const usage = contextUsage(world, flags);
  if (usage !== undefined && usage >= CRITICAL_USAGE) return `the context is ${Math.round(usage * 100)} % full`;
  if ("planMode" in event && event.planMode) return "the session is in plan mode, where nothing may be changed yet";
  const pending = pendingWork(event, isIdleAgain);
  if (pending !== "") return pending;
  if (await isFleetWorker(world)) return "this agent is a worker of a fleet, whose orchestrator decides";
  return "";
}

function pendingWork(event: AnyEvent, isIdleAgain: boolean): string {
  // A subagent's event lists its parent's tasks, which say nothing about the subagent.
  if (event.name !== "turn.stop") return "";
  if (event.backgroundTasks > event.backgroundShells)
    return "background agents are still running and will wake the session";
  if (event.wakeUps > 0) return "a scheduled wake-up is pending";
  // A server in the background is no reason to end; a build that the model can only wait for is.
  if (event.backgroundShells > 0 && isIdleAgain) return "a command in the background is still running";
  return "";
}
