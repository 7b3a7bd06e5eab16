import type { Json } from "../../core/event.ts";
import { defineStore } from "../../core/store.ts";

/** A completed task that the person is still to be told about. A type alias, because store rows need JSON. */
export type CompletedTask = {
  readonly label: string;
  readonly isReported: boolean;
  /** Empty when the report did not name one. */
  readonly designDoc: string;
};

/** A completion that the hook accepted: the agent's name for the task, and its report. */
export type AcceptedCompletion = { readonly subject: string; readonly report: Json };

/** How the command line completed a row of the plan. */
export type Completion = "verified" | "unverified";

/** The facts recorded when the plan was started, and what the command line completed since. */
export type PlanStart = {
  /** Ids of commits that existed at the start; undefined when git did not answer. */
  readonly earlier?: readonly string[];
  /** The rows that were complete at the start. */
  readonly complete: readonly string[];
  readonly completions: Readonly<Record<string, Completion>>;
};

const MOST_COMPLETED = 20;
const MOST_ACCEPTED = 200;
const NO_ROUND: PlanStart = { complete: [], completions: {} };

/** State of a plan besides its document, shared by all sessions of the project. */
export const plan = defineStore({
  name: "plan",
  scope: "project",
  open: (table) => {
    const completed = (session: string): readonly CompletedTask[] =>
      (table.get(`completed:${session}`) ?? []) as unknown as readonly CompletedTask[];
    const accepted = (started: string): readonly AcceptedCompletion[] =>
      (table.get(`accepted:${started}`) ?? []) as unknown as readonly AcceptedCompletion[];
    return {
      /** Empty for a plan that another program started. */
      round: (started: string): PlanStart => (table.get(`round:${started}`) as PlanStart | undefined) ?? NO_ROUND,
      keepRound: (started: string, round: PlanStart): void => table.set(`round:${started}`, round as unknown as Json),
      /** Deletes the state of earlier plans: a project has one plan at a time. */
      forgetRounds: (): void => {
        const ofRounds = table.keys().filter((key) => /^(?:round|refused|accepted):/.test(key));
        for (const key of ofRounds) table.delete(key);
      },
      accepted,
      keepAccepted: (started: string, one: AcceptedCompletion): void =>
        table.set(`accepted:${started}`, [...accepted(started), one].slice(-MOST_ACCEPTED)),
      /** The report that a session gave when it completed a task. */
      report: (session: string, task: string): Json | undefined => table.get(`report:${session}:${task}`),
      keepReport: (session: string, task: string, report: Json): void => table.set(`report:${session}:${task}`, report),
      forgetReport: (session: string, task: string): void => table.delete(`report:${session}:${task}`),
      /** Was this task's completion already refused once for the plan that was started at `started`? */
      wasRefused: (started: string, task: string): boolean => table.get(`refused:${started}:${task}`) === true,
      markRefused: (started: string, task: string): void => table.set(`refused:${started}:${task}`, true),
      /** The session that started the plan with `hookwright plan start`; it is the lead. */
      lead: (started: string): string => String(table.get(`lead:${started}`) ?? ""),
      markLead: (started: string, session: string): void => table.set(`lead:${started}`, session),
      /** Completions that the person has not been told about yet. */
      completed,
      keepCompleted: (session: string, one: CompletedTask): void =>
        table.set(`completed:${session}`, [...completed(session), one].slice(-MOST_COMPLETED)),
      forgetCompleted: (session: string): void => table.delete(`completed:${session}`),
    };
  },
});

/** State of a plan that belongs to one session. */
export const planSession = defineStore({
  name: "plan",
  scope: "session",
  open: (table) => ({
    wasTold: (text: string): boolean => table.get(`told:${text}`) === true,
    markTold: (text: string): void => table.set(`told:${text}`, true),
    /** The plan's progress before a compaction, for when its document cannot be read afterwards. */
    snapshot: (): string => String(table.get("snapshot") ?? ""),
    keepSnapshot: (text: string): void => table.set("snapshot", text),
  }),
});
