import path from "node:path";
import type { EventOf } from "../../core/event.ts";
import type { Places } from "../../core/policy.ts";
import { shellOf } from "../../effects/shell-of-event.ts";
import type { Command } from "../../shell/command.ts";
import { engineWord, isControlPlane, isEngine } from "../control-plane.ts";

type Call = EventOf<"tool.before"> | EventOf<"tool.after"> | EventOf<"tool.failed">;

/** Where what a command names is looked for. */
export type Where = Pick<Places, "userHome" | "engine">;

/** Is the call nothing but commands that steer the work? */
export function isSteeringCall(event: Call, { userHome, engine }: Where): boolean {
  return event.tool.kind === "shell" && isControlPlane(shellOf(event, userHome), engine);
}

/** Does the call write a log, and nothing else? */
export function isLogCall(event: Call, { userHome, engine }: Where): boolean {
  if (event.tool.kind !== "shell") return false;
  return isControlPlane(
    shellOf(event, userHome),
    engine,
    (command) => isEngine(command) && engineWord(command) === "log",
  );
}

/** Did the line surely write a log, among other things? */
export function ranLog(event: Call, { userHome }: Where): boolean {
  const isLog = (command: Command): boolean => isEngine(command) && engineWord(command) === "log";
  return event.tool.kind === "shell" && shellOf(event, userHome).certain(true).some(isLog);
}

/** The absolute path a Read is about; undefined for any other tool. */
export function readPath(event: Call): string | undefined {
  const file = event.tool.input.file_path;
  return event.tool.kind === "read" && typeof file === "string" ? path.resolve(event.cwd, file) : undefined;
}

/** What every agent may read at any time: its own instructions and memory. */
export function isInstruction(file: string, userHome: string): boolean {
  const name = path.basename(file);
  return (
    file.startsWith(`${userHome}/.claude/`) ||
    file.includes("/.claude/") ||
    file.includes("/memory/") ||
    name === "CLAUDE.md" ||
    name === "MEMORY.md"
  );
}

/** Whose calls are counted together: each subagent has a transcript of its own. */
export function transcriptKey(event: Pick<Call, "agentId" | "transcript" | "session">): string {
  if (event.agentId !== "") return `agent-${event.agentId}.jsonl`;
  return path.basename(event.transcript) || event.session || "main";
}
