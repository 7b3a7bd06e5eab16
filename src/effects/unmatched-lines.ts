import type { Command } from "../shell/command.ts";
import type { Effect, Scene } from "./effect.ts";
import { unitOf } from "./families.ts";
import { genericEffects, takesFreeWords } from "./unknown-programs.ts";

/**
 * A program that somebody knows, with a line that none of its rules fits: knowing the program must not make the guard
 * blinder than not knowing it. The words of a program without a unit are files, commits or scripts, which say nothing to
 * anyone else; a unit says by `exempt` that its own do not either.
 */
export function unmatchedLine(program: string, command: Command, scene: Scene): readonly Effect[] {
  const unit = unitOf(program);
  if (!unit || unit.exempt !== undefined || takesFreeWords(program)) return [];
  return genericEffects(command, scene, unit.service ? "service" : "known");
}
