import path from "node:path";
import { type FrontMatter, type FrontMatterValue, frontMatter } from "../../core/text/front-matter.ts";
import { skillId } from "./names.ts";

export const SOURCES = ["extracted", "promoted", "manual"] as const;
export type SkillSource = (typeof SOURCES)[number];

/** What a skill file says. A type alias, because facts are JSON. */
export type Skill = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly source: SkillSource;
  /** As it is written; empty when it is not. */
  readonly createdAt: string;
  /** 0 to 100; undefined when the file does not say it. */
  readonly quality: number | undefined;
  /** In lower case. */
  readonly triggers: readonly string[];
  readonly tags: readonly string[];
  readonly isFuzzy: boolean;
  readonly body: string;
};

/** A sentence part instead when the file means to be a skill and cannot be used; undefined for any other file. */
export type SkillRead = Skill | string | undefined;

const MOST_TRIGGERS = 50;
const LONGEST_TRIGGER = 100;
const LONGEST_LINE = 300;

/** Everything but the triggers may be missing. A file without front matter, such as a README, is no skill. */
export function readSkill(text: string, file: string): SkillRead {
  if (text.includes("\uFFFD")) return "it is not UTF-8 text";
  const read = frontMatter(text);
  if (!read) return /^\uFEFF?---[ \t]*\r?\n/.test(text) ? "its front matter has no end" : undefined;
  const { values } = read;
  const triggers = lowerCased(values.triggers).slice(0, MOST_TRIGGERS);
  if (triggers.length === 0) return "it has no triggers";
  const body = read.body.trim();
  if (body === "") return "it has no text";
  const name = lineOf(values.name) || nameOfFile(file);
  const source = lineOf(values.source);
  return {
    id: skillId(lineOf(values.id) || name),
    name,
    description: lineOf(values.description),
    source: SOURCES.find((one) => one === source) ?? "manual",
    createdAt: lineOf(values.createdAt),
    quality: qualityOf(lineOf(values.quality)),
    triggers,
    tags: lowerCased(values.tags),
    isFuzzy: values.matching === "fuzzy",
    body,
  };
}

function nameOfFile(file: string): string {
  const base = path.basename(file, ".md");
  return base.toUpperCase() === "SKILL" ? path.basename(path.dirname(file)) : base;
}

function lineOf(value: FrontMatterValue | undefined): string {
  return typeof value === "string" ? value.replace(/\s+/g, " ").trim().slice(0, LONGEST_LINE).toWellFormed() : "";
}

function qualityOf(text: string): number | undefined {
  const value = Number(text);
  return text === "" || !Number.isFinite(value) ? undefined : Math.min(100, Math.max(0, value));
}

/** A list, or a text with commas. */
function lowerCased(value: FrontMatter["values"][string] | undefined): string[] {
  if (value === undefined || typeof value === "boolean") return [];
  const texts = typeof value === "string" ? value.split(",") : value;
  const words = texts.map((one) => one.replace(/\s+/g, " ").trim().toLowerCase());
  return [...new Set(words)].filter((one) => one !== "" && one.length <= LONGEST_TRIGGER);
}
