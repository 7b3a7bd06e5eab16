import * as z from "zod";
import type { AcceptedAnswers } from "../../../test/support/answers/accepted-answers.ts";

const reason = z.string().min(1);
const own = (event: string, fields: Record<string, z.ZodType>): z.ZodType =>
  z.strictObject({ hookSpecificOutput: z.strictObject({ hookEventName: z.literal(event), ...fields }) });
const context = (event: string): z.ZodType => own(event, { additionalContext: reason });
const block = z.strictObject({ decision: z.literal("block"), reason });

/** Codex 0.169.0 drops an answer with any other key, and a denial without a reason. */
const ANSWERS: Readonly<Record<string, z.ZodType>> = {
  PreToolUse: z.union([
    own("PreToolUse", { permissionDecision: z.literal("deny"), permissionDecisionReason: reason }),
    context("PreToolUse"),
  ]),
  PermissionRequest: own("PermissionRequest", {
    decision: z.union([
      z.strictObject({ behavior: z.literal("allow") }),
      z.strictObject({ behavior: z.literal("deny"), message: reason }),
    ]),
  }),
  PostToolUse: context("PostToolUse"),
  UserPromptSubmit: z.union([block, context("UserPromptSubmit")]),
  SessionStart: context("SessionStart"),
  SubagentStart: context("SubagentStart"),
  Stop: block,
  SubagentStop: block,
};

const accepted: AcceptedAnswers = (agentEvent) => ({ answer: ANSWERS[agentEvent] ?? z.never() });
export default accepted;
