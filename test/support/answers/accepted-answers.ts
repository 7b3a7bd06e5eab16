/** The answers that an agent takes, written down apart from its encoder: `src/agents/<agent>/accepted-answers.samples.ts`. */
import type { ZodType } from "zod";
import type { Reply } from "../../../src/core/frame.ts";

/** What an agent accepts at one of its events. */
export interface Accepted {
  /** Of the JSON object on standard output. */
  readonly answer: ZodType;
  /** A blank output is always accepted; 0 is the usual exit code. */
  readonly exits?: readonly number[];
  /** Plain text on standard output has a meaning, too. */
  readonly isTextRead?: boolean;
}

export type AcceptedAnswers = (agentEvent: string) => Accepted;

/** Gives back a sentence about what is wrong with an answer; empty when the agent takes it. */
export async function acceptedAnswer(agent: string): Promise<(agentEvent: string, reply: Reply) => string> {
  const loaded: { default: AcceptedAnswers } = await import(`../../../src/agents/${agent}/accepted-answers.samples.ts`);
  return (agentEvent, { exit, stdout }) => {
    const { answer, exits = [0], isTextRead = false } = loaded.default(agentEvent);
    if (!exits.includes(exit)) return `exit ${exit}`;
    if (stdout.trim() === "" || (isTextRead && !stdout.startsWith("{"))) return "";
    const read = answer.safeParse(parsed(stdout));
    return read.success ? "" : `${stdout}: ${read.error.issues.map(({ message }) => message).join(", ")}`;
  };
}

/** Undefined, which no schema accepts, for what is not one JSON value. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
