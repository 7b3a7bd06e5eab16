import { oneLine } from "../../../core/text/one-line.ts";
import { type NewSkill, skillFromText } from "../../../domain/skills/skill-text.ts";
import { technicalWords } from "../../../domain/skills/words.ts";
import { refused } from "../../../domain/skills/write-skill.ts";
import type { CommandContext } from "../../command.ts";
import { readInput } from "../../terminal/standard-input.ts";
import { type SkillCall, usageError } from "./call.ts";

const LARGEST_TEXT = 32 * 1024;
const LONGEST_DESCRIPTION = 120;
const MOST_TAGS = 5;

export async function add(call: SkillCall): Promise<void> {
  const { words, input, options } = call;
  const [name] = words;
  if (name === undefined || name.trim() === "") throw usageError("Name the skill, or give `-` for standard input.");
  if (name !== "-") {
    write(call, withOptions(emptySkill(name.trim()), options));
    return;
  }
  const bytes = await readInput(input, LARGEST_TEXT + 1);
  if (bytes.length > LARGEST_TEXT) throw usageError(`The text has more than ${LARGEST_TEXT / 1024} KB.`);
  const skill = skillFromText(bytes.toString("utf8"), textOf(options.name));
  if (typeof skill === "string") throw refused(textOf(options.name) || "-", skill);
  write(call, withOptions(skill, options));
}

export function write({ access, scope, now, out, options, err }: SkillCall, skill: NewSkill): void {
  const file = access.add(skill, scope, now());
  const { id } = access.library([access.folder(scope)]).skills.find(({ at }) => at.file === file) ?? { id: "" };
  if (access.library().skills.every(({ at }) => at.file !== file)) {
    err(`hookwright: this project has a skill of its own with the id \`${id}\`, which counts here.`);
  }
  if (options.json) out(JSON.stringify({ id, file }));
  else out(`Wrote ${file}.`);
}

function emptySkill(name: string): NewSkill {
  return { name, description: "", problem: "", solution: "", triggers: [], tags: [], source: "manual" };
}

/** What an option says counts more than what is known. */
export function withOptions(skill: NewSkill, options: CommandContext["options"]): NewSkill {
  const problem = textOf(options.problem) || skill.problem;
  const solution = textOf(options.solution) || skill.solution;
  const triggers = textsOf(options.trigger).map((one) => one.toLowerCase());
  const tags = textsOf(options.tag).map((one) => one.toLowerCase());
  return {
    ...skill,
    name: (options.name !== undefined && textOf(options.name)) || skill.name,
    problem,
    solution,
    description: textOf(options.description) || skill.description || oneLine(problem, LONGEST_DESCRIPTION),
    triggers: [...new Set(triggers.length > 0 ? triggers : skill.triggers)],
    tags: [
      ...new Set(
        tags.length > 0 ? tags : skill.tags.length > 0 ? skill.tags : technicalWords(`${problem} ${solution}`),
      ),
    ].slice(0, MOST_TAGS),
    isFuzzy: options.fuzzy === true || skill.isFuzzy === true,
  };
}

type Option = CommandContext["options"][string];

function textOf(option: Option): string {
  return typeof option === "string" ? option.toWellFormed().trim() : "";
}

/** Each may be given once, or with commas. */
function textsOf(option: Option): string[] {
  const given = Array.isArray(option) ? option : [option];
  const texts = given.flatMap((one) => (typeof one === "string" ? one.split(",") : []));
  return texts.map((one) => one.toWellFormed().replace(/\s+/g, " ").trim()).filter((one) => one !== "");
}
