import type { ModeMachine } from "../machine.ts";
import { says } from "../signals.ts";
import { detailsOf, RALPH_FIELDS, type RalphDetails, withDetails } from "./details.ts";
import { writeFirstPrd } from "./first-prd.ts";
import { countText, fileOf, findPrd, isUsed, OMC_PRD, type Prd, passingIds, prdOf, printOf, storyName } from "./prd.ts";
import { progressOf } from "./progress-file.ts";
import { hearReviewer, isReviewer, SIGNAL, verificationOf } from "./review.ts";
import { reviewOfComplete, reviewStep } from "./review-step.ts";
import { endText, guideText, reviewText, workText } from "./texts.ts";

const MOST_NAMED = 3;

/** Story by story until all of them pass and a reviewer, who is not the main agent, has approved the work. */
export const ralph: ModeMachine = {
  mode: "ralph",
  fields: RALPH_FIELDS,
  begin({ request }, reader) {
    const found = findPrd(reader);
    const digest = found?.digest.kind === "read" ? found.digest : undefined;
    const stories = digest?.stories ?? [];
    const next = digest?.next;
    const isDone = stories.length > 0 && !next;
    return {
      prompt: request,
      prd_mode: found === undefined || Boolean(next),
      prd_path: found?.file ?? OMC_PRD,
      prd_created: found === undefined,
      prd_done_at_start: isDone ? printOf(stories) : "",
      prd_project: next ? digest.project : "",
      prd_branch: next ? digest.branch : "",
      current_story_id: next?.id ?? "",
      linked_ultrawork: false,
      passed: passingIds(stories),
      verification: verificationOf(undefined),
    } satisfies RalphDetails;
  },
  companions: ({ request }) => [{ mode: "ultrawork", request }],
  atStart: writeFirstPrd,
  until(run) {
    const { prd_mode, prd_path } = detailsOf(run);
    const work = prd_mode ? `all stories of ${prd_path} pass` : `a message has \`${SIGNAL}\` alone on a line`;
    return `${work} and a reviewer has approved the work`;
  },
  guide(run, reader) {
    const details = detailsOf(run);
    const prd = prdOf(details, reader);
    return guideText(details, prd, progressOf(reader, fileOf(prd, details)));
  },
  step(run, { lastMessage, now }, reader, children) {
    const before = detailsOf(run);
    const prd = prdOf(before, reader);
    const isLinked = children.some(({ mode }) => mode === "ultrawork");
    const details = { ...seenPrd(before, prd), linked_ultrawork: isLinked };
    const progress = progressOf(reader, fileOf(prd, details));
    const { verification, outcome, news, lead } = reviewStep(details, prd, says(lastMessage, SIGNAL), now);
    const after = { ...details, verification };
    const told = [...finishedStories(before, prd), ...news].join(" ");
    const common = { run: withDetails(run, after), children, ...(told === "" ? {} : { news: told }) };
    if (outcome) return { kind: "end", outcome, ...common, text: endText(outcome, after, prd) };
    const isReview = verification.pending;
    const text = isReview ? reviewText(after, prd, lead) : workText(after, prd, progress, lead);
    return { kind: "hold", ...common, text };
  },
  progress(run, reader) {
    const details = detailsOf(run);
    if (details.verification.pending) return "review pending";
    const prd = prdOf(details, reader);
    return isUsed(prd) ? countText(prd.stories) : "";
  },
  heard(run, agentType, message, reader) {
    if (!isReviewer(agentType)) return undefined;
    const details = detailsOf(run);
    // The reviewer may have been started in the turn that completed the PRD, before a stop could begin the review.
    const before = reviewOfComplete(details, prdOf(details, reader), reader.now);
    const verification = hearReviewer(before, agentType, message);
    return verification && withDetails(run, { ...details, verification });
  },
};

/** The details after a look at the PRD. */
function seenPrd(before: RalphDetails, prd: Prd): RalphDetails {
  if (prd.kind === "broken") return { ...before, prd_path: prd.file };
  if (prd.kind === "none") return { ...before, prd_mode: false, current_story_id: "" };
  const seen = { ...before, prd_path: prd.file, prd_mode: isUsed(prd), current_story_id: "" };
  if (!isUsed(prd)) return seen;
  const known = {
    ...seen,
    // The names in a PRD that we made are placeholders, which the model may replace.
    prd_project: before.prd_project || (before.prd_created ? "" : prd.project),
    prd_branch: before.prd_branch || prd.branch,
    passed: passingIds(prd.stories),
  };
  if (prd.kind === "complete") return known;
  return { ...known, current_story_id: prd.next?.id ?? "", prd_done_at_start: "" };
}

/** `US-001 Login passes (2 of 5)`: the stories that were finished since the last stop. */
function finishedStories({ passed, prd_mode }: RalphDetails, prd: Prd): string[] {
  if (!prd_mode || !isUsed(prd)) return [];
  const passing = prd.stories.filter((story) => story.passes);
  const names = passing.filter(({ id }) => !passed.includes(id)).map(storyName);
  if (names.length === 0) return [];
  const more = names.length > MOST_NAMED ? [`${names.length - MOST_NAMED} more`] : [];
  const list = [...names.slice(0, MOST_NAMED), ...more].join(", ");
  return [`${list} ${names.length === 1 ? "passes" : "pass"} (${passing.length} of ${prd.stories.length}).`];
}
