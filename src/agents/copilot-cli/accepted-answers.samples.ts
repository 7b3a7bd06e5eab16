import * as z from "zod";
import type { AcceptedAnswers } from "../../../test/support/answers/accepted-answers.ts";

const reason = z.string().min(1);
const note = z.strictObject({ additionalContext: reason });
const noted = { additionalContext: reason.optional() };
const input = z.record(z.string(), z.unknown());
const block = z.strictObject({ decision: z.literal("block"), reason });
const permission = { permissionDecision: z.enum(["deny", "ask"]), permissionDecisionReason: reason };
const claude = (fields: Record<string, z.ZodType>): z.ZodType =>
  z.strictObject({ hookEventName: z.literal("PreToolUse"), ...fields });
const result = z.strictObject({ resultType: z.literal("success"), textResultForLlm: z.string() });

/** Copilot CLI 1.0.102 takes no notice of an answer in the form of the other spelling, and runs the tool. */
const ANSWERS: Readonly<Record<string, z.ZodType>> = {
  preToolUse: z.union([z.strictObject(permission), z.strictObject({ modifiedArgs: input, ...noted }), note]),
  PreToolUse: z.union([
    z.strictObject({ hookSpecificOutput: claude(permission) }),
    z.strictObject({ hookSpecificOutput: claude({ updatedInput: input }), ...noted }),
    note,
  ]),
  permissionRequest: z.union([
    z.strictObject({ behavior: z.literal("allow") }),
    z.strictObject({ behavior: z.literal("deny"), message: reason }),
  ]),
  postToolUse: z.union([z.strictObject({ modifiedResult: result, ...noted }), note]),
  PostToolUse: note,
  postToolUseFailure: note,
  PostToolUseFailure: note,
  userPromptSubmitted: z.union([block, note]),
  UserPromptSubmit: note,
  sessionStart: note,
  SessionStart: note,
  subagentStart: note,
  SubagentStart: note,
  agentStop: block,
  Stop: block,
  subagentStop: block,
  SubagentStop: block,
};

const accepted: AcceptedAnswers = (agentEvent) => ({ answer: ANSWERS[agentEvent] ?? z.never() });
export default accepted;
