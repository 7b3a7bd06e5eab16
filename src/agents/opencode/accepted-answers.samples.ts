import * as z from "zod";
import type { AcceptedAnswers } from "../../../test/support/answers/accepted-answers.ts";
import { call, denied, held, noted, notedAlone, result, told } from "../plugin/accepted-answers.samples.ts";

/** What client/opencode.cjs carries out in opencode 1.18.33. */
const ANSWERS: Readonly<Record<string, z.ZodType>> = {
  "session.created": noted,
  "session.created.child": notedAlone,
  "chat.message": z.union([denied, noted]),
  "tool.execute.before": call,
  "tool.execute.after": result,
  "message.part.updated": noted,
  "experimental.session.compacting": notedAlone,
  "session.compacted": told,
  "experimental.text.complete": z.union([held, told]),
  "session.idle": z.union([held, told]),
  "session.idle.child": told,
};

const accepted: AcceptedAnswers = (agentEvent) => ({ answer: ANSWERS[agentEvent] ?? z.never() });
export default accepted;
