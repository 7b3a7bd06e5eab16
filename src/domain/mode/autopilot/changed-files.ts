import path from "node:path";
import type { ModeRun } from "../mode-run.ts";
import { detailsOf, withDetails } from "./details.ts";
import { phaseOf } from "./phases.ts";

const MOST_FILES = 500;

/** An edit that ran. */
export interface Edited {
  /** Absolute. */
  readonly files: readonly string[];
  /** They did not exist before. */
  readonly isNew: boolean;
  readonly project: string;
}

/** The run with these files among those that it has created or changed; undefined when nothing is new. */
export function withChangedFiles(run: ModeRun, { files, isNew, project }: Edited): ModeRun | undefined {
  const phase = phaseOf(run);
  // What is written before is the specification and the plan.
  if (phase === "expansion" || phase === "planning") return undefined;
  const details = detailsOf(run);
  const { files_created, files_modified } = details.execution;
  const fresh = files
    .map((file) => path.relative(project, file))
    .filter((file) => isPart(file) && ![...files_created, ...files_modified].includes(file));
  if (fresh.length === 0 || files_created.length + files_modified.length >= MOST_FILES) return undefined;
  const changed = isNew
    ? { files_created: [...files_created, ...fresh] }
    : { files_modified: [...files_modified, ...fresh] };
  return withDetails(run, { ...details, execution: { ...details.execution, ...changed } });
}

/** Is it a file of the project that no mode has made for itself? */
function isPart(file: string): boolean {
  return file !== "" && !file.startsWith("..") && !path.isAbsolute(file) && file.split(path.sep)[0] !== ".omc";
}
