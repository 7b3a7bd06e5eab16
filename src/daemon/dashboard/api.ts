/**
 * What the dashboard's pages and its server say to each other, as types and nothing else: `ui/` imports this file, so it must
 * not import anything that needs Node. Times are epoch milliseconds.
 */

import type { ApprovalRequest } from "./api-approvals.ts";
import type { ReplaySummary } from "./api-replay.ts";

export type { ApprovalAnswer, ApprovalOutcome, ApprovalRequest } from "./api-approvals.ts";
export type { ReplayProgress, ReplaySample, ReplaySummary } from "./api-replay.ts";

/** A failed request, with its HTTP status: what was wrong and what to do. */
export interface ApiError {
  readonly error: string;
}

// ---- Now: GET /api/now, and the event `now` of the stream.

/** In the order in which the page shows them. `waiting` means that a person is asked for something. */
export const SESSION_STATES = ["waiting", "working", "held", "idle", "dead"] as const;
export type SessionState = (typeof SESSION_STATES)[number];

export interface NowPage {
  readonly at: number;
  readonly sessions: readonly SessionCard[];
  /** The oldest first. */
  readonly approvals: readonly ApprovalRequest[];
  readonly machines: readonly MachineCard[];
}

export interface SessionCard {
  readonly agent: string;
  readonly session: string;
  readonly project: string;
  readonly state: SessionState;
  /** Since when it is in this state. */
  readonly since: number;
  /** For a session that waits: the question or the tool, and its command or path. */
  readonly waitsFor: { readonly tool: string; readonly subject: string } | null;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly modes: readonly {
    readonly mode: string;
    readonly state: string;
    readonly round: number;
    readonly limit: number;
    readonly phase: string;
  }[];
  readonly plan: { readonly name: string; readonly done: number; readonly all: number } | null;
  readonly team: { readonly team: string; readonly name: string } | null;
  readonly subagents: readonly SubagentCard[];
  /** The share of the context that is used, 0 to 1; null when it is not known. */
  readonly context: number | null;
  readonly usage: Usage | null;
  readonly last: {
    readonly id: number;
    readonly at: number;
    readonly ruling: string;
    readonly policy: string;
    readonly subject: string;
  } | null;
}

export interface SubagentCard {
  readonly agentId: string;
  readonly type: string;
  /** The subagent that started it, or "" for the main thread. */
  readonly parent: string;
  readonly state: "running" | "completed" | "failed";
  readonly since: number;
  readonly usage: Usage | null;
}

/** Read from the transcript. The cost is null where no price of the model is known. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly dollars: number | null;
}

/** Another machine of a fleet; empty without one. */
export interface MachineCard {
  readonly name: string;
  readonly lastSeen: number;
  readonly sessions: number;
  readonly isStale: boolean;
}

// ---- Decisions: GET /api/decisions?session=&event=&policy=&ruling=&since=&search=&before=ID&limit=N

export interface DecisionsPage {
  /** The newest first. Fewer than asked for, or none, where few match: `next` goes on. */
  readonly rows: readonly DecisionRow[];
  /** To go on: `before` of the next request; null at the end. */
  readonly next: number | null;
  /** How many match in all; counted among 100,000 entries, the newest first. */
  readonly count: number;
}

/** Also the event `decision` of the stream, whose id is the journal's. */
export interface DecisionRow {
  readonly id: number;
  readonly at: number;
  readonly agent: string;
  readonly session: string;
  readonly agentId: string;
  readonly project: string;
  readonly event: string;
  readonly tool: string;
  readonly subject: string;
  readonly ruling: string;
  readonly policy: string;
  readonly reason: string;
  readonly microseconds: number;
}

/** GET /api/decisions/ID */
export interface DecisionDetail extends DecisionRow {
  readonly agentEvent: string;
  readonly policies: readonly PolicyVerdict[];
  readonly facts: Readonly<Record<string, unknown>>;
  /** What the command would do, as `hookwright check` says it. */
  readonly effects: readonly { readonly kind: string; readonly text: string; readonly verdict: string }[];
  /** What the agent was told: exit code, standard output and standard error. */
  readonly reply: { readonly exit: number; readonly stdout: string; readonly stderr: string };
  /** A unified diff of an edit where its text is known; else "". */
  readonly diff: string;
  readonly body: string;
  /** What happened after it. */
  readonly afterwards: { readonly outcome: string; readonly rows: readonly DecisionRow[] };
  readonly isFalseAlarm: boolean;
  /** Why it cannot be allowed once; "" where it can. */
  readonly cannotAllow: string;
}

export interface PolicyVerdict {
  readonly policy: string;
  readonly stage: string;
  readonly mode: string;
  readonly fate: string;
  readonly microseconds: number;
  readonly verdicts: readonly { readonly kind: string; readonly text: string }[];
  readonly error: string;
}

/** POST /api/decisions/ID/explain: decides again, changes nothing. */
export interface ExplainAgain {
  readonly ruling: string;
  readonly policy: string;
  readonly reason: string;
  readonly policies: readonly PolicyVerdict[];
}

/** POST /api/decisions/ID/allow */
export interface AllowOnce {
  readonly shown: string;
  readonly until: number;
}

/** POST /api/decisions/ID/false-alarm */
export interface MarkFalseAlarm {
  readonly isFalseAlarm: boolean;
}

/**
 * POST /api/decisions/ID/rule {reason?} and POST /api/policies/mode {id, mode}: nothing is written unless `isPreview` is
 * false. With `isReplayed` the last seven days are decided again, which takes a while.
 */
export interface ConfigChange {
  readonly isPreview: boolean;
  readonly file: string;
  /** A unified diff of the configuration file. */
  readonly diff: string;
  /** What the change would have made of the last seven days; null where that was not asked for. */
  readonly wouldHave: ReplaySummary | null;
}

// ---- Timeline: GET /api/timeline?session=ID&before=ID

export interface Timeline {
  readonly session: string;
  readonly spans: readonly Span[];
  readonly next: number | null;
}

export interface Span {
  readonly kind: "waiting" | "hook" | "tool" | "model";
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly agentId: string;
  readonly decision: number | null;
  readonly ruling: string;
}

// ---- Policies: GET /api/policies?days=7, POST /api/policies/mode {id, mode, isPreview}

export interface PolicyRow {
  readonly id: string;
  readonly pack: string;
  readonly stage: string;
  readonly mode: "off" | "observe" | "enforce";
  readonly isOn: boolean;
  readonly summary: string;
  readonly hits: number;
  readonly denials: number;
  /** In `observe`: what it would have denied. */
  readonly wouldHaveDenied: number;
  readonly falseAlarms: number;
  readonly p50: number;
  readonly p99: number;
  /** Hits per day, the oldest first. */
  readonly days: readonly number[];
}

// ---- Work: GET /api/work

export interface WorkPage {
  readonly plans: readonly {
    readonly project: string;
    readonly file: string;
    readonly name: string;
    readonly tasks: readonly WorkTask[];
  }[];
  readonly modes: readonly {
    readonly mode: string;
    readonly session: string;
    readonly state: string;
    readonly round: number;
    readonly limit: number;
    readonly phase: string;
    readonly request: string;
    readonly since: number;
  }[];
  readonly teams: readonly {
    readonly team: string;
    readonly lead: string;
    readonly members: readonly { readonly name: string; readonly state: string; readonly session: string }[];
  }[];
  readonly boards: readonly { readonly project: string; readonly tasks: readonly WorkTask[] }[];
}

export interface WorkTask {
  readonly id: string;
  readonly text: string;
  readonly state: string;
  readonly owner: string;
}

// ---- Performance: GET /api/performance?hours=24

export interface PerformancePage {
  readonly events: number;
  readonly p50: number;
  readonly p99: number;
  /** One point for each interval, the oldest first; times in microseconds. */
  readonly points: readonly {
    readonly at: number;
    readonly events: number;
    readonly p50: number;
    readonly p99: number;
  }[];
  readonly slowest: readonly DecisionRow[];
  readonly byPolicy: readonly {
    readonly policy: string;
    readonly calls: number;
    readonly total: number;
    readonly p99: number;
  }[];
}
