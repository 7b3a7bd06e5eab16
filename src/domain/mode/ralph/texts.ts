import { oneLine } from "../../../core/text/one-line.ts";
import type { RalphDetails } from "./details.ts";
import { fitText, type Section } from "./fit-text.ts";
import { countText, isUsed, type NextStory, openStories, type Prd, storyName, type UsedPrd } from "./prd.ts";
import type { Progress } from "./progress-file.ts";
import { APPROVAL, reviewNumber, SIGNAL } from "./review.ts";

const LONGEST_TEXT = 1_200;

const REVIEWER =
  "a subagent of the type `architect` (with its plugin's prefix, such as `omc:architect`; where there is none, `critic` or `general-purpose`)";
const VERDICTS = `Let it end its last message with one of these, alone on a line: ${APPROVAL} or <architect-rejected>the reasons</architect-rejected>. Only that message counts, and not what you write yourself.`;

/** What is to be done next. `lead`: what has just happened, and has to be known first. */
export function workText(details: RalphDetails, prd: Prd, progress: Progress, lead: readonly string[]): string {
  const head = [...lead, `Request: ${oneLine(details.prompt, 160)}`, ...fileRemark(prd)];
  const story = isUsed(prd) && prd.next ? [storySection(prd.next, prd)] : [];
  const sections = [...story, ...progressSections(progress)];
  return fitText(head.join("\n"), sections, nextText(details, prd, progress), LONGEST_TEXT);
}

/** Asks for the reviewer. */
export function reviewText(details: RalphDetails, prd: Prd, lead: readonly string[]): string {
  const { verification } = details;
  const open = openStories(prd).map(({ id }) => id);
  const left =
    isUsed(prd) && open.length > 0
      ? [
          `Only ${countText(prd.stories)} of ${prd.file} pass. Finish these or set their \`passes\`: ${oneLine(open.join(", "), 120)}.`,
        ]
      : [];
  const criteria = isUsed(prd) ? `, each acceptance criterion in ${prd.file}` : "";
  const head = [...lead, ...fileRemark(prd), ...left].join("\n");
  const tail = [
    `${reviewNumber(verification)} is open, because ${verification.completion_claim}. Start ${REVIEWER}. It checks the request${criteria} and the tests, which it runs itself. Request: ${oneLine(details.prompt, 160)}`,
    VERDICTS,
  ].join("\n");
  return fitText(head, [], tail, LONGEST_TEXT);
}

/** The summary for the person. */
export function endText(outcome: "done" | "unverified", { verification }: RalphDetails, prd: Prd): string {
  const { reviewer, architect_feedback: said, verification_attempts: rejections } = verification;
  const stories = isUsed(prd) ? [`${countText(prd.stories)} of ${prd.file} pass.`] : [];
  if (outcome === "unverified") {
    const why = `The work is not verified: a reviewer has rejected it ${rejections} times, the last time because: ${said}`;
    return [...stories, why].join(" ");
  }
  const before = rejections === 0 ? "" : ` after ${rejections} rejected ${rejections === 1 ? "review" : "reviews"}`;
  const words = said === "" ? "." : `: ${said}`;
  return [...stories, `The reviewer (${reviewer}) has approved the work${before}${words}`].join(" ");
}

function nextText({ linked_ultrawork, verification }: RalphDetails, prd: Prd, { file }: Progress): string {
  const parallel = linked_ultrawork ? " Run independent parts in parallel." : "";
  const learn = `Add what you learned to ${file}.${parallel}`;
  switch (prd.kind) {
    case "open":
      return `Work on this story alone. Set its \`passes\` to true in ${prd.file} when each criterion is met and was checked. ${learn} When all stories pass, a reviewer checks them.`;
    case "complete":
      return `Correct what the reviewer named. ${learn} Then write ${SIGNAL} alone on a line, which asks for the next review.`;
    default: {
      const then = verification.verification_attempts > 0 ? "the next review" : "a review";
      return `Go on with what is open. ${learn} When everything is done and checked, write ${SIGNAL} alone on a line, which asks for ${then}.`;
    }
  }
}

/** Why the PRD is not used, if that is so. */
function fileRemark(prd: Prd): string[] {
  if (prd.kind === "broken") {
    return [`${prd.file} cannot be used: ${prd.why}. It was left as it is. Repair it, or ask the person about it.`];
  }
  return prd.kind === "unused" ? [`${prd.file} is not used: ${prd.why}.`] : [];
}

function storySection(story: NextStory, prd: UsedPrd): Section {
  const title = `${countText(prd.stories)} of ${prd.file} pass. Current story: ${storyName(story)}`;
  const isSaid = story.description === "" || story.description === story.title;
  const criteria = story.criteria.map((line) => `- ${line}`);
  return { title, lines: [...(isSaid ? [] : [story.description]), ...criteria], most: 520, source: prd.file };
}

function progressSections({ file, patterns, learnings, entries }: Progress): Section[] {
  const bullets = (lines: readonly string[]): string[] => lines.map((line) => `- ${line}`);
  return [
    { title: "Patterns of this code:", lines: bullets(patterns), most: 220, source: file },
    { title: "Learned lately:", lines: bullets(learnings), most: 220, source: file },
    { title: "Last entries:", lines: bullets(entries), most: 220, source: file },
  ];
}

/** How ralph works, for the start and after a compaction. */
export function guideText(details: RalphDetails, prd: Prd, progress: Progress): string {
  return [
    `ralph is on for this request: ${oneLine(details.prompt, 400)}`,
    ...stateLines(details, prd),
    `Keep notes in ${progress.file}: reusable facts as bullets under \`## Codebase Patterns\` at its top, and after each story at its end`,
    "`## [YYYY-MM-DD HH:MM] - <story>` with the bullets `Implemented:`, `Files:` and `Learnings:`, and then `---`.",
    `A review begins when all stories pass, or when you write ${SIGNAL} alone on a line. Then start ${REVIEWER}. ${VERDICTS}`,
    "A question that only the person can answer: write `NEEDS_INPUT: the question` alone on a line.",
  ].join("\n");
}

function stateLines(details: RalphDetails, prd: Prd): string[] {
  const { verification } = details;
  const review = verification.pending ? [`${reviewNumber(verification)} is open.`] : [];
  const how =
    "Work on the story with the lowest `priority` that does not pass, and set its `passes` to true when each of its criteria is met and was checked. Keep `project` and `branchName`.";
  if (isUsed(prd)) {
    const next = prd.next ? ` The next one is ${storyName(prd.next)}.` : "";
    return [`${countText(prd.stories)} of ${prd.file} pass.${next} ${how}`, ...review];
  }
  if (prd.kind === "none" && details.prd_created) {
    const first = `${details.prd_path} is made with one story for the whole request. First split it into stories that are small enough for one round each,`;
    return [
      `${first} with id, title, description, acceptanceCriteria, priority (1 is first) and passes. ${how}`,
      ...review,
    ];
  }
  return [...fileRemark(prd), ...review];
}
