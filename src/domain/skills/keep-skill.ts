import { HookwrightError } from "../../core/errors.ts";
import type { Json } from "../../core/event.ts";
import type { Database } from "../../state/database.ts";
import type { EditCrashPoint } from "../../system/edit-text-file.ts";
import type { SkillDraft } from "./draft.ts";
import { folderToWrite, skillFolders } from "./places.ts";
import { writeSkill } from "./write-skill.ts";

/** Work that a hook leaves to a job, because an event is settled in the database alone. */
export const SKILL_JOB = "skills/write";

export interface SkillJob {
  readonly project: string;
  readonly userHome: string;
  readonly draft: SkillDraft;
  readonly session: string;
  readonly at: number;
}

export function skillJob(job: SkillJob): Json {
  return { ...job };
}

/** It may run twice: a skill whose file is there, or that is like one that was written meanwhile, is not written. */
export function runSkillJob(args: Json, db: Database, reached: EditCrashPoint): void {
  const { project, userHome, draft, session, at } = args as unknown as SkillJob;
  const folders = skillFolders(project, userHome);
  try {
    writeSkill(draft, folderToWrite("project", project, userHome), folders, { db, at, session, reached });
  } catch (error) {
    if (!(error instanceof HookwrightError && error.code === "HW_SKILL_REFUSED")) throw error;
  }
}
