import type { PolicyContext } from "../../core/policy.ts";
import { type Excerpt, joinedExcerpts } from "../touched/excerpts.ts";
import { readLibrary, type UnusableSkill } from "./library.ts";
import { fitOf, promptWords } from "./match.ts";
import { type SkillFolder, type SkillScope, skillFolders } from "./places.ts";
import { readSkill } from "./skill.ts";
import { LARGEST_SKILL, type SkillFile, type SkillReader } from "./skill-files.ts";

/** How many skills a prompt brings at most. */
const MOST_SKILLS = 3;
/** A context has no room for more of a skill. */
const MOST_TOLD = 5_000;
const [FIT, BODY, TRIGGERS, NAME] = ["skill-fit", "skill-text", "skill-triggers", "skill-name"];

export interface FoundSkill {
  readonly id: string;
  readonly at: SkillFile;
}

type Look = Pick<PolicyContext, "list" | "realPath" | "info" | "read" | "actor" | "places">;

function readerOf({ list, realPath, info, read }: Look): SkillReader {
  return { list, realPath, info, text: (file, about, digest, most) => read.text(file, about, digest, most) };
}

export function foldersOf({ actor, places }: Pick<Look, "actor" | "places">): SkillFolder[] {
  return skillFolders(actor.project, places.userHome);
}

export interface FittingSkills {
  /** The best first. */
  readonly skills: readonly FoundSkill[];
  readonly unusable: readonly UnusableSkill[];
}

/** The skills that fit the prompt best, without those that are known already. */
export function fittingSkills(prompt: string, ctx: Look, isKnown: (id: string) => boolean): FittingSkills {
  const words = promptWords(prompt);
  const { skills, unusable } = readLibrary(foldersOf(ctx), readerOf(ctx), FIT, (skill) => ({
    id: skill.id,
    ...fitOf(skill, words),
  }));
  const fitting = skills.filter(({ id, score }) => score > 0 && !isKnown(id));
  // Sorting is stable: of equal ones the skill of the project comes first.
  fitting.sort((one, other) => other.score - one.score || other.tie - one.tie);
  return { skills: fitting.slice(0, MOST_SKILLS), unusable };
}

/** What a skill says; undefined when it cannot be read any more. */
export function excerptOf({ at, id }: FoundSkill, ctx: Look): (Excerpt & { readonly body: string }) | undefined {
  const read = ctx.read.text(at.real, BODY, (text) => bodyOf(text, at.file), LARGEST_SKILL);
  if (!read) return undefined;
  return { file: at.shown, why: id, text: read.body, body: read.body, isCut: read.isCut };
}

function bodyOf(text: string, file: string): { body: string; isCut: boolean } | null {
  const skill = readSkill(text, file);
  if (typeof skill !== "object") return null;
  return { body: skill.body.slice(0, MOST_TOLD).toWellFormed(), isCut: skill.body.length > MOST_TOLD };
}

/** What the skills say, as far as there is room, and the keys of those that could be read as JSON. */
export function toldSkills(skills: readonly FoundSkill[], ctx: Look, room: number): { text: string; keys: string } {
  const told = skills.flatMap((skill) => {
    const excerpt = excerptOf(skill, ctx);
    return excerpt ? [{ key: keyOf(skill), excerpt }] : [];
  });
  const text = joinedExcerpts(
    told.map(({ excerpt }) => excerpt),
    room,
  );
  return { text, keys: JSON.stringify(told.map(({ key }) => key)) };
}

/** A longer list would be no notice. */
const MOST_REPORTED = 5;

/** Those of which the person was not told, with the reasons and as JSON; empty when there is none. */
export function unusableFiles(
  unusable: readonly UnusableSkill[],
  reported: readonly string[],
): { files: string; list: string } {
  const unknown = unusable.filter(({ shown }) => !reported.includes(shown)).slice(0, MOST_REPORTED);
  const files = unknown.map(({ shown, why }) => `${shown} (${why})`).join(", ");
  return { files, list: JSON.stringify(unknown.map(({ shown }) => shown)) };
}

export function knownTriggers(ctx: Look): readonly (readonly string[])[] {
  const { skills } = readLibrary(foldersOf(ctx), readerOf(ctx), TRIGGERS, ({ id, triggers }) => ({ id, triggers }));
  return skills.map(({ triggers }) => triggers);
}

export function namedSkills(ctx: Look): readonly FoundSkill[] {
  return readLibrary(foldersOf(ctx), readerOf(ctx), NAME, ({ id }) => ({ id })).skills;
}

/** `project/fix-login`, to be kept with a message. */
export function keyOf({ id, at }: FoundSkill): string {
  return `${at.folder.scope}/${id}`;
}

export function ofKey(key: string): { readonly scope: SkillScope; readonly id: string } {
  const [scope = "", id = ""] = key.split("/");
  return { scope: scope === "project" ? "project" : "person", id };
}
