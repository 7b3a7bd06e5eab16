import type { Json } from "../../core/event.ts";
import { defineStore } from "../../core/store.ts";

/** A task whose completion was let through; a type alias, because rows hold JSON. */
export type Completed = {
  readonly label: string;
  readonly isReported: boolean;
  /** Empty when the report named none. */
  readonly designDoc: string;
};

/** A completion that a hook let through: the agent's name of the task, and what was reported of it. */
export type Accepted = { readonly subject: string; readonly report: Json };

/** How a row of the plan came to be complete by the command line. */
export type Completion = "verified" | "unverified";

/** What was seen when the plan was started, and what the command line completed since. */
export type Round = {
  /** Commits that were there already; undefined when git did not say. */
  readonly earlier?: readonly string[];
  /** The rows that were complete already. */
  readonly complete: readonly string[];
  readonly completions: Readonly<Record<string, Completion>>;
};

const MOST_COMPLETED = 20;
const MOST_ACCEPTED = 200;
const NO_ROUND: Round = { complete: [], completions: {} };

/** What is remembered of a plan besides its document. Everybody who works in the project shares it. */
export const plan = defineStore({
  name: "plan",
  scope: "project",
  open: (table) => {
    const completed = (session: string): readonly Completed[] =>
      (table.get(`completed:${session}`) ?? []) as unknown as readonly Completed[];
    const accepted = (started: string): readonly Accepted[] =>
      (table.get(`accepted:${started}`) ?? []) as unknown as readonly Accepted[];
    return {
      /** Empty for a plan that another program started. */
      round: (started: string): Round => (table.get(`round:${started}`) as Round | undefined) ?? NO_ROUND,
      keepRound: (started: string, round: Round): void => table.set(`round:${started}`, round as unknown as Json),
      /** A project has one plan at a time: what belongs to earlier ones is forgotten. */
      forgetRounds: (): void => {
        const ofRounds = table.keys().filter((key) => /^(?:round|refused|accepted):/.test(key));
        for (const key of ofRounds) table.delete(key);
      },
      accepted,
      keepAccepted: (started: string, one: Accepted): void =>
        table.set(`accepted:${started}`, [...accepted(started), one].slice(-MOST_ACCEPTED)),
      /** What a session reported together with a task's completion. */
      report: (session: string, task: string): Json | undefined => table.get(`report:${session}:${task}`),
      keepReport: (session: string, task: string, report: Json): void => table.set(`report:${session}:${task}`, report),
      forgetReport: (session: string, task: string): void => table.delete(`report:${session}:${task}`),
      /** Was this task's completion already refused once, while the plan that was started then is carried out? */
      wasRefused: (started: string, task: string): boolean => table.get(`refused:${started}:${task}`) === true,
      markRefused: (started: string, task: string): void => table.set(`refused:${started}:${task}`, true),
      /** The session that started the plan with `hookwright plan start`, and so leads it. */
      lead: (started: string): string => String(table.get(`lead:${started}`) ?? ""),
      markLead: (started: string, session: string): void => table.set(`lead:${started}`, session),
      /** Completions that the person has not heard of yet. */
      completed,
      keepCompleted: (session: string, one: Completed): void =>
        table.set(`completed:${session}`, [...completed(session), one].slice(-MOST_COMPLETED)),
      forgetCompleted: (session: string): void => table.delete(`completed:${session}`),
    };
  },
});

/** What only one session needs to remember. */
export const planSession = defineStore({
  name: "plan",
  scope: "session",
  open: (table) => ({
    wasTold: (text: string): boolean => table.get(`told:${text}`) === true,
    markTold: (text: string): void => table.set(`told:${text}`, true),
    /** The last thing known of the plan before a compaction, in case its document cannot be read after it. */
    snapshot: (): string => String(table.get("snapshot") ?? ""),
    keepSnapshot: (text: string): void => table.set("snapshot", text),
  }),
});
