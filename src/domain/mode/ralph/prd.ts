import path from "node:path";
import type { Json, JsonObject } from "../../../core/event.ts";
import { isObject } from "../../../core/event.ts";
import { fingerprint } from "../../../core/text/fingerprint.ts";
import { oneLine } from "../../../core/text/one-line.ts";
import type { ModeReader } from "../machine.ts";
import type { RalphDetails } from "./details.ts";

/** The first of these that exists is the project's PRD. */
export const ROOT_PRD = "prd.json";
export const OMC_PRD = ".omc/prd.json";

/** What is read of it is kept with every stop, so it has to be small. */
const LARGEST = 256 * 1024;
const LONGEST_TITLE = 100;
const LONGEST_LINE = 200;
const MOST_CRITERIA = 20;

export type Story = { readonly id: string; readonly title: string; readonly passes: boolean };
export type NextStory = {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly criteria: readonly string[];
};

/** What a PRD says, as far as it is needed. Type aliases, because facts are JSON. */
export type PrdDigest =
  | { readonly kind: "broken"; readonly why: string }
  | {
      readonly kind: "read";
      readonly project: string;
      readonly branch: string;
      /** By priority. */
      readonly stories: readonly Story[];
      /** The first that does not pass. */
      readonly next: NextStory | null;
    };

/**
 * What the project's PRD means for a run.
 * - none: there is no such file
 * - broken: it cannot be read; nobody but the model or a person repairs it
 * - unused: its stories are not this run's, for the reason in `why`
 */
export type Prd =
  | { readonly kind: "none" }
  | { readonly kind: "broken" | "unused"; readonly file: string; readonly why: string }
  | UsedPrd;

export type UsedPrd = {
  readonly kind: "open" | "complete";
  readonly file: string;
  readonly project: string;
  readonly branch: string;
  readonly stories: readonly Story[];
  readonly next: NextStory | null;
};

export function isUsed(prd: Prd): prd is UsedPrd {
  return prd.kind === "open" || prd.kind === "complete";
}

/** The file that the run's PRD is in, or would be. */
export function fileOf(prd: Prd, details: RalphDetails): string {
  return prd.kind === "none" ? details.prd_path : prd.file;
}

export function readPrd(text: string): PrdDigest {
  if (text.length > LARGEST) return broken("it is larger than 256 KB");
  let value: Json;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, "")) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return broken(`it is not JSON (${oneLine(error.message, 120)})`);
    throw error;
  }
  if (!isObject(value)) return broken("it is not an object");
  const { userStories } = value;
  if (!Array.isArray(userStories)) return broken("its `userStories` are not a list");
  const stories: FullStory[] = [];
  for (const [index, row] of userStories.entries()) {
    const story = readStory(row as Json, index + 1);
    if (typeof story === "string") return broken(story);
    stories.push(story);
  }
  stories.sort((a, b) => a.priority - b.priority || a.order - b.order);
  const next = stories.find(({ passes }) => !passes);
  return {
    kind: "read",
    project: name(value.project),
    branch: name(value.branchName),
    stories: stories.map(({ id, title, passes }) => ({ id, title, passes })),
    next: next ? { id: next.id, title: next.title, description: next.description, criteria: next.criteria } : null,
  };
}

type FullStory = Story & NextStory & { readonly priority: number; readonly order: number };

/** A missing field has a default; one of a wrong type makes the file unusable, and the sentence says which. */
function readStory(row: Json, order: number): FullStory | string {
  if (!isObject(row)) return `story ${order} is not an object`;
  const { passes, acceptanceCriteria: criteria = null } = row;
  if (!isMissing(passes) && typeof passes !== "boolean")
    return `\`passes\` of story ${order} is neither true nor false`;
  const priority = isMissing(row.priority) ? Number.MAX_SAFE_INTEGER : numberOf(row.priority);
  if (priority === undefined) return `\`priority\` of story ${order} is not a number`;
  for (const field of ["id", "title", "description"] as const) {
    if (!isMissing(row[field]) && !isName(row[field])) return `\`${field}\` of story ${order} is not text`;
  }
  const lines = typeof criteria === "string" ? [criteria] : (criteria ?? []);
  if (!Array.isArray(lines) || !lines.every(isName)) {
    return `\`acceptanceCriteria\` of story ${order} are not a list of texts`;
  }
  const id = name(row.id) || `US-${String(order).padStart(3, "0")}`;
  return {
    id,
    title: name(row.title),
    description: oneLine(text(row.description), LONGEST_LINE),
    criteria: lines.slice(0, MOST_CRITERIA).map((line) => oneLine(text(line), LONGEST_LINE)),
    passes: passes === true,
    priority,
    order,
  };
}

/** The project's PRD as it means something for a run with these details. */
export function prdOf(details: RalphDetails, reader: Pick<ModeReader, "project" | "text">): Prd {
  const found = findPrd(reader);
  if (!found) return { kind: "none" };
  const { file, digest } = found;
  if (digest.kind === "broken") return { kind: "broken", file, why: digest.why };
  const { project, branch, stories, next } = digest;
  if (stories.length === 0) return { kind: "unused", file, why: "it has no stories" };
  for (const [what, before, now] of [
    ["project", details.prd_project, project],
    ["branch", details.prd_branch, branch],
  ] as const) {
    if (before !== "" && now !== "" && before !== now) {
      const why = `it is about the ${what} \`${now}\`, and was about \`${before}\` when ralph began`;
      return { kind: "unused", file, why };
    }
  }
  if (next === null && details.prd_done_at_start === printOf(stories)) {
    return { kind: "unused", file, why: "all of its stories passed before ralph began" };
  }
  return { kind: next === null ? "complete" : "open", file, project, branch, stories, next };
}

/** The project's PRD; undefined when it has none. Both files are read in this order at every stop. */
export function findPrd(
  reader: Pick<ModeReader, "project" | "text">,
): { readonly file: string; readonly digest: PrdDigest } | undefined {
  for (const file of [ROOT_PRD, OMC_PRD]) {
    const digest = reader.text(path.join(reader.project, file), "prd", readPrd);
    if (digest) return { file, digest };
  }
  return undefined;
}

/** By which a PRD is recognised, whichever of its stories pass. */
export function printOf(stories: readonly Story[]): string {
  return fingerprint(...stories.flatMap(({ id, title }) => [id, title]));
}

export function passingIds(stories: readonly Story[]): string[] {
  return stories.filter(({ passes }) => passes).map(({ id }) => id);
}

/** The stories of this run that do not pass. */
export function openStories(prd: Prd): readonly Story[] {
  return isUsed(prd) ? prd.stories.filter(({ passes }) => !passes) : [];
}

export const storyName = ({ id, title }: Pick<Story, "id" | "title">): string => `${id} ${title}`.trim();

/** `2 of 5 stories`, as people and the model read it. */
export function countText(stories: readonly Story[]): string {
  return `${passingIds(stories).length} of ${stories.length} ${stories.length === 1 ? "story" : "stories"}`;
}

const DEFAULT_CRITERIA = [
  "Everything that the request asks for works",
  "The build and the static checks pass",
  "The tests pass, and new behaviour has tests",
  "What worked before still works",
];

/** The PRD of a run that begins without one: the whole request is one story, which the model may split. */
export function firstPrd(request: string, project: string): JsonObject {
  const story = {
    id: "US-001",
    title: oneLine(request, LONGEST_TITLE) || "The work at hand",
    description: request,
    acceptanceCriteria: DEFAULT_CRITERIA,
    priority: 1,
    passes: false,
    notes: "",
  };
  return { project: path.basename(project), branchName: "", description: request, userStories: [story] };
}

const broken = (why: string): PrdDigest => ({ kind: "broken", why });
const isMissing = (value: Json | undefined): value is null | undefined => value === undefined || value === null;
const isName = (value: Json | undefined): value is string | number =>
  typeof value === "string" || typeof value === "number";
const text = (value: Json | undefined): string => (isName(value) ? String(value) : "");
const name = (value: Json | undefined): string => oneLine(text(value), LONGEST_TITLE);

function numberOf(value: Json | undefined): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}
