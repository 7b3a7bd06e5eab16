import { HookwrightError } from "../../../core/errors.ts";
import { runDueJobs } from "../../../engine/jobs/run-jobs.ts";
import { Database } from "../../../state/database.ts";
import { system } from "../../../system/system.ts";
import type { CliCommand } from "../../command.ts";
import { homeOf } from "../../installation/current-build.ts";
import { JOB_RUN } from "../../state/job-run.ts";

const BUSY_MS = 5_000;

export const jobCommand: CliCommand = {
  name: "job",
  summary: "Runs background work that is due; hooks call it when no daemon runs.",
  usage: "job [ID…]",
  details: "Without an ID it runs everything that is due. `hookwright doctor` shows what is open or has failed.",
  allowPositionals: true,
  async run({ args, env, out }) {
    const ids = args.map(Number);
    const wrong = args[ids.findIndex((id) => !Number.isInteger(id) || id < 1)];
    if (wrong !== undefined) {
      throw new HookwrightError("HW_USAGE", { detail: `\`${wrong}\` is not the number of a job.`, command: "job" });
    }
    const db = new Database(homeOf(env).database, BUSY_MS);
    let count = 0;
    if (ids.length === 0) count = await runDueJobs(db, system, JOB_RUN);
    for (const id of ids) count += await runDueJobs(db, system, { ...JOB_RUN, only: id });
    db.close();
    out(count === 0 ? "Nothing is due." : `Ran ${count} ${count === 1 ? "job" : "jobs"}.`);
    return 0;
  },
};
