import { IDENTITY_ENV, identityOf } from "../session/sessions.ts";

/** The variables that tell where an agent runs. */
export const PLACE_ENV = IDENTITY_ENV;

/**
 * Where an agent runs, the same before and after it was ended and started again: its tmux pane, else the process that
 * supervises it. Empty when it has neither.
 */
export function placeOf(env: (name: string) => string | undefined): string {
  const { pane } = identityOf("", env);
  if (pane !== "") return pane;
  const supervisor = env("CLAUDE_SUPERVISOR_PID") ?? "";
  return supervisor === "" ? "" : `supervisor:${supervisor}`;
}
