import type { ModeName } from "../modes.ts";
import { modesNamedIn } from "./mode-names.ts";
import { NO_INTENTS, type PhraseUse, type PromptIntents, promptIntents } from "./prompt-intents.ts";
import { requestWithout } from "./request.ts";
import { expandedCommand, isSlashCommand, type SlashCommand, slashCommand } from "./slash-command.ts";

/** What a prompt means: a typed skill, or a person's words. */
export function intentsOfPrompt(prompt: string, phrases: PhraseUse): PromptIntents {
  if (!isSlashCommand(prompt)) return promptIntents(prompt, phrases);
  const command = slashCommand(prompt);
  return command ? ofSkill(command) : NO_INTENTS;
}

/** What a typed skill means, as the agent reports it when it expands it. */
export function intentsOfCommand(name: string, args: string): PromptIntents {
  const command = expandedCommand(name, args);
  return command ? ofSkill(command) : NO_INTENTS;
}

/** The mode that a skill starts or resumes; `any` when it resumes one without naming it. */
export function slashCommandMode(name: string, args: string): ModeName | undefined {
  const intents = intentsOfCommand(name, args);
  return intents.starts[0]?.mode ?? intents.resume?.mode;
}

const RESUME = /^(?:resume|continue)[\s.!]*$/i;
const CANCEL = /^(?:cancel|stop|off|end|abort)[\s.!]*$/i;
const SWARM_SIZE = /^(\d{1,3})(?![\p{L}\p{N}.,%])(?:\s+agents?\b)?\s*:?\s*(?:(?:to|for)\s+)?/iu;

function ofSkill({ skill, typed, args }: SlashCommand): PromptIntents {
  if (skill === "modes") return NO_INTENTS;
  if (skill === "cancel") return { ...NO_INTENTS, cancel: modesNamedIn(args) };
  if (RESUME.test(args)) return { ...NO_INTENTS, resume: { mode: skill } };
  if (CANCEL.test(args)) return { ...NO_INTENTS, cancel: [skill] };
  const size = skill === "swarm" ? SWARM_SIZE.exec(args) : null;
  const request = requestWithout(size ? args.slice(size[0].length) : args, []);
  const agents = size ? { agents: Number(size[1]) } : {};
  return { ...NO_INTENTS, starts: [{ mode: skill, request, words: typed, ...agents }] };
}
