import type { PolicyContext } from "../../core/policy.ts";
import { draftOf, momentId, type SkillDraft } from "./draft.ts";
import { knownTriggers } from "./for-prompt.ts";
import { momentIn } from "./moments.ts";
import { folderToWrite } from "./places.ts";
import { isDuplicate, isWorthKeeping, qualityGate } from "./quality.ts";
import type { SkillRecords } from "./store.ts";
import { fileOfSkill, linkIn } from "./write-skill.ts";

/** What an agent's message says that could become a skill. */
export interface Suggestion {
  readonly id: string;
  readonly draft: SkillDraft;
  /** How often it came up before. */
  readonly repeats: number;
  /** Is it worth a person's attention by now? */
  readonly isGood: boolean;
}

/** Undefined when the message has no such moment, or the person was told of it. */
export function suggestionIn(message: string, records: SkillRecords): Suggestion | undefined {
  const moment = momentIn(message);
  if (!moment) return undefined;
  const draft = draftOf(moment, "extracted");
  if (qualityGate(draft).refusal !== "") return undefined;
  const id = momentId(draft);
  const before = records.moment(id);
  if (before?.isTold) return undefined;
  const repeats = before ? before.repeats + 1 : 0;
  return { id, draft, repeats, isGood: isWorthKeeping(draft, repeats) };
}

/** The file that the skill would be written into; undefined when it is there, or a skill like it. */
export function newFileOf(
  { draft: { name, triggers } }: Suggestion,
  ctx: Pick<PolicyContext, "list" | "realPath" | "info" | "read" | "actor" | "places">,
): string | undefined {
  const folder = folderToWrite("project", ctx.actor.project, ctx.places.userHome);
  const { file, shown } = fileOfSkill(name, folder);
  if (linkIn(folder, ctx.info) !== "" || ctx.info(file) !== undefined) return undefined;
  return knownTriggers(ctx).some((known) => isDuplicate(triggers, known)) ? undefined : shown;
}
