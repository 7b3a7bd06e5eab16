import type { JobRun } from "../../engine/jobs/run-queue.ts";
import { builtVersion } from "../installation/current-build.ts";

/** What jobs need of the command line that runs them; loaded only for a job that asks for it. */
export const JOB_RUN: JobRun = {
  build: () => builtVersion().build,
  compileConfig: async (sources) => (await import("../../config/compile.ts")).compileConfig(sources),
};
