import * as z from "zod";
import type { AcceptedAnswers } from "../../../test/support/answers/accepted-answers.ts";

const text = z.string().min(1);
const own = (event: string, fields: Record<string, z.ZodType>): z.ZodType =>
  z.strictObject({ hookSpecificOutput: z.strictObject({ hookEventName: z.literal(event), ...fields }) });
const context = (event: string): z.ZodType => own(event, { additionalContext: text });
const block = z.strictObject({ decision: z.literal("block"), reason: text });

/** What Qwen Code 0.24.4 carries out. */
const ANSWERS: Readonly<Record<string, z.ZodType>> = {
  PreToolUse: own("PreToolUse", { permissionDecision: z.enum(["deny", "ask"]), permissionDecisionReason: text }),
  UserPromptSubmit: z.union([block, context("UserPromptSubmit")]),
  SessionStart: context("SessionStart"),
  PostToolUse: context("PostToolUse"),
  PostToolUseFailure: context("PostToolUseFailure"),
  PostToolBatch: context("PostToolBatch"),
  Stop: z.union([block, block.extend({ systemMessage: text }), z.strictObject({ systemMessage: text })]),
  SubagentStop: block,
};

const accepted: AcceptedAnswers = (agentEvent) => ({ answer: ANSWERS[agentEvent] ?? z.never() });
export default accepted;
