import { flagIn, type SessionState, textIn, withFields } from "../state.ts";

/** The name of the job that ends an agent and starts it again. */
export const RESTART_JOB = "session/restart";

/** The arguments of a restart job. The id makes it idempotent: a job that runs twice restarts once. */
export interface RestartArgs {
  readonly project: string;
  readonly dir: string;
  readonly id: string;
}

/** Environment variables that tell how an agent's process can be reached. */
export const DELIVERY_ENV = ["TMUX", "TMUX_PANE", "WATCHDOG_PID", "CLAUDE_SUPERVISOR_PID"];

/** The first prompt of the new run: the session skill where it is installed, else an instruction in words. */
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

/** The state with a restart requested. Until it is done, the session's other policies are suspended. */
export function withRestartRequested(state: SessionState, id: string, prompt: string): SessionState {
  return withFields(state, {
    killRequested: true,
    restartId: id,
    restartPrompt: prompt,
    restartMode: "hook",
    contextUsage: 0,
  });
}

export function isRestartPending(state: SessionState | undefined, id: string): boolean {
  return state !== undefined && flagIn(state, "killRequested") && textIn(state, "restartId") === id;
}

/** The state between the end of the old run and the start of the new one. */
export function withRestarting(state: SessionState): SessionState {
  return withFields(state, { killRequested: false, overflowed: false, lifecycle: "restarting" });
}

/** The state after the start of the new run. */
export function withResumed(state: SessionState): SessionState {
  return withFields(state, { killRequested: false, overflowed: false, lifecycle: "resuming", contextUsage: 0 });
}
