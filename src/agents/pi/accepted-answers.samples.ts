import * as z from "zod";
import type { AcceptedAnswers } from "../../../test/support/answers/accepted-answers.ts";
import { call, denied, held, noted, result, told } from "../plugin/accepted-answers.samples.ts";

/** What client/pi.cjs carries out in pi 0.87.1. */
const ANSWERS: Readonly<Record<string, z.ZodType>> = {
  session_start: noted,
  input: z.union([denied, noted]),
  tool_call: call,
  tool_result: result,
  agent_end: z.union([held, told]),
  session_compact: told,
};

const accepted: AcceptedAnswers = (agentEvent) => ({ answer: ANSWERS[agentEvent] ?? z.never() });
export default accepted;
