import * as z from "zod";
import type { AcceptedAnswers } from "../../../test/support/answers/accepted-answers.ts";

const reason = z.string().min(1);
const own = (event: string, fields: Record<string, z.ZodType>): z.ZodType =>
  z.strictObject({ hookSpecificOutput: z.strictObject({ hookEventName: z.literal(event), ...fields }) });
const context = (event: string): z.ZodType => own(event, { additionalContext: reason });

/** What Droid 0.215.0 carries out. */
const ANSWERS: Readonly<Record<string, z.ZodType>> = {
  PreToolUse: z.union([
    own("PreToolUse", { permissionDecision: z.literal("deny"), permissionDecisionReason: reason }),
    own("PreToolUse", { updatedInput: z.record(z.string(), z.unknown()) }),
  ]),
  PostToolUse: z.union([z.strictObject({ continue: z.literal(false), stopReason: reason }), context("PostToolUse")]),
  SessionStart: context("SessionStart"),
  Stop: z.strictObject({ decision: z.literal("block"), reason }),
};

const accepted: AcceptedAnswers = (agentEvent) => ({ answer: ANSWERS[agentEvent] ?? z.never() });
export default accepted;
