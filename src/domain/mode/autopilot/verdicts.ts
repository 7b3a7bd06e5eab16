import type { Json, JsonObject } from "../../../core/event.ts";
import { isObject } from "../../../core/event.ts";
import { oneLine } from "../../../core/text/one-line.ts";
import { plainLines } from "../signals.ts";

export const REVIEWS = ["functional", "security", "quality"] as const;
export type Review = (typeof REVIEWS)[number];
export const MOST_ROUNDS = 3;

/** From the best to the worst. */
const VERDICTS = ["APPROVED", "NEEDS_FIX", "REJECTED"] as const;
type VerdictName = (typeof VERDICTS)[number];

export type Verdict = {
  readonly type: Review;
  readonly verdict: VerdictName;
  /** What has to change; empty for an approval. */
  readonly issues: readonly string[];
};

/** The state of the validation, under the names of oh-my-claudecode's file and one of ours. */
export type Validation = {
  /** How many verdicts were heard. */
  readonly architects_spawned: number;
  /** Those of the current round, at most one of each type. */
  readonly verdicts: readonly Verdict[];
  readonly all_approved: boolean;
  /** How many rounds have begun. A round begins with its first verdict. */
  readonly validation_rounds: number;
  /** The last round whose rejection the person was told of. */
  readonly told_rounds: number;
};

const LINE =
  /^<validation-verdict\s+type\s*=\s*(?:"([a-z]+)"|'([a-z]+)')\s*>\s*([A-Z_]+)\s*<\/validation-verdict\s*>$/gm;
const ANY_TAG = /<\/?validation-verdict/;
const BULLET = /^(?:[-*+]|\d{1,3}[.)])\s+(.*\S)/;
const MOST_ISSUES = 10;
const LONGEST_ISSUE = 300;
/** It may give any verdict, because not every installation has the reviewers. */
const ANY_REVIEWER = "general-purpose";

/** The stored state of the validation, or that of a run in which it has not begun. */
export function validationOf(stored: Json | undefined): Validation {
  const value: JsonObject = isObject(stored) ? stored : {};
  const count = (field: string): number => (typeof value[field] === "number" ? value[field] : 0);
  return {
    architects_spawned: count("architects_spawned"),
    verdicts: Array.isArray(value.verdicts) ? value.verdicts.flatMap((row: Json) => storedVerdict(row) ?? []) : [],
    all_approved: value.all_approved === true,
    validation_rounds: count("validation_rounds"),
    told_rounds: count("told_rounds"),
  };
}

/** All reviewers have spoken in this round, and not all of them have approved. */
export function isRejected({ verdicts, all_approved }: Validation): boolean {
  return verdicts.length === REVIEWS.length && !all_approved;
}

/** The types without an approval in this round. */
export function notApproved({ verdicts }: Validation): readonly Review[] {
  return REVIEWS.filter((type) => !verdicts.some((one) => one.type === type && one.verdict === "APPROVED"));
}

/** What has to change, each with the type of its reviewer before it. */
export function issuesOf({ verdicts }: Validation): readonly string[] {
  return verdicts.flatMap(({ type, issues }) => issues.map((issue) => `[${type}] ${issue}`));
}

/**
 * The validation after a subagent's last message; undefined when that message decides nothing. A verdict replaces the
 * one of its type. After a rejected round it begins the next one, in which all three reviewers have to approve anew:
 * what was corrected for one of them may be wrong for another.
 */
export function hearVerdict(before: Validation, agentType: string, message: string): Validation | undefined {
  const heard = verdictIn(agentType, message);
  const isOver = isRejected(before);
  if (!heard || (isOver && before.validation_rounds >= MOST_ROUNDS)) return undefined;
  const current = isOver ? [] : before.verdicts;
  const others = current.filter(({ type }) => type !== heard.type);
  const verdicts = REVIEWS.flatMap((type) => [...others, heard].filter((one) => one.type === type));
  return {
    ...before,
    architects_spawned: before.architects_spawned + 1,
    verdicts,
    all_approved: verdicts.length === REVIEWS.length && verdicts.every(({ verdict }) => verdict === "APPROVED"),
    validation_rounds: before.validation_rounds + (current.length === 0 ? 1 : 0),
  };
}

/**
 * The verdict in a reviewer's last message, on a line of its own and outside of code blocks. Of several verdicts of its
 * type the worst counts. A general agent reviews for one type only, so one that names several decides nothing.
 */
export function verdictIn(agentType: string, message: string): Verdict | undefined {
  const lines = plainLines(message).map((line) => line.replace(/^(?:\*\*|__)|(?:\*\*|__)$/g, ""));
  const found = [...lines.join("\n").matchAll(LINE)].flatMap(([, double, single, verdict]) => {
    const type = REVIEWS.find((name) => name === (double ?? single));
    const name = VERDICTS.find((one) => one === verdict);
    return type && name ? [{ type, name }] : [];
  });
  const types = new Set(found.map(({ type }) => type));
  const type = ownType(agentType) ?? (isGeneral(agentType) && types.size === 1 ? found[0]?.type : undefined);
  const names = found.filter((one) => one.type === type).map(({ name }) => name);
  const verdict = VERDICTS.findLast((name) => names.includes(name));
  if (!type || !verdict) return undefined;
  return { type, verdict, issues: verdict === "APPROVED" ? [] : issuesIn(lines) };
}

function issuesIn(lines: readonly string[]): readonly string[] {
  const bullets = lines.flatMap((line) => BULLET.exec(line)?.[1] ?? []);
  if (bullets.length > 0) return bullets.slice(0, MOST_ISSUES).map((line) => oneLine(line, LONGEST_ISSUE));
  const prose = lines.filter((line) => !ANY_TAG.test(line)).join(" ");
  return [oneLine(prose, LONGEST_ISSUE) || "no reason was given"];
}

/** The type that an agent reviews for, by its name without a plugin's prefix such as `omc:`. */
function ownType(agentType: string): Review | undefined {
  return REVIEWS.find((type) => nameOf(agentType) === `${type}-reviewer`);
}

function isGeneral(agentType: string): boolean {
  return nameOf(agentType) === ANY_REVIEWER;
}

function nameOf(agentType: string): string {
  return agentType.slice(agentType.lastIndexOf(":") + 1);
}

function storedVerdict(row: Json): Verdict | undefined {
  if (!isObject(row)) return undefined;
  const type = REVIEWS.find((name) => name === row.type);
  const verdict = VERDICTS.find((name) => name === row.verdict);
  if (!type || !verdict) return undefined;
  return { type, verdict, issues: Array.isArray(row.issues) ? row.issues.map(String) : [] };
}
