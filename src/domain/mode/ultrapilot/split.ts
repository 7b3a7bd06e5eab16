import { isObject, type Json, type JsonObject } from "../../../core/event.ts";
import { dividedFiles, pathProblem } from "./file-division.ts";
import { startOrder } from "./start-order.ts";

/** More workers than this do not run. */
export const MOST_WORKERS = 5;
const MOST_FILES = 100;
const LONGEST_ID = 64;

const AGENT_TYPES = ["executor-low", "executor", "executor-high"] as const;
const MODELS = ["haiku", "sonnet", "opus"] as const;

/** The work of one worker. A type alias, because store rows need JSON. */
export type Subtask = {
  readonly id: string;
  readonly description: string;
  /** The files, folders and globs that only its worker may change; relative to the project. */
  readonly files: readonly string[];
  /** The ids of subtasks that must be complete before this one can start. */
  readonly blockedBy: readonly string[];
  readonly agentType: (typeof AGENT_TYPES)[number];
  readonly model: (typeof MODELS)[number];
};

export type Split = {
  readonly subtasks: readonly Subtask[];
  /** Files that only the coordinator may change, beside those that always are. */
  readonly sharedFiles: readonly string[];
  /** Ids of subtasks that can run at the same time; each group can start when those before it are complete. */
  readonly parallelGroups: readonly (readonly string[])[];
};

/** Why something was refused, in a sentence for people. */
export type Problem = { readonly problem: string };

export function subtaskOf(id: string, description: string): Subtask {
  return { id, description, files: [], blockedBy: [], agentType: "executor", model: "sonnet" };
}

/** Reads a split that a model has made. The parallel groups are always computed, whatever the value says about them. */
export function splitFromJson(value: Json): Split | Problem {
  const list = isObject(value) ? value.subtasks : undefined;
  if (!isObject(value) || !Array.isArray(list)) return refused("The split must be an object with a list `subtasks`.");
  if (list.length === 0) return refused("The split has no subtasks.");
  if (list.length > MOST_WORKERS) {
    return refused(
      `The split has ${list.length} subtasks, but at most ${MOST_WORKERS} workers run. Merge some of them.`,
    );
  }
  const subtasks: Subtask[] = [];
  for (const [at, item] of list.entries()) {
    const subtask = readSubtask(item, at + 1);
    if ("problem" in subtask) return subtask;
    if (subtasks.some(({ id }) => id === subtask.id)) return refused(`Two subtasks have the id ${subtask.id}.`);
    subtasks.push(subtask);
  }
  const shared = readPaths(value.sharedFiles, "The list `sharedFiles`");
  if ("problem" in shared) return shared;
  const order = startOrder(subtasks);
  if ("problem" in order) return order;
  const division = dividedFiles(subtasks, shared.paths);
  if ("problem" in division) return division;
  return { ...division, parallelGroups: order.groups };
}

function readSubtask(value: Json, position: number): Subtask | Problem {
  const given: JsonObject = isObject(value) ? value : {};
  const id = textOf(given.id);
  if (id === "" || id.length > LONGEST_ID)
    return refused(`Subtask number ${position} has no \`id\`, or a very long one.`);
  const description = textOf(given.description);
  if (description === "") return refused(`Subtask ${id} has no \`description\`.`);
  const files = readPaths(given.files, `Subtask ${id}`);
  if ("problem" in files) return files;
  const blockers = given.blockedBy ?? [];
  if (!Array.isArray(blockers)) return refused(`\`blockedBy\` of subtask ${id} must be a list of ids.`);
  const blockedBy = [...new Set(blockers.map(textOf))];
  const agentType = AGENT_TYPES.find((one) => one === given.agentType) ?? "executor";
  const model = MODELS.find((one) => one === given.model) ?? "sonnet";
  return { id, description, files: files.paths, blockedBy, agentType, model };
}

function readPaths(value: Json | undefined, whose: string): { readonly paths: readonly string[] } | Problem {
  const list = value ?? [];
  if (!Array.isArray(list) || !list.every((item) => typeof item === "string")) {
    return refused(`${whose} must give its files as a list of paths.`);
  }
  if (list.length > MOST_FILES) return refused(`${whose} has more than ${MOST_FILES} files. Name a folder or a glob.`);
  const problem = list.map((file) => pathProblem(file)).find((one) => one !== undefined);
  return problem === undefined ? { paths: list } : refused(`${whose} has ${problem}`);
}

/** Models write ids as numbers as well. */
function textOf(value: Json | undefined): string {
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
}

function refused(problem: string): Problem {
  return { problem };
}
