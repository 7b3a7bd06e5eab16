import type { SkillFolder } from "./places.ts";
import { readSkill, type Skill } from "./skill.ts";
import { LARGEST_SKILL, type SkillFile, type SkillReader, skillFiles } from "./skill-files.ts";

/** What is kept of every skill. */
interface Known {
  readonly id: string;
}

export interface Library<T> {
  readonly skills: readonly (T & { readonly at: SkillFile })[];
  /** Files that mean to be skills and cannot be used. */
  readonly unusable: readonly UnusableSkill[];
}

export interface UnusableSkill {
  readonly shown: string;
  readonly why: string;
}

/**
 * All skills, those of the project first. Of several with the same id only the first one is there. `keep` makes what is
 * needed of a skill; it is the fact `about`, so it should be small.
 */
export function readLibrary<T extends Known>(
  folders: readonly SkillFolder[],
  reader: SkillReader,
  about: string,
  keep: (skill: Skill) => T,
): Library<T> {
  const skills = new Map<string, T & { readonly at: SkillFile }>();
  const unusable: UnusableSkill[] = [];
  for (const at of skillFiles(folders, reader)) {
    // The digest is JSON, which has no `undefined`.
    const digest = (text: string): T | string | null => {
      const read = readSkill(text, at.file);
      return typeof read === "object" ? keep(read) : (read ?? null);
    };
    const read = reader.text<T | string | null>(at.real, about, digest, LARGEST_SKILL);
    if (read === undefined) {
      const isFile = reader.info(at.real)?.kind === "file";
      if (isFile)
        unusable.push({ shown: at.shown, why: `it cannot be read or has more than ${LARGEST_SKILL / 1024} KB` });
    } else if (typeof read === "string") unusable.push({ shown: at.shown, why: read });
    else if (read !== null && !skills.has(read.id)) skills.set(read.id, { ...read, at });
  }
  return { skills: [...skills.values()], unusable };
}
