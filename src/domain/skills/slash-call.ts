import path from "node:path";
import type { PolicyContext } from "../../core/policy.ts";
import { isSlashCommand, slashCommand } from "../mode/keywords/slash-command.ts";
import { skillId } from "./names.ts";

/** A name that a person has typed after a slash. */
export interface SkillCall {
  /** As it was typed, without the slash. */
  readonly typed: string;
  readonly id: string;
  readonly args: string;
  /** Typed behind the plugin's own command, so it is meant to be a skill of ours. */
  readonly isOurs: boolean;
}

const CALL = /^\s*\/([a-z][\w-]*)(?=\s|$)/i;
/** The skill of the plugin that calls a learned one: the client knows it, so it works in a terminal too. */
const PLUGIN_CALL = /^\s*\/(?:omc:)?skill[ \t]+\/?([a-z][\w-]*)(?=\s|$)/i;
/** Commands that the client expands itself, or that have always been left to it. */
const NOT_OURS = new Set(
  "bug clear compact config context cost debug doctor exit export feedback help history hooks init insights login logout loop mcp memory model omc permissions plan plugin pr-comments quit ralph release-notes resume review rewind security-review simplify skill skills status statusline tasks todos usage".split(
    " ",
  ),
);

/** The skill that a prompt calls by its name, whether there is one or not. */
export function calledSkill(prompt: string): SkillCall | undefined {
  const plugin = PLUGIN_CALL.exec(prompt);
  const match = plugin ?? (isSlashCommand(prompt) && !slashCommand(prompt) ? CALL.exec(prompt) : null);
  const typed = match?.[1];
  if (!match || typed === undefined || (!plugin && NOT_OURS.has(typed.toLowerCase()))) return undefined;
  return { typed, id: skillId(typed), args: prompt.slice(match[0].length).trim(), isOurs: plugin !== null };
}

/** Does the client know this command from a file of the project or the person? Then it expands it itself. */
export function isClientCommand(
  name: string,
  { actor, places, info, list }: Pick<PolicyContext, "actor" | "places" | "info" | "list">,
): boolean {
  return [actor.project, places.userHome].some((root) => {
    const commands = path.join(root, ".claude", "commands");
    const isFile = (...parts: string[]): boolean => info(path.join(...parts)) !== undefined;
    return (
      isFile(commands, `${name}.md`) ||
      isFile(root, ".claude", "skills", name, "SKILL.md") ||
      (list(commands) ?? []).some((folder) => !folder.includes(".") && isFile(commands, folder, `${name}.md`))
    );
  });
}

const ARGUMENTS = "$ARGUMENTS";

/** The text of a skill with the arguments in it, as they were typed; below it when it has no place for them. */
export function withArguments(body: string, args: string): string {
  if (body.includes(ARGUMENTS)) return body.split(ARGUMENTS).join(args);
  return args === "" ? body : `${body}\n\nThe request: ${args}`;
}

/** Has the text a line that the original would have run as a command? */
export function hasCommandLines(body: string): boolean {
  return withoutFences(body).some((line) => /^!\s*\S/.test(line));
}

function withoutFences(body: string): string[] {
  let isInside = false;
  return body.split(/\r?\n/).filter((line) => {
    const isFence = /^\s*(?:`{3}|~{3})/.test(line);
    if (isFence) isInside = !isInside;
    return !isFence && !isInside;
  });
}
