import { HookwrightError } from "../../../core/errors.ts";
import type { StartRequest } from "../machine.ts";
import { CUSTOM_GOAL, DEFAULT_GOAL, GOALS, type Goal, goalNamed } from "./goal-names.ts";
import { usualGoalOf } from "./goals.ts";

/** What a person wants to succeed. */
export interface WishedGoal {
  readonly goal: Goal;
  /** Empty where the project's usual command is meant. */
  readonly command: string;
}

const LONGEST_COMMAND = 2_000;

/** Throws a HookwrightError for a goal that does not exist, and for one that needs a command. */
export function wishedGoal(start: Pick<StartRequest, "request" | "goal" | "command">): WishedGoal {
  const isByOptions = start.goal !== undefined || start.command !== undefined;
  const written = isByOptions ? start : parseGoal(start.request);
  const command = (written.command ?? "").trim();
  if (command.length > LONGEST_COMMAND) {
    throw refused(
      `its command has ${command.length} characters, and at most ${LONGEST_COMMAND} are kept`,
      "Put the command into a script",
    );
  }
  const goal = goalOf(written.goal, command, written.request);
  if (goal === CUSTOM_GOAL && command === "") {
    throw refused("the goal custom needs a command", 'Name it, such as `--goal custom --command "make check"`');
  }
  return { goal, command };
}

/** What a person wrote beside the goal; empty when that is nothing. */
export function plainRequest(text: string): string {
  const { request } = parseGoal(text);
  return goalNamed(request) === undefined ? request : "";
}

function goalOf(name: string | undefined, command: string, request: string): Goal {
  // `/ultraqa lint`: the request is the goal's name.
  if (name === undefined) {
    return command === "" ? (goalNamed(request) ?? DEFAULT_GOAL) : (usualGoalOf(command.split(/\s+/)) ?? CUSTOM_GOAL);
  }
  const goal = goalNamed(name);
  if (goal !== undefined) return goal;
  const list = `${GOALS.slice(0, -1).join(", ")} and ${CUSTOM_GOAL}`;
  throw refused(
    name === "" ? "`--goal` names no goal" : `there is no goal \`${name.slice(0, 40)}\``,
    `Goals are ${list}; custom needs --command`,
  );
}

function refused(detail: string, hint: string): HookwrightError {
  return new HookwrightError("HW_MODE_START", { mode: "ultraqa", detail, hint });
}

interface ParsedGoal {
  /** As it was written; empty for a flag without a value, undefined without the flag. */
  readonly goal?: string;
  readonly command?: string;
  readonly request: string;
}

const GOAL = /(?:^|\s)--goal(?:(?:=|\s+)("[^"\n]*"|'[^'\n]*'|(?!--)[^\s"']+))?(?=\s|$)/;
const COMMAND = /(?:^|\s)--command(?:=|[ \t]+)("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\n]+)/;

/**
 * The flags in what a person typed: `--goal tests --command "npm test" fix the login`. A command without quotes is the
 * longest usual one, such as `npm test`, else a script by its path, else the rest of the line.
 */
export function parseGoal(text: string): ParsedGoal {
  const command = COMMAND.exec(text);
  const found = command ? commandIn(command[1] ?? "") : undefined;
  const length = command && found ? command[0].length - (command[1] ?? "").length + found.length : 0;
  const withoutCommand = command ? cut(text, command.index, length) : text;
  const goal = GOAL.exec(withoutCommand);
  const request = goal ? cut(withoutCommand, goal.index, goal[0].length) : withoutCommand;
  return {
    ...(goal ? { goal: unquoted(goal[1] ?? "") } : {}),
    ...(found ? { command: found.text } : {}),
    request: request.trim(),
  };
}

function commandIn(written: string): { readonly text: string; readonly length: number } {
  if (/^["']/.test(written)) return { text: unquoted(written).trim(), length: written.length };
  // Another flag behind it is none of the command's own.
  const [own = ""] = written.split(/\s--goal(?:[\s=]|$)/);
  const words = own.trim().split(/\s+/);
  for (let count = Math.min(words.length, 8); count > 1; count--) {
    if (usualGoalOf(words.slice(0, count)) === undefined) continue;
    return { text: words.slice(0, count).join(" "), length: endOf(own, count) };
  }
  const isScript = (words[0] ?? "").includes("/");
  return isScript ? { text: words[0] ?? "", length: endOf(own, 1) } : { text: own.trim(), length: own.length };
}

/** Where the first words of a text end. */
function endOf(text: string, words: number): number {
  let end = 0;
  for (const { 0: word, index } of [...text.matchAll(/\S+/g)].slice(0, words)) end = index + word.length;
  return end;
}

function cut(text: string, start: number, length: number): string {
  return `${text.slice(0, start)} ${text.slice(start + length)}`.replace(/ {2,}/g, " ");
}

function unquoted(text: string): string {
  if (text.startsWith('"')) return text.slice(1, -1).replace(/\\(["\\])/g, "$1");
  return text.startsWith("'") ? text.slice(1, -1) : text;
}
