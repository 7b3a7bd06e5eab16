import type { AnyEvent } from "../../core/event.ts";
import { EVENTS } from "../../core/event.ts";
import type { Reply } from "../../core/frame.ts";
import type { Ruling } from "../../core/ruling.ts";
import { type ClaudeEvent, isClaudeEvent } from "./events.ts";

type Form = "exit" | "json";

interface Output {
  decision?: "block";
  reason?: string;
  systemMessage?: string;
  hookSpecificOutput?: Record<string, unknown>;
}

/** These two read nothing but the exit code. */
const EXIT_CODE_ONLY: readonly ClaudeEvent[] = ["TaskCompleted", "TeammateIdle"];

export function encode(event: AnyEvent, ruling: Ruling, form: Form): Reply {
  const agentEvent = event.agentEvent as ClaudeEvent;
  const output: Output = {};
  const specific: Record<string, unknown> = {};
  const notes = ruling.notes.map((note) => note.text);
  const isBlock = ruling.outcome === "deny" || ruling.outcome === "hold";
  switch (EVENTS[event.name].blocking) {
    case "permission":
      if (ruling.outcome === "deny" || ruling.outcome === "ask") {
        specific.permissionDecision = ruling.outcome;
        specific.permissionDecisionReason = ruling.reason;
      }
      if (ruling.rewrite) specific.updatedInput = ruling.rewrite.value;
      break;
    case "continue":
      // Context on a stop also keeps the turn going, which is exactly what a soft hold wants.
      if (ruling.outcome === "hold" && ruling.strength === "soft") notes.unshift(ruling.reason);
      else if (ruling.outcome === "hold") Object.assign(output, { decision: "block", reason: ruling.reason });
      break;
    case "prompt":
    case "refuse":
      if (ruling.outcome === "deny") Object.assign(output, { decision: "block", reason: ruling.reason });
      break;
    case "answer":
      if (ruling.outcome === "deny") specific.decision = { behavior: "deny", message: ruling.reason };
      break;
    case "none":
      if (event.name === "tool.after" && ruling.rewrite) specific.updatedToolOutput = ruling.rewrite.value;
      break;
  }
  if (notes.length > 0) specific.additionalContext = notes.join("\n\n");
  if (ruling.notices.length > 0) {
    output.systemMessage = ruling.notices.map((notice) => `${notice.text} [${notice.policy}]`).join("\n");
  }
  if (Object.keys(specific).length > 0) output.hookSpecificOutput = { hookEventName: agentEvent, ...specific };

  const stdout = Object.keys(output).length > 0 ? `${JSON.stringify(output)}\n` : "";
  const soft = ruling.outcome === "hold" && ruling.strength === "soft";
  const byExitCode =
    EXIT_CODE_ONLY.includes(agentEvent) || (form === "exit" && EVENTS[event.name].blocking !== "answer");
  if (!isBlock || soft || !byExitCode) return { exit: 0, stdout, stderr: "" };
  return { exit: 2, stdout, stderr: `${ruling.reason}\n` };
}

export function encodeUnreadable(agentEvent: string, text: string, form: Form): Reply {
  if (!isGuardedEvent(agentEvent)) return { exit: 0, stdout: "", stderr: `${text}\n` };
  const output = {
    hookSpecificOutput: { hookEventName: agentEvent, permissionDecision: "deny", permissionDecisionReason: text },
  };
  return { exit: form === "json" ? 0 : 2, stdout: `${JSON.stringify(output)}\n`, stderr: `${text}\n` };
}

export function isGuardedEvent(agentEvent: string): boolean {
  return isClaudeEvent(agentEvent) && agentEvent === "PreToolUse";
}
