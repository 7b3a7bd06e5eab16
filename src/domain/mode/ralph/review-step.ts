import { oneLine } from "../../../core/text/one-line.ts";
import type { RalphDetails } from "./details.ts";
import { countText, fileOf, isUsed, openStories, type Prd } from "./prd.ts";
import { beginReview, endReview, reviewNumber, SIGNAL, type Verification } from "./review.ts";

const LONGEST_REASON = 300;

/** What a stop means for the review. */
export interface ReviewStep {
  readonly verification: Verification;
  /** Set when the run is over. */
  readonly outcome?: "done" | "unverified";
  /** For the person. */
  readonly news: readonly string[];
  /** For the model. */
  readonly lead: readonly string[];
}

export function reviewStep(details: RalphDetails, prd: Prd, isClaimed: boolean, now: number): ReviewStep {
  const before = details.verification;
  if (before.verification_attempts >= before.max_verification_attempts) {
    return { verification: before, outcome: "unverified", news: [], lead: [] };
  }
  if (before.pending && before.architect_approved && allowsEnd(prd, details)) {
    return { verification: before, outcome: "done", news: [], lead: [] };
  }
  const rejected = afterRejection(before);
  const { verification, news, lead } = stillOpen(rejected.verification, details, prd);
  const begun = verification.pending ? undefined : begunReview(verification, details, prd, isClaimed, now);
  return {
    verification: begun?.verification ?? verification,
    news: [...rejected.news, ...news, ...(begun?.news ?? [])],
    lead: [...rejected.lead, ...lead],
  };
}

/** A broken PRD prevents the end while its stories are this run's, because nobody knows which of them pass. */
function allowsEnd(prd: Prd, { prd_mode }: RalphDetails): boolean {
  return prd.kind !== "open" && !(prd.kind === "broken" && prd_mode);
}

/** The model is reminded of the last rejection until the next review begins; the person reads it once. */
function afterRejection(before: Verification): ReviewStep {
  const { verification_attempts: rejections, max_verification_attempts: most, architect_feedback: why } = before;
  if (rejections === 0 || before.pending) return { verification: before, news: [], lead: [] };
  const sentence = `A reviewer has rejected the work (${rejections} of ${most}): ${oneLine(why, LONGEST_REASON)}`;
  const news = rejections > before.told_attempts ? [sentence] : [];
  return { verification: { ...before, told_attempts: rejections }, news, lead: [sentence] };
}

/** Ends the review where the PRD no longer fits to it. */
function stillOpen(before: Verification, details: RalphDetails, prd: Prd): ReviewStep {
  const open = openStories(prd).length;
  const verification = { ...before, prd_reviewed: before.prd_reviewed && open === 0 };
  if (!before.pending) return { verification, news: [], lead: [] };
  if (before.architect_approved) {
    const file = fileOf(prd, details);
    const sentence = `A reviewer has approved the work, but that does not count while not all stories of ${file} pass.`;
    return { verification: { ...endReview(verification), prd_reviewed: false }, news: [sentence], lead: [sentence] };
  }
  if (isUsed(prd) && open > before.open_stories) {
    const sentence = `The review has ended, because only ${countText(prd.stories)} pass.`;
    return { verification: endReview(verification), news: [sentence], lead: [] };
  }
  // From now on it is a review of the complete PRD, if that was completed meanwhile.
  const asked = { open_stories: open, prd_reviewed: prd.kind === "complete" };
  return { verification: { ...verification, ...asked }, news: [], lead: [] };
}

/** The review that is on: a complete PRD begins one by itself. */
export function reviewOfComplete({ verification }: RalphDetails, prd: Prd, now: number): Verification {
  if (verification.pending || prd.kind !== "complete") return verification;
  return { ...beginReview(verification, completeClaim(prd.file), 0, now), prd_reviewed: true };
}

/** A review begins at a claim, and once for each time that the PRD becomes complete. */
function begunReview(
  before: Verification,
  details: RalphDetails,
  prd: Prd,
  isClaimed: boolean,
  now: number,
): Pick<ReviewStep, "verification" | "news"> | undefined {
  const isComplete = prd.kind === "complete";
  if (!isClaimed && (!isComplete || before.prd_reviewed)) return undefined;
  const claim = isClaimed ? `${SIGNAL} was written` : completeClaim(fileOf(prd, details));
  const verification = beginReview(before, claim, openStories(prd).length, now);
  const news = `${reviewNumber(verification)} has begun, because ${claim}.`;
  return { verification: { ...verification, prd_reviewed: isComplete }, news: [news] };
}

const completeClaim = (file: string): string => `all stories of ${file} pass`;
