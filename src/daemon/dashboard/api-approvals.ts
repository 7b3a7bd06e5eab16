/** The part of `api.ts` about permission requests. */

/**
 * A permission request that waits for a person: POST /api/approvals/ID with an `ApprovalAnswer` gives an `ApprovalOutcome`.
 * POST /api/approvals/ID/rule with `isPreview` shows, and without it writes, a rule for this call and says yes: `ConfigChange`.
 */
export interface ApprovalRequest {
  readonly id: string;
  readonly agent: string;
  readonly session: string;
  /** The subagent that wants it; "" for the main thread. */
  readonly agentId: string;
  readonly project: string;
  readonly tool: string;
  readonly subject: string;
  /** The input of the tool as JSON, secrets masked. */
  readonly input: string;
  /** Why policies ask about it; "" when only the agent does. */
  readonly asks: string;
  readonly askedAt: number;
  readonly until: number;
  /** A narrow rule could be written for it. */
  readonly hasRule: boolean;
}

export type ApprovalAnswer = { readonly answer: "yes" } | { readonly answer: "no"; readonly reason: string };

export interface ApprovalOutcome {
  /** `refused`: a policy stops the call now, so a yes was not carried out. `answered`: the agent was not told yet. */
  readonly outcome: "open" | "answered" | "approved" | "denied" | "refused" | "elsewhere" | "gone" | "expired";
  /** Why the answer was not carried out; else "". */
  readonly notDone: string;
}
