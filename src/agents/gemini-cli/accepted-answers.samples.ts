import * as z from "zod";
import type { AcceptedAnswers } from "../../../test/support/answers/accepted-answers.ts";

const text = z.string().min(1);
const message = { systemMessage: text.optional() };
const deny = z.strictObject({ decision: z.literal("deny"), reason: text, ...message });
const end = z.strictObject({ continue: z.literal(false), stopReason: text, ...message });
const context = z.strictObject({ hookSpecificOutput: z.strictObject({ additionalContext: text }), ...message });
const input = z.strictObject({
  hookSpecificOutput: z.strictObject({ tool_input: z.record(z.string(), z.json()) }),
  ...message,
});
const alone = z.strictObject({ systemMessage: text });

/** What Gemini CLI 0.61.0 carries out. It ignores the shape of Claude Code's answers, and then runs the tool. */
const ANSWERS: Readonly<Record<string, z.ZodType>> = {
  BeforeTool: z.union([deny, end, input, alone]),
  BeforeAgent: z.union([deny, end, context, alone]),
  AfterTool: z.union([end, context, alone]),
  SessionStart: z.union([context, alone]),
  AfterAgent: z.union([deny, alone]),
};

const accepted: AcceptedAnswers = (agentEvent) => ({ answer: ANSWERS[agentEvent] ?? z.never() });
export default accepted;
