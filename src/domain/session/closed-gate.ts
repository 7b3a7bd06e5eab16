import type { AnyEvent } from "../../core/event.ts";
import type { PolicyContext } from "../../core/policy.ts";
import { REQUIRED_ENV } from "./options.ts";
import { IDENTITY_ENV } from "./sessions.ts";
import { ENGINE_ENV, engineCommand } from "./start-hints.ts";
import { isOpenSession } from "./state.ts";
import { sessions } from "./store.ts";

/** What a policy of another pack has to read to ask `isGateClosed`. */
export const CLOSED_GATE_ENV = [...IDENTITY_ENV, ...ENGINE_ENV, REQUIRED_ENV];

/** The policies that know at which event whether a session is required. */
const ASKED = ["session/prompt-gate", "session/gate"];

/** Would the session gate deny the agent's calls now? False where the gate is off or only observes. */
export function isGateClosed(
  event: AnyEvent,
  ctx: Pick<PolicyContext, "optionsOf" | "env" | "store" | "info" | "places">,
): boolean {
  const options = ASKED.map((policy) => ctx.optionsOf(policy)).find((one) => one !== undefined);
  if (!options || (options.required !== "always" && ctx.env(REQUIRED_ENV) !== "1")) return false;
  return !isSessionOpen(event, ctx) && engineCommand(ctx) !== undefined;
}

/** Is the agent in an active session? */
export function isSessionOpen(event: AnyEvent, ctx: Pick<PolicyContext, "env" | "store">): boolean {
  const found = ctx.store(sessions).of(event, ctx.env);
  return found !== undefined && isOpenSession(found.state);
}
