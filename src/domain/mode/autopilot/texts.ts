import { oneLine } from "../../../core/text/one-line.ts";
import { fitText } from "../ralph/fit-text.ts";
import type { AutopilotDetails } from "./details.ts";
import { PHASES, type Phase, phaseNumber, signalOf } from "./phases.ts";
import { PLAN, SPEC } from "./plan-file.ts";
import { isRejected, issuesOf, MOST_ROUNDS, notApproved, REVIEWS, type Validation } from "./verdicts.ts";

const LONGEST_TEXT = 2_400;
const LONGEST_ISSUES = 1_400;
const LONGEST_IDEA = 160;

const REVIEWERS = REVIEWS.map((type) => `\`${type}-reviewer\``).join(", ");
const HOW_TO_REVIEW = [
  `Start three subagents at the same time and in the foreground, of the types ${REVIEWERS} (with their plugin's prefix, such as \`omc:security-reviewer\`; where there are none, \`general-purpose\`, one for each type).`,
  `Give each ${SPEC}, ${PLAN} and what was changed.`,
  'Let each end its last message with its verdict alone on a line, such as <validation-verdict type="functional">APPROVED</validation-verdict>, or with REJECTED or NEEDS_FIX below its issues.',
  "Only those messages count, and not what you write yourself.",
].join(" ");

const TASKS: Readonly<Record<Exclude<Phase, "validation">, string>> = {
  expansion: `Turn the idea into a specification in ${SPEC}: requirements, limits, technical decisions, and what is out of scope.`,
  planning: `Write the plan to ${PLAN}: the tasks in their order, the files of each, and how each is verified. Let a subagent of the type \`critic\` or \`general-purpose\` look for gaps.`,
  execution: `Carry out every task of ${PLAN}.`,
  qa: "Run build, lint and tests, and correct what fails, until all of them succeed.",
};

/** What the model reads at a stop: the phase, what is to be done in it, and how it ends. */
export function phaseText(phase: Phase, details: AutopilotDetails, ...more: readonly string[]): string {
  if (phase === "validation") return validationText(details);
  return [`${headText(phase, details)} ${TASKS[phase]}`, ...more, signalText(phase)].join("\n");
}

export function validationText(details: AutopilotDetails): string {
  const { validation } = details;
  const sections = [
    { title: "Issues:", lines: issueLines(validation), most: LONGEST_ISSUES, source: "the reviewers' messages" },
  ];
  const head = [headText("validation", details), roundText(validation)].join("\n");
  const tail = `${todoText(validation)}\nThe mode ends when all three have approved in one round.`;
  return fitText(head, sections, tail, LONGEST_TEXT);
}

/** `functional APPROVED, security REJECTED, quality missing` */
export function verdictsText({ verdicts }: Validation): string {
  const said = (type: string): string => verdicts.find((one) => one.type === type)?.verdict ?? "missing";
  return REVIEWS.map((type) => `${type} ${said(type)}`).join(", ");
}

function roundText(validation: Validation): string {
  const { validation_rounds: rounds, verdicts } = validation;
  if (verdicts.length === 0) return `Round ${rounds + 1} of at most ${MOST_ROUNDS}: no reviewer has spoken yet.`;
  return `Round ${rounds} of at most ${MOST_ROUNDS}: ${verdictsText(validation)}.`;
}

function todoText(validation: Validation): string {
  if (isRejected(validation)) {
    return `Correct the issues. Then ask all three reviewers again, because the next round begins without verdicts. ${HOW_TO_REVIEW}`;
  }
  if (validation.verdicts.length === 0) return HOW_TO_REVIEW;
  return `${notApproved(validation).join(" and ")} still to be approved. ${HOW_TO_REVIEW}`;
}

function issueLines(validation: Validation): string[] {
  return issuesOf(validation).map((issue) => `- ${issue}`);
}

/** How autopilot works and where it stands, for the start, after a compaction and when it is resumed. */
export function guideText(phase: Phase, details: AutopilotDetails): string {
  const idea = oneLine(details.originalIdea, 400);
  return [
    `autopilot is on for this request: ${idea}`,
    `It has five phases: ${PHASES.join(", ")}. Do one at a time. Its signal counts only alone on a line of the last message of your turn, outside code blocks, and only in its own phase.`,
    phaseText(phase, details, ...(phase === "execution" || phase === "qa" ? [HELPER[phase]] : [])),
    "A question that only the person can answer: write `NEEDS_INPUT: the question` alone on a line.",
  ].join("\n");
}

/** How the mode that works inside a phase is to be used; its own texts at the next stop say more. */
const HELPER = {
  execution:
    "Unless the person has ended it, the mode ralph works inside: its stories are in `prd.json`, else `.omc/prd.json`, and `RALPH_COMPLETE` asks for its reviewer.",
  qa: "Unless the person has ended it, the mode ultraqa works inside: the command of the tests has to succeed in a call of its own.",
} as const;

function headText(phase: Phase, { originalIdea }: AutopilotDetails): string {
  return `Phase ${phaseNumber(phase)} of ${PHASES.length}, ${phase}, of: ${oneLine(originalIdea, LONGEST_IDEA)}.`;
}

function signalText(phase: Phase): string {
  return `When this phase is done, write ${signalOf(phase)} alone on a line.`;
}
