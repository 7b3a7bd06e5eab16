import fs from "node:fs";
import path from "node:path";
import { describe, HookwrightError } from "../../core/errors.ts";
import type { FileInfo } from "../../core/ports.ts";
import type { Database } from "../../state/database.ts";
import { maskText } from "../../state/masking.ts";
import { type EditCrashPoint, editTextFile, readTextFile } from "../../system/edit-text-file.ts";
import { makeFolder } from "../../system/make-folder.ts";
import { system } from "../../system/system.ts";
import { missingIgnoreFile } from "../omc-folder/ignore-file.ts";
import { readLibrary } from "./library.ts";
import { skillId } from "./names.ts";
import type { SkillFolder } from "./places.ts";
import { isDuplicate, qualityGate } from "./quality.ts";
import { readSkill } from "./skill.ts";
import type { SkillFile, SkillReader } from "./skill-files.ts";
import { type NewSkill, skillText, withoutSecrets } from "./skill-text.ts";

/** Reads skills of the real file system, for commands and jobs. */
export const fileSkills: SkillReader = {
  list: system.list,
  realPath: (file) => system.realPath(file),
  info: system.info,
  text: (file, _about, digest, most) => {
    const text = system.readText(file, most);
    return text === undefined ? undefined : digest(text);
  },
};

export interface SkillWriter {
  readonly db: Pick<Database, "transaction">;
  readonly at: number;
  readonly session: string;
  readonly reached: EditCrashPoint;
}

/** Where a skill of this name is written. */
export function fileOfSkill(name: string, folder: SkillFolder): { readonly file: string; readonly shown: string } {
  const base = `${skillId(name)}.md`;
  return { file: path.join(folder.path, base), shown: path.join(folder.shown, base) };
}

/**
 * Writes a new skill and returns its file. Throws when it does not pass the quality gate, is much like another one, has
 * the name of a file that is there, or would be written through a link.
 */
export function writeSkill(
  skill: NewSkill,
  to: SkillFolder,
  all: readonly SkillFolder[],
  { db, at, session, reached }: SkillWriter,
): string {
  const clean = withoutSecrets(skill);
  const { name } = clean;
  const { quality, refusal } = qualityGate(clean);
  if (refusal !== "") throw refused(name, refusal);
  const text = skillText(clean, { quality, at, session });
  assertReadable(text, clean);
  return inFolder(name, to, { db, reached }, text, () => {
    const alike = readLibrary(all, fileSkills, "skill", ({ id, triggers }) => ({ id, triggers })).skills;
    const other = alike.find(({ triggers }) => isDuplicate(clean.triggers, triggers));
    return other ? `it shares half of its triggers or more with ${other.at.shown}` : "";
  });
}

/** Writes the text of a skill that is there into another folder as well, without its secrets. */
export function copySkill(
  { id, at: { real, file } }: { readonly id: string; readonly at: SkillFile },
  to: SkillFolder,
  writer: Pick<SkillWriter, "db" | "reached">,
): string {
  const text = maskText(readTextFile(real)?.text ?? "");
  const read = readSkill(text, file);
  if (typeof read !== "object" || read.id !== id) throw refused(id, `${file} was changed meanwhile`);
  return inFolder(id, to, writer, text, () => "");
}

function inFolder(
  name: string,
  to: SkillFolder,
  { db, reached }: Pick<SkillWriter, "db" | "reached">,
  text: string,
  objection: () => string,
): string {
  const { file, shown } = fileOfSkill(name, to);
  // The lock of the database keeps two processes of ours from writing skills that are alike.
  const done = db.transaction(() => {
    const linked = linkIn(to, fileSkills.info);
    if (linked !== "") throw refused(name, `${linked} is no plain folder`);
    const taken = `${shown} is there already, and is not overwritten`;
    if (fileSkills.info(file) !== undefined) throw refused(name, taken);
    const detail = objection();
    if (detail !== "") throw refused(name, detail);
    prepareFolder(to);
    if (!editTextFile(file, (before) => (before === undefined ? text : undefined), reached)) throw refused(name, taken);
  });
  if (!done) throw new HookwrightError("HW_STATE_BUSY");
  return file;
}

/** The part of the path below the base that is no plain folder; empty when a file may be written there. */
export function linkIn({ base, path: folder }: SkillFolder, info: (file: string) => FileInfo | undefined): string {
  const parts = path.relative(base, folder).split(path.sep);
  const folders = parts.map((_, at) => path.join(base, ...parts.slice(0, at + 1)));
  return folders.find((one) => (info(one)?.kind ?? "directory") !== "directory") ?? "";
}

export function refused(name: string, detail: string): HookwrightError {
  return new HookwrightError("HW_SKILL_REFUSED", { name, detail });
}

/** What cannot be read again would be lost. */
function assertReadable(text: string, { name, description, triggers }: NewSkill): void {
  const read = readSkill(text, "skill.md");
  const isSame =
    typeof read === "object" &&
    read.name === name &&
    read.description === description &&
    read.triggers.join("\n") === triggers.join("\n");
  if (!isSame) throw refused(name, "its name, description or triggers would not be read again as they are");
}

/** Git shows nothing new: a folder of the project that we make ignores everything in it. */
function prepareFolder({ path: folder, base, scope }: SkillFolder): void {
  const isThere = (file: string): boolean => fileSkills.info(file) !== undefined;
  const isOurs = scope === "project" && !isThere(folder);
  const ignore = isOurs ? missingIgnoreFile(base, isThere, path.basename(folder)) : undefined;
  try {
    makeFolder(folder);
    if (ignore) fs.writeFileSync(path.join(...ignore.parts), ignore.text, { flag: "wx" });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return;
    throw new HookwrightError("HW_WRITE_FAILED", { file: folder, detail: describe(error) }, error);
  }
}
