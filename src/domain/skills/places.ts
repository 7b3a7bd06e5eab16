import path from "node:path";

export interface SkillFolder {
  readonly path: string;
  /** As messages show it. */
  readonly shown: string;
  readonly scope: SkillScope;
  /** The folders from which on no part of the path may be a link for something to be written. */
  readonly base: string;
}

export type SkillScope = "project" | "person";

export const SKILLS_OF_PROJECT = ".omc/skills";
/** New skills of a person are written into the first; the others are those of oh-my-claudecode. */
const PERSON = [".claude/local-skills", ".omc/skills", ".claude/skills/omc-learned"] as const;

/** Where skills are, the most important folder first: of two with the same id, the first counts. */
export function skillFolders(project: string, userHome: string): SkillFolder[] {
  return [projectFolder(project), ...PERSON.map((name) => personFolder(userHome, name))];
}

/** The folder into which new skills are written. */
export function folderToWrite(scope: SkillScope, project: string, userHome: string): SkillFolder {
  return scope === "project" ? projectFolder(project) : personFolder(userHome, PERSON[0]);
}

function projectFolder(project: string): SkillFolder {
  return { path: path.join(project, SKILLS_OF_PROJECT), shown: SKILLS_OF_PROJECT, scope: "project", base: project };
}

function personFolder(userHome: string, name: string): SkillFolder {
  const base = path.join(userHome, path.dirname(name));
  return { path: path.join(userHome, name), shown: `~/${name}`, scope: "person", base };
}
