import fs from "node:fs";
import { describe, HookwrightError } from "../../../core/errors.ts";
import type { SkillScope } from "../../../domain/skills/places.ts";
import type { CommandContext } from "../../command.ts";
import type { Input } from "../../terminal/standard-input.ts";
import type { FoundSkill, SkillAccess } from "./skill-access.ts";

export interface SkillParts {
  now(): number;
  readonly input: Input;
}

/** What every action of `skills` gets. */
export interface SkillCall extends CommandContext, SkillParts {
  readonly access: SkillAccess;
  readonly words: readonly string[];
  /** Where new skills are written, and with `--global` also where others are looked for. */
  readonly scope: SkillScope;
}

export function usageError(detail: string): HookwrightError {
  return new HookwrightError("HW_USAGE", { detail, command: "skills" });
}

export function theNamed({ words: [name], access }: SkillCall, scope?: SkillScope): FoundSkill {
  if (name === undefined || name === "") throw usageError("Name the skill.");
  return access.named(name, scope);
}

/** The file as it was found: of a link, the link and not what it leads to. */
export function removeFile({ at: { file } }: FoundSkill): void {
  try {
    fs.unlinkSync(file);
  } catch (error) {
    throw new HookwrightError("HW_WRITE_FAILED", { file, detail: describe(error) }, error);
  }
}
