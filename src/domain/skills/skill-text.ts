import { type FrontMatter, frontMatter, withFrontMatter } from "../../core/text/front-matter.ts";
import { oneLine } from "../../core/text/one-line.ts";
import { maskText } from "../../state/masking.ts";
import { type SkillDraft, triggersIn } from "./draft.ts";
import { skillId } from "./names.ts";
import { readSkill } from "./skill.ts";

/** A skill as it is written. */
export interface NewSkill extends SkillDraft {
  readonly isFuzzy?: boolean;
  /** Instead of the problem and the solution, when a person wrote the text. */
  readonly body?: string;
  /** Other values that its front matter had. */
  readonly others?: FrontMatter["values"];
}

export interface Writing {
  readonly quality: number;
  readonly at: number;
  readonly session: string;
}

/** The text of a skill's file, without secrets. */
export function skillText(skill: NewSkill, { quality, at, session }: Writing): string {
  const { name, description, source, triggers, tags, problem, solution } = withoutSecrets(skill);
  const values = {
    ...skill.others,
    id: skillId(name),
    name,
    description,
    source,
    createdAt: new Date(at).toISOString(),
    ...(session === "" ? {} : { sessionId: session }),
    quality: String(quality),
    triggers,
    ...(tags.length === 0 ? {} : { tags }),
    ...(skill.isFuzzy ? { matching: "fuzzy" } : {}),
  };
  const body = skill.body === undefined ? `# Problem\n\n${problem}\n\n# Solution\n\n${solution}` : maskText(skill.body);
  return withFrontMatter(values, `\n${body.trim()}\n`);
}

/** Nothing of a draft, wherever it is from, shows a secret. */
export function withoutSecrets<D extends SkillDraft>(draft: D): D {
  const triggers = draft.triggers.map(maskText).filter((one) => !one.includes("[masked]"));
  return {
    ...draft,
    name: maskText(draft.name),
    description: maskText(draft.description),
    problem: maskText(draft.problem),
    solution: maskText(draft.solution),
    triggers,
    tags: draft.tags.map(maskText),
  };
}

const LONGEST_DESCRIPTION = 120;
const SECTION = /^#{1,6}[ \t]+(problem|solution)[ \t]*:?[ \t]*$/i;

/** A skill from a Markdown text that a person or an agent wrote; a sentence part when it is none. */
export function skillFromText(text: string, givenName: string): NewSkill | string {
  const read = readSkill(text, givenName === "" ? "skill.md" : `${givenName}.md`);
  if (read === undefined)
    return "it does not begin with front matter: a line of `---`, values such as `name: …`, `---`";
  if (typeof read === "string") return read;
  const sections = sectionsOf(read.body);
  const values = frontMatter(text)?.values ?? ({} as FrontMatter["values"]);
  const { triggers, tags, isFuzzy, body } = read;
  const problem = sections.problem || read.description;
  return {
    name: givenName || (typeof values.name === "string" ? read.name : ""),
    description: read.description || oneLine(problem, LONGEST_DESCRIPTION),
    problem,
    solution: sections.solution || body,
    triggers,
    tags,
    source: "manual",
    isFuzzy,
    body,
    others: values,
  };
}

function sectionsOf(body: string): { problem: string; solution: string } {
  const found = { problem: "", solution: "" };
  let section: keyof typeof found | undefined;
  for (const line of body.split(/\r?\n/)) {
    const heading = SECTION.exec(line)?.[1]?.toLowerCase();
    if (heading === "problem" || heading === "solution") section = heading;
    else if (/^#\s/.test(line)) section = undefined;
    else if (section !== undefined) found[section] += `${line}\n`;
  }
  return { problem: found.problem.trim(), solution: found.solution.trim() };
}

/** A skill from one thing that a run has learned. */
export function skillFromLearning(learning: string): SkillDraft {
  const text = maskText(learning);
  return {
    name: oneLine(text, 50).replace(/…$/, ""),
    description: oneLine(text, LONGEST_DESCRIPTION),
    problem: "What an earlier run in this project has learned.",
    solution: text,
    triggers: triggersIn("", text),
    tags: [],
    source: "promoted",
  };
}
