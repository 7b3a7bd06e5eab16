import * as z from "zod";
import type { AcceptedAnswers } from "../../../test/support/answers/accepted-answers.ts";

const text = z.string().min(1);
/** Read at every event. Of all sequences, one that makes the terminal notify the person is among the few that are let through. */
const COMMON = {
  continue: z.literal(false).optional(),
  stopReason: text.optional(),
  systemMessage: text.optional(),
  terminalSequence: z.string().startsWith("\u001b]9;").endsWith("\u0007").optional(),
};
const note = { additionalContext: text.optional() };
const permission = {
  permissionDecision: z.enum(["deny", "ask"]).optional(),
  permissionDecisionReason: text.optional(),
};
const watch = { watchPaths: z.array(text).optional() };
const reply = { action: z.enum(["accept", "decline", "cancel"]).optional(), content: z.json().optional() };
const BLOCK = { decision: z.literal("block").optional(), reason: text.optional() };

/** What Claude Code 2.1.325 reads in `hookSpecificOutput`, which fails under another event's name. */
const OWN: Readonly<Record<string, Record<string, z.ZodType>>> = {
  PreToolUse: { ...permission, ...note, updatedInput: z.record(z.string(), z.unknown()).optional() },
  PostToolUse: { ...note, updatedToolOutput: z.unknown().optional() },
  PostToolUseFailure: note,
  PostToolBatch: note,
  UserPromptSubmit: note,
  UserPromptExpansion: note,
  SessionStart: { ...note, ...watch },
  Stop: note,
  SubagentStart: note,
  SubagentStop: note,
  PreModelSwitch: permission,
  PostModelSwitch: note,
  PermissionRequest: {
    decision: z.union([
      z.strictObject({ behavior: z.literal("allow") }),
      z.strictObject({ behavior: z.literal("deny"), message: text }),
    ]),
  },
  PermissionDenied: { retry: z.literal(true) },
  Elicitation: reply,
  ElicitationResult: reply,
  CwdChanged: watch,
  FileChanged: watch,
  MessageDisplay: { displayContent: z.string() },
};

/** Events that a hook can block, by `decision` or by exit code 2. */
const BLOCKED = [
  ...["UserPromptSubmit", "UserPromptExpansion", "PostToolBatch", "Stop", "SubagentStop"],
  ...["PreCompact", "TaskCreated", "ConfigChange"],
];
const BY_EXIT_CODE = ["PreToolUse", "PreModelSwitch", "TaskCompleted", "TeammateIdle"];
/** Events at which plain text on standard output has a meaning: instructions for a summary, and the path of a worktree. */
const PLAIN = ["PreCompact", "WorktreeCreate"];

const accepted: AcceptedAnswers = (agentEvent) => {
  const own = OWN[agentEvent];
  const isBlocked = BLOCKED.includes(agentEvent);
  return {
    answer: z.strictObject({
      ...COMMON,
      ...(isBlocked ? BLOCK : {}),
      ...(own && {
        hookSpecificOutput: z.strictObject({ hookEventName: z.literal(agentEvent), ...own }).optional(),
      }),
    }),
    exits: isBlocked || BY_EXIT_CODE.includes(agentEvent) ? [0, 2] : [0],
    isTextRead: PLAIN.includes(agentEvent),
  };
};
export default accepted;
