import path from "node:path";
import type { EventOf } from "../../core/event.ts";
import type { Places } from "../../core/policy.ts";
import { shellOf } from "../../effects/shell-of-event.ts";
import type { Command } from "../../shell/command.ts";
import { engineSubcommand, isControlPlane, isEngine } from "../control-plane.ts";

type Call = EventOf<"tool.before"> | EventOf<"tool.after"> | EventOf<"tool.failed">;

/** The paths that are needed to recognise control commands. */
export type ControlPaths = Pick<Places, "userHome" | "engine">;

/** Does the call consist of control-plane commands only? */
export function isControlCall(event: Call, { userHome, engine }: ControlPaths): boolean {
  return event.tool.kind === "shell" && isControlPlane(shellOf(event, userHome), engine);
}

/** Does the call only write a log entry? */
export function isLogCall(event: Call, { userHome, engine }: ControlPaths): boolean {
  if (event.tool.kind !== "shell") return false;
  return isControlPlane(
    shellOf(event, userHome),
    engine,
    (command) => isEngine(command) && engineSubcommand(command) === "log",
  );
}

/** Did the line certainly write a log entry, perhaps among other things? */
export function ranLog(event: Call, { userHome }: ControlPaths): boolean {
  const isLog = (command: Command): boolean => isEngine(command) && engineSubcommand(command) === "log";
  return event.tool.kind === "shell" && shellOf(event, userHome).certain(true).some(isLog);
}

/** The absolute path of the file that a Read call reads; undefined for any other tool. */
export function readPath(event: Call): string | undefined {
  const file = event.tool.input.file_path;
  return event.tool.kind === "read" && typeof file === "string" ? path.resolve(event.cwd, file) : undefined;
}

/** Is the file one of the agent's own instructions or memory files, which it may always read? */
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

/** The key under which calls are counted: one for each transcript, and each subagent has its own. */
export function transcriptKey(event: Pick<Call, "agentId" | "transcript" | "session">): string {
  if (event.agentId !== "") return `agent-${event.agentId}.jsonl`;
  return path.basename(event.transcript) || event.session || "main";
}
