/** Events as Claude Code sends them, with what a test does not care about filled in. */
import fs from "node:fs";
import path from "node:path";
import type { World } from "./world.ts";

export type Event = Record<string, unknown>;

function base(world: World, hookEventName: string, session: string): Event {
  return {
    session_id: session,
    transcript_path: path.join(world.userHome, `.claude/projects/p/${session}.jsonl`),
    cwd: world.project,
    prompt_id: "prompt-1",
    permission_mode: "default",
    hook_event_name: hookEventName,
  };
}

export function toolCall(
  world: World,
  useId: string,
  toolName: string,
  toolInput: Event,
  session = "session-1",
  hookEventName = "PreToolUse",
): Event {
  return {
    ...base(world, hookEventName, session),
    tool_name: toolName,
    tool_input: toolInput,
    tool_use_id: useId,
  };
}

/** A write that the safety profile denies whatever state it finds. */
export function forbiddenWrite(world: World, useId: string, session?: string): Event {
  return toolCall(world, useId, "Write", { file_path: gitConfig(world), content: "[core]" }, session);
}

export function harmlessWrite(world: World, useId: string, session?: string): Event {
  return toolCall(world, useId, "Write", { file_path: path.join(world.project, "a.txt"), content: "a" }, session);
}

export function prompt(world: World, text: string, session = "session-1"): Event {
  return { ...base(world, "UserPromptSubmit", session), prompt: text, source: "user" };
}

export function gitConfig(world: World): string {
  return path.join(world.project, ".git", "config");
}

export function stop(world: World, session = "session-1"): Event {
  return {
    ...base(world, "Stop", session),
    stop_hook_active: false,
    last_assistant_message: "Done.",
    background_tasks: [],
  };
}

/**
 * The record of an orchestrator that its tmux session is running. There is no tmux on a world's PATH, so nobody can
 * tell whether it is: the first stop is held, and the state written then lets the next ones pass.
 */
export function markActiveSession(world: World, name: string): Record<string, string> {
  const folder = world.folder("ntm");
  fs.writeFileSync(path.join(folder, "active-session.json"), JSON.stringify({ session: name }));
  return { NTM_ORCH_RUNTIME_DIR: folder };
}
