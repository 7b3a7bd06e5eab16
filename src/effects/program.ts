import type { Command } from "../shell/command.ts";
import type { OptionSpec } from "../shell/options.ts";
import { unlessCreatedByLine } from "./across-commands/created-databases.ts";
import { type Effect, type EffectKind, type Family, type Scene, together } from "./effect.ts";
import { type SqlClient, sqlClient } from "./languages/sql/client.ts";
import { type RegistrySetting, withoutLocalReleases } from "./line/local-registry.ts";
import { type Rule, rulesEffects } from "./program-rules.ts";
import {
  type ScriptText,
  type ShellText,
  type SqlText,
  scriptTextEffects,
  shellEffects,
  sqlTextEffects,
} from "./program-texts.ts";

/**
 * What one program can lose, as data. Every unit is a file of its own, `programs/<family>/<tool>.ts`, and is loaded when
 * one of its names occurs on a line.
 */
export interface ProgramUnit {
  readonly names: readonly string[];
  /** What its rules report unless they say otherwise. */
  readonly kind: EffectKind;
  /** Options whose value is the next word; every other option stands alone. */
  readonly values?: string;
  /** Options with which it only says what it would do. */
  readonly dry?: string;
  /** Options as getopt takes them, where a loose reading would not do. */
  readonly options?: OptionSpec;
  /** Options begin with a slash, and capital letters mean the same as small ones: a program of Windows. */
  readonly slashOptions?: true;
  /** The command as the rules shall read it, where its own words do not say all, or too much. */
  readonly reads?: (command: Command, scene: Scene) => Command;
  /** Asked in this order; the first that fits decides. */
  readonly rules?: readonly Rule[];
  /** Texts that it hands to a shell. */
  readonly shell?: readonly ShellText[];
  /** Statements that it sends to a database. */
  readonly sql?: readonly SqlText[];
  /** Texts that it runs in a programming language. */
  readonly script?: readonly ScriptText[];
  /** It is a client of an SQL server and does little else. */
  readonly client?: SqlClient;
  /** What the line itself created before is no loss. */
  readonly exceptNew?: true;
  /** How it is told where a release goes: one to a registry on this machine is not public. */
  readonly registry?: RegistrySetting;
  /** What no table can say. */
  readonly also?: Family;
  /** It looks after data or machines, so that `thing delete name` is worth a question even where no rule fits. */
  readonly service?: true;
  /** Why the check of lines that no rule fits would be wrong here. */
  readonly exempt?: string;
  readonly examples: Examples;
}

interface Examples {
  /** Lines that are asked about: at least one for every rule. */
  readonly hit: readonly string[];
  /** Lines, as similar as possible, that nobody is asked about. */
  readonly pass: readonly string[];
}

export interface Program extends ProgramUnit {
  readonly effects: Family;
}

export function program(unit: ProgramUnit): Program {
  return { ...unit, effects: familyOf(unit) };
}

function familyOf(unit: ProgramUnit): Family {
  const { rules, shell, sql, script, client, also, exceptNew } = unit;
  const parts: Family[] = [];
  if (rules) parts.push((command, scene) => ruleFamily(unit, rules, command, scene));
  if (shell) parts.push((command, scene) => shellEffects(shell, unit, command, scene));
  if (sql) parts.push((command, scene) => sqlTextEffects(sql, unit, command, scene));
  if (script) parts.push((command, scene) => scriptTextEffects(script, unit, command, scene));
  if (client) parts.push(sqlClient(client));
  if (also) parts.push(also);
  const [only] = parts;
  const all: Family =
    only && parts.length === 1 ? only : (command, scene) => together(parts.map((part) => part(command, scene)));
  return exceptNew ? unlessCreatedByLine(all) : all;
}

function ruleFamily(unit: ProgramUnit, rules: readonly Rule[], command: Command, scene: Scene): readonly Effect[] {
  const read = unit.reads?.(command, scene) ?? command;
  const found = withoutLocalReleases(rulesEffects(unit, rules, read), command, scene, unit.registry);
  return read === command || found.length === 0 ? found : found.map((one) => ({ ...one, by: command }));
}
