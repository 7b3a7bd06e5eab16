import type { AcceptedAnswers } from "../../../test/support/answers/accepted-answers.ts";
import { acceptedByPlugin } from "../plugin/accepted-answers.samples.ts";
import { OPENCODE } from "./declaration.ts";

const accepted: AcceptedAnswers = (agentEvent) => acceptedByPlugin(OPENCODE, agentEvent);
export default accepted;
