import type { CompiledGlob, CompiledPattern } from "../../config/patterns.ts";
import type { AnyEvent } from "../../core/event.ts";
import type { PolicyContext } from "../../core/policy.ts";
import type { Rule } from "../../core/settings/rule.ts";
import { shellOf } from "../../effects/shell-of-event.ts";
import type { PatternLoader } from "../chunks.ts";
import { lengthOf, type PlacedGlob, placedGlob, targetsOf, writtenBy } from "./rule-paths.ts";

/** A rule's conditions. Patterns are compiled on first use, because most events fail an earlier condition. */
export interface Conditions {
  readonly program: readonly string[] | undefined;
  readonly pattern: (() => CompiledPattern) | undefined;
  readonly globs: (() => readonly PlacedGlob[]) | undefined;
  readonly compileGlob: (glob: string) => CompiledGlob;
}

export function conditionsOf({ program, pattern, path }: Rule, loadPatterns: PatternLoader): Conditions {
  const compileGlob = (glob: string): CompiledGlob => loadPatterns().compileGlob(glob);
  return {
    program,
    pattern: pattern === undefined ? undefined : once(() => loadPatterns().compilePattern(pattern)),
    globs: path && once(() => path.map((glob) => placedGlob(glob, compileGlob))),
    compileGlob,
  };
}

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** The values that the rule's text may name, or why the conditions cannot be checked; undefined when one is not met. */
export type Finding =
  | { readonly path?: string; readonly program?: string }
  | { readonly unsure: "unreadable" | "long"; readonly why: string };

type Context = Pick<PolicyContext, "actor" | "places" | "realPath" | "info">;

/** All conditions must be met. One that is certainly not met decides, also when another cannot be checked. */
export function checkConditions(
  conditions: Conditions,
  event: AnyEvent,
  ctx: Context,
  reach: number,
): Finding | undefined {
  const { program, globs, pattern, compileGlob } = conditions;
  const shell = program || globs ? shellOf(event, ctx.places.userHome) : undefined;
  const found: { path?: string; program?: string } = {};
  let doubt: Extract<Finding, { unsure: string }> | undefined;
  if (shell?.unreadable !== undefined) {
    doubt = { unsure: "unreadable", why: shell.unreadable };
  } else {
    if (program) {
      const hit = shell?.commands.find((command) => program.includes(command.program ?? ""));
      if (hit?.program === undefined) return undefined;
      found.program = hit.program;
    }
    if (globs) {
      const targets = targetsOf(event, ctx.places.userHome);
      if (targets.length === 0) return undefined;
      if (lengthOf(targets) > reach) doubt = { unsure: "long", why: `${targets.length} paths are too many to compare` };
      else {
        const hit = writtenBy(targets, event, ctx, globs(), compileGlob);
        if (hit === undefined) return undefined;
        found.path = hit;
      }
    }
  }
  if (pattern) {
    const texts = textsOf(event, ctx.places.userHome);
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    if (length > reach) doubt ??= { unsure: "long", why: `${length} characters are too many to search` };
    else if (!texts.some((text) => pattern().test(text))) return undefined;
  }
  return doubt ?? found;
}

const known = new WeakMap<AnyEvent, readonly string[]>();

/**
 * The texts that a pattern is searched in. Of a shell line these are the line as it was written, and each command as the
 * shell would run it: without quotes, continued lines and extra spaces.
 */
function textsOf(event: AnyEvent, userHome: string): readonly string[] {
  let texts = known.get(event);
  if (!texts) {
    texts = [...new Set(readTexts(event, userHome))];
    known.set(event, texts);
  }
  return texts;
}

function readTexts(event: AnyEvent, userHome: string): readonly string[] {
  if (event.name === "prompt.submit" || event.name === "prompt.expand") return [event.prompt];
  const tool = event.tool;
  if (!tool) return [];
  const { command } = tool.input;
  if (tool.kind !== "shell" || typeof command !== "string") return [JSON.stringify(tool.input)];
  const { commands } = shellOf(event, userHome);
  return [command, ...commands.map(({ argv }) => argv.map(({ text }) => text).join(" "))];
}
