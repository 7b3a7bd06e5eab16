import type { Database } from "../../state/database.ts";
import type { Row } from "../../state/driver.ts";
import type {
  AllowOnce,
  ConfigChange,
  DecisionDetail,
  ExplainAgain,
  PolicyRow,
  ReplayProgress,
  WorkPage,
} from "./api.ts";

export type ListedPolicy = Pick<PolicyRow, "id" | "pack" | "stage" | "mode" | "isOn" | "summary">;
export type RecordedDetail = Pick<DecisionDetail, "policies" | "facts" | "reply">;
export type PlanOfProject = WorkPage["plans"][number];

export interface ReplayRequest {
  readonly since: string;
  readonly config?: string | undefined;
  readonly policy?: string | undefined;
  readonly profile?: string | undefined;
}

export interface ChangeRequest {
  readonly isPreview: boolean;
  /** Also say what the change would have made of the last days. */
  readonly isReplayed: boolean;
}

/** What the dashboard does through the functions of the command line, which passes them in: see ADR 20. */
export interface DashboardActions {
  /** What was recorded of an entry, as `explain` shows it. */
  recorded(db: Database, row: Row): RecordedDetail;
  /** The body of an entry with those texts that the agent's transcript still has. */
  wholeBody(row: Row): string;
  /** What the command would do, as `check` says it, in this folder and as things are now. */
  effects(command: string, cwd: string): Promise<DecisionDetail["effects"]>;
  /** Decides the entry again, as `explain --id` does. */
  explain(id: number): Promise<ExplainAgain>;
  /** As `allow --once` in the project of the entry. */
  allowOnce(command: string, project: string): AllowOnce;
  setMode(policy: string, mode: PolicyRow["mode"], change: ChangeRequest): Promise<ConfigChange>;
  /** Allows exactly what this command would lose, in the person's configuration. */
  allowLosses(command: string, cwd: string, reason: string, change: ChangeRequest): Promise<ConfigChange>;
  /** Approves exactly this command in this project from now on, in the person's configuration. */
  alwaysApprove(
    rule: Readonly<Record<"tool" | "command" | "project", string>>,
    change: ChangeRequest,
  ): Promise<ConfigChange>;
  /** The policies that hold in this folder. */
  policies(cwd: string): Promise<readonly ListedPolicy[]>;
  /** The plan that is being carried out there; undefined when there is none that can be read. */
  plan(project: string): PlanOfProject | undefined;
  replay(request: ReplayRequest, onProgress: (progress: ReplayProgress) => void): Promise<void>;
  /** Writes into the journal what a person has changed here. */
  record(words: readonly string[]): void;
}

export function isDone({ state }: PlanOfProject["tasks"][number]): boolean {
  return state === "complete";
}
