import { changed, flagIn, type SessionState, textIn } from "../state.ts";

/** The work that ends an agent and starts it anew. */
export const RESTART_JOB = "session/restart";

/** Where a restart is asked for, and by which request: a job that runs twice restarts once. */
export interface RestartOrder {
  readonly project: string;
  readonly dir: string;
  readonly id: string;
}

/** The environment that says how an agent can be reached. */
export const DELIVERY_ENV = ["TMUX", "TMUX_PANE", "WATCHDOG_PID", "CLAUDE_SUPERVISOR_PID"];

/** How a new run is told to go on: by a skill where there is one, else in words. */
export function continuePrompt(dir: string, state: SessionState, skillCommand: string): string {
  const skill = textIn(state, "skill");
  const phase = textIn(state, "currentPhase").replaceAll('"', "'");
  const options = [
    `--session ${/^[\w./-]+$/.test(dir) ? dir : `"${dir}"`}`,
    ...(skill === "" ? [] : [`--skill ${skill}`]),
    ...(phase === "" ? [] : [`--phase "${phase}"`]),
  ].join(" ");
  if (skillCommand !== "") return `${skillCommand} continue ${options}`;
  return `Continue the session that was handed over. Start with: engine session continue ${options}`;
}

/** Asked to end; whatever else holds for its agent stands down until it did. */
export function restartRequested(state: SessionState, id: string, prompt: string): SessionState {
  return changed(state, {
    killRequested: true,
    restartId: id,
    restartPrompt: prompt,
    restartMode: "hook",
    contextUsage: 0,
  });
}

export function isRestartOpen(state: SessionState | undefined, id: string): boolean {
  return state !== undefined && flagIn(state, "killRequested") && textIn(state, "restartId") === id;
}

/** The old run is gone and a new one is about to begin. */
export function restarting(state: SessionState): SessionState {
  return changed(state, { killRequested: false, overflowed: false, lifecycle: "restarting" });
}

/** A new run has begun. */
export function resumed(state: SessionState): SessionState {
  return changed(state, { killRequested: false, overflowed: false, lifecycle: "resuming", contextUsage: 0 });
}
