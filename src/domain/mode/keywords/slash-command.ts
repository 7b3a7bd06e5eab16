import { isMode, type ModeName } from "../modes.ts";

/** A skill of the modes that a person has typed. */
export interface SlashCommand {
  readonly skill: ModeName | "cancel" | "modes";
  /** As it was typed, without its arguments: `/omc:ralph`. */
  readonly typed: string;
  readonly args: string;
}

/** The plugin that brings these skills, and the original that it replaces. */
const PLUGINS: readonly (string | undefined)[] = [undefined, "omc", "oh-my-claudecode"];
/** A name that goes on with a slash is a path. */
const COMMAND = /^\s*\/([a-z][\w-]*(?::[\w-]+)*)(?=\s|$)/i;

/** Does the text begin with a slash command, whoever's it is? Its arguments are not the person's prose. */
export function isSlashCommand(text: string): boolean {
  return COMMAND.test(text);
}

/** The mode skill that a prompt begins with. */
export function slashCommand(text: string): SlashCommand | undefined {
  const match = COMMAND.exec(text);
  return match?.[1] === undefined ? undefined : expandedCommand(match[1], text.slice(match[0].length));
}

/** The same skill from `command_name` and `command_args`, the fields of a prompt that the client has expanded. */
export function expandedCommand(name: string, args: string): SlashCommand | undefined {
  const command = name.startsWith("/") ? name.slice(1) : name;
  const [own, plugin, ...more] = command.split(":").reverse();
  if (own === undefined || more.length > 0 || !PLUGINS.includes(plugin?.toLowerCase())) return undefined;
  const skill = own.toLowerCase();
  if (!isMode(skill) && skill !== "cancel" && skill !== "modes") return undefined;
  return { skill, typed: `/${command}`, args: args.trim() };
}
