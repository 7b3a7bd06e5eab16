import type { AcceptedAnswers } from "../../../test/support/answers/accepted-answers.ts";
import { acceptedByPlugin } from "../plugin/accepted-answers.samples.ts";
import { PI } from "./declaration.ts";

const accepted: AcceptedAnswers = (agentEvent) => acceptedByPlugin(PI, agentEvent);
export default accepted;
