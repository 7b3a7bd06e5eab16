import type { Json } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";

/** What an implementer reports when completing a task. Missing or invalid fields are left out. */
export interface TaskReport {
  readonly commit?: string;
  readonly files?: readonly string[];
  readonly testsPassed?: boolean;
  readonly designDoc?: string;
}

export const REPORT_FIELDS = "commit, files_changed, tests_passed, design_doc";

const COMMIT = /^[0-9a-f]{7,64}$/i;

export function readReport(value: Json | undefined): TaskReport {
  if (!isObject(value)) return {};
  const { commit, files_changed: files, tests_passed: testsPassed, design_doc: designDoc } = value;
  const isList = Array.isArray(files) && files.every((file) => typeof file === "string" && file !== "");
  return {
    ...(typeof commit === "string" && COMMIT.test(commit) ? { commit: commit.toLowerCase() } : {}),
    ...(isList ? { files: files as readonly string[] } : {}),
    ...(typeof testsPassed === "boolean" ? { testsPassed } : {}),
    ...(typeof designDoc === "string" && designDoc !== "" ? { designDoc } : {}),
  };
}
