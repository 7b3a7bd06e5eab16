import * as z from "zod";
import { CLAUDE_EVENTS } from "../agents/claude-code/events.ts";
import { describe } from "../core/errors.ts";
import { EVENTS } from "../core/event.ts";
import { RULE_ACTIONS, RULE_EVENTS, type Rule, type RuleEvent } from "../core/settings/rule.ts";
import type { FileReport } from "./file-report.ts";
import { patternSize } from "./pattern-size.ts";
import { compileGlob, compilePattern } from "./patterns.ts";
import { printableValue } from "./printable.ts";
import { isRecord, MODES, readGivenOptions } from "./read-options.ts";
import type { KeyPath } from "./read-yaml.ts";

export const MOST_RULES = 200;
const LONGEST_PATTERN = 500;
const LARGEST_PATTERN = 1_000;
/** The limit for all patterns and globs of a file together: they are compiled after a change, while an agent waits. */
const LARGEST_TOGETHER = 20_000;
const GLOB_SIZE = 40;

/** A rule with its path in the file. */
export interface PlacedRule {
  readonly rule: Rule;
  readonly path: KeyPath;
}

/** The agent's names of the events, so that a rule may use the names from the agent's documentation. */
const AGENT_EVENTS: Readonly<Record<string, RuleEvent>> = Object.fromEntries(
  Object.entries(CLAUDE_EVENTS).flatMap(([agent, name]) =>
    RULE_EVENTS.flatMap((one) => (one === name ? [[agent, one]] : [])),
  ),
);

const text = (longest: number, what: string) =>
  z
    .string({ error: ({ input }) => (input === undefined ? "this is missing" : undefined) })
    .min(1, { abort: true })
    .max(longest, { abort: true })
    .describe(what);

/** A list of names; a single name is accepted as well. */
const names = (item: z.ZodString, what: string) => z.array(item).min(1).max(50).optional().describe(what);

const fits = (check: (value: string) => unknown) => (value: string, context: z.RefinementCtx) => {
  try {
    check(value);
  } catch (error) {
    context.addIssue({ code: "custom", message: describe(error) });
  }
};

export const ruleSchema = z.object({
  id: text(60, "Its name, in small letters, digits and dashes. It is shown as `rules/…`.").regex(
    /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
    "a name has small letters, digits and single dashes, such as `no-prod-deploy`",
  ),
  event: z
    .enum([...RULE_EVENTS, ...Object.keys(AGENT_EVENTS)])
    .default("tool.before")
    .describe("The event to check, by our name or the agent's."),
  tool: names(
    text(200, "").regex(/^\S+$/, "a tool's name has no spaces"),
    "Tools by name (in any case), or by kind: `shell`, `edit`, `read`, `spawn`.",
  ),
  program: names(
    text(100, "").regex(/^[^\s/]+$/, "a program is named without its folder, such as `kubectl`"),
    "Programs that a shell line would run, found by reading the line as a shell does.",
  ),
  pattern: text(
    LONGEST_PATTERN,
    "A regular expression that matches somewhere in the shell line, the prompt or the tool's input as JSON.",
  )
    .superRefine(fits(checkPattern))
    .optional(),
  path: names(
    text(200, "").superRefine(fits(checkGlob)),
    "Globs for files that an edit or a shell line would write, from the project's root, or beginning with `/` or `~/`.",
  ),
  do: z.enum(RULE_ACTIONS).describe("`deny` stops it, `ask` asks you, `note` tells the model."),
  mode: z.enum(MODES).default("enforce").describe("The mode, as for a policy."),
  text: text(1_000, "The message; `{path}` and `{program}` are replaced by what was found.").refine(
    isPlain,
    "invisible control characters are not allowed",
  ),
});

const LISTS = ["tool", "program", "path"] as const;
const CONDITIONS = ["tool", "program", "pattern", "path"] as const;

/** Reports every mistake, and returns the rules that have none. */
export function readConfigRules(value: unknown, report: FileReport): PlacedRule[] {
  if (value === null) return [];
  if (!Array.isArray(value)) {
    report.mistake(["rules"], () => "`rules` should be a list; each rule begins with `- id: …`");
    return [];
  }
  if (value.length > MOST_RULES) {
    report.mistake(["rules", MOST_RULES], () => `there may be ${MOST_RULES} rules, and here are ${value.length}`);
  }
  const found: PlacedRule[] = [];
  let room = LARGEST_TOGETHER;
  for (const [index, given] of value.slice(0, MOST_RULES).entries()) {
    const path = ["rules", index];
    if (!isRecord(given)) {
      report.mistake(path, () => "a rule has keys and values, such as `id`, `program`, `do` and `text`");
      continue;
    }
    const size = sizeOf(given);
    if (size > room) {
      report.mistake(path, () => "the patterns and globs of this file are too large together");
      continue;
    }
    room -= size;
    const before = report.mistakes;
    const rule = readRule(given, path, report);
    if (rule && found.some((other) => other.rule.id === rule.id)) {
      report.mistake([...path, "id"], () => `the id \`${rule.id}\` is already used above`);
    }
    if (rule && report.mistakes === before) found.push({ rule, path });
  }
  return found;
}

/** A pattern that is too large by itself counts 0 here: its own check reports it, and it is never compiled. */
function sizeOf({ pattern, path }: Readonly<Record<string, unknown>>): number {
  const size = typeof pattern === "string" && pattern.length <= LONGEST_PATTERN ? patternSize(pattern) : 0;
  const globs = Array.isArray(path) ? path.length : path === undefined ? 0 : 1;
  return (size > LARGEST_PATTERN ? 0 : size) + globs * GLOB_SIZE;
}

function readRule(given: Readonly<Record<string, unknown>>, path: KeyPath, report: FileReport): Rule | undefined {
  const before = report.mistakes;
  const whole = { ...given };
  for (const key of LISTS) if (typeof whole[key] === "string") whole[key] = [whole[key]];
  // A key without a value, for example because its list is commented out, counts as missing.
  for (const key of Object.keys(ruleSchema.shape)) if (whole[key] === null) delete whole[key];
  const options = readGivenOptions(ruleSchema, whole, path, report) as z.output<typeof ruleSchema>;
  if (report.mistakes > before) return undefined;
  const { event = "tool.before", mode = "enforce", pattern } = options;
  const rule = {
    ...options,
    event: AGENT_EVENTS[event] ?? (event as RuleEvent),
    mode,
    cost: (pattern === undefined ? 0 : compilePattern(pattern).cost) + (options.path?.length ?? 0) * GLOB_SIZE,
  } as Rule;
  checkTogether(rule, path, report);
  return rule;
}

function checkTogether(rule: Rule, path: KeyPath, report: FileReport): void {
  const isTool = rule.event !== "prompt.submit" && rule.event !== "prompt.expand";
  const used = CONDITIONS.filter((key) => rule[key] !== undefined);
  if (used.length === 0) {
    report.mistake(path, () => `the rule needs at least one of ${CONDITIONS.map((key) => `\`${key}\``).join(", ")}`);
  }
  const legal = RULE_ACTIONS.filter((action) => (EVENTS[rule.event].verdicts as readonly string[]).includes(action));
  if (!legal.includes(rule.do)) {
    const may = legal.map((action) => `\`${action}\``).join(" or ");
    report.mistake([...path, "do"], () => `\`${rule.do}\` means nothing at ${rule.event}; there a rule may say ${may}`);
  }
  for (const key of used) {
    if (isTool || key === "pattern") continue;
    report.mistake([...path, key], () => `a prompt has no \`${key}\`, so the rule would never speak`, "key");
  }
  for (const key of ["path", "program"] as const) {
    if (rule[key] !== undefined || !rule.text.includes(`{${key}}`)) continue;
    report.mistake([...path, "text"], () => `\`{${key}}\` can only be filled in when the rule has \`${key}\``);
  }
}

function checkPattern(source: string): void {
  if (patternSize(source) > LARGEST_PATTERN)
    throw new Error("the pattern is too large when its repetitions are written out");
  compilePattern(source);
}

function checkGlob(glob: string): void {
  if (/^(?:\.\/)*\.\.(?:\/|$)/.test(glob)) {
    throw new Error(
      `\`${printableValue(glob)}\` leads out of the project; write the whole path, beginning with \`/\` or \`~/\``,
    );
  }
  if (glob.split("/").some((part) => part === "..")) throw new Error("write the path without `..`");
  compileGlob(glob);
}

/** No control characters except line breaks and tabs, and none that change the writing direction. */
function isPlain(value: string): boolean {
  return !/[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/u.test(value);
}
