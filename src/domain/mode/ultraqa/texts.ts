import { oneLine } from "../../../core/text/one-line.ts";
import { MOST_EQUAL } from "./cycles.ts";
import type { UltraqaDetails } from "./details.ts";
import { GOAL_TEXTS } from "./goal-names.ts";

const LONGEST_COMMAND = 200;
const LONGEST_REQUEST = 300;

/** The command and where it runs, as a part of a sentence. */
export function commandText({ goal_type, goal_pattern, goal_folder }: UltraqaDetails): string {
  const where = goal_folder === "" ? "" : ` in ${oneLine(goal_folder, LONGEST_COMMAND)}`;
  if (goal_pattern === "") return `a usual command for ${goal_type} that checks the whole project${where}`;
  return `\`${oneLine(goal_pattern, LONGEST_COMMAND)}\`${where}`;
}

/** `cycle 2 of 5` */
export function cycleText({ cycle, max_cycles }: UltraqaDetails): string {
  return `cycle ${Math.min(cycle, max_cycles)} of ${max_cycles}`;
}

function howToProve(details: UltraqaDetails): string {
  const exactly = details.goal_pattern === "" ? "" : "exactly ";
  return `Run ${exactly}${commandText(details)} in a call of its own: not in the background, and without \`|| true\`, a pipe or commands behind it, which hide its result. The call itself counts; no message does.`;
}

/** How ultraqa works, for the start and after a compaction. */
export function guideText(details: UltraqaDetails, request: string): string {
  return [
    `ultraqa is on: it goes on until ${commandText(details)} has certainly succeeded (${GOAL_TEXTS[details.goal_type]}).`,
    ...(request === "" ? [] : [`Request: ${oneLine(request, LONGEST_REQUEST)}`]),
    howToProve(details),
    `When it fails, find the cause before you change anything, correct the code and not the check, and run it again. Each failure is a cycle; ${MOST_EQUAL} equal failures in a row end the mode.`,
    ...stateLines(details),
    "A question that only the person can answer: write `NEEDS_INPUT: the question` alone on a line.",
  ].join("\n");
}

/** What is to be done next, at a stop that is held. */
export function holdText(details: UltraqaDetails, request: string): string {
  const wish = request === "" ? "" : ` Request: ${oneLine(request, LONGEST_REQUEST)}`;
  return [`${capital(cycleText(details))}: ${commandText(details)} has not certainly succeeded yet.${wish}`]
    .concat(failureLines(details), howToProve(details))
    .join("\n");
}

function stateLines(details: UltraqaDetails): string[] {
  return [`This is ${cycleText(details)}.`, ...failureLines(details)];
}

function failureLines({ last_failure, equal_failures }: UltraqaDetails): string[] {
  if (last_failure === "") return ["No failure of it was seen yet."];
  const again =
    equal_failures < 2
      ? ""
      : ` It has failed ${equal_failures} times in a row in the same way; at ${MOST_EQUAL} times the mode ends, so look for another cause.`;
  return [`Its last failure: ${last_failure}`, ...(again === "" ? [] : [again.trim()])];
}

/** What the model reads when a call has decided about the run, which ends with the turn. */
export function decidedText(details: UltraqaDetails): string {
  const command = commandText(details);
  switch (details.exit_reason) {
    case "goal_met":
      return `${command} has succeeded, so ultraqa ends with this turn. If you change code after it, run it again.`;
    case "same_failure":
      return `${command} has failed ${MOST_EQUAL} times in a row in the same way, so ultraqa ends with this turn. Say what the cause seems to be and what was tried, and end the turn.`;
    case "max_cycles":
      return `${command} has failed in each of the ${details.max_cycles} cycles, so ultraqa pauses with this turn. Say what is left, and end the turn.`;
    default:
      return `${command} cannot be run here. Install or repair what is missing and run it again; if it still cannot be run when the turn ends, ultraqa ends.`;
  }
}

/** The summary for the person. */
export function endText(details: UltraqaDetails): string {
  const command = commandText(details);
  const { exit_reason, last_failure } = details;
  switch (exit_reason) {
    case "goal_met":
      return `${command} has succeeded in ${cycleText(details)}.`;
    case "same_failure":
      return `same_failure: ${command} has failed ${MOST_EQUAL} times in a row in the same way, in ${cycleText(details)}. Left: ${last_failure}`;
    case "max_cycles":
      return `${command} has failed in each of its ${details.max_cycles} cycles (max_cycles), the last time with: ${last_failure}`;
    default:
      return `env_error: ${command} cannot be run here. Left: ${last_failure}`;
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
