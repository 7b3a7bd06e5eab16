import { HookwrightError } from "../../../core/errors.ts";
import type { CliCommand } from "../../command.ts";

export const maintainCommand: CliCommand = {
  name: "maintain",
  summary: "Cleans up now: removes old journal entries, old snapshots and unused versions, and runs background work.",
  usage: "maintain [--project [--dry-run]] [--json]",
  details: [
    "Hookwright does most of this by itself, so you rarely need it. A version that an installation names, or that a",
    "running process uses, is never removed. As root it also cleans what `init --scope managed` left behind.",
    "",
    "With --project it cleans the folder .omc of the current project instead, as `claude --maintenance` does there: state",
    "that is older than 7 days, checkpoints and files of single sessions older than 24 hours. The state of a mode that",
    "has not ended stays. The task board is compacted; its tasks stay.",
  ].join("\n"),
  options: {
    project: { type: "boolean", description: "Clean the folder .omc of the current project." },
    "dry-run": { type: "boolean", description: "With --project: name the files, and remove nothing." },
    json: { type: "boolean", description: "Print what was done as one JSON object." },
  },
  changes: ({ options }) => !options["dry-run"],
  async run(context) {
    if (context.options.project) return (await import("./project.ts")).maintainThisProject(context);
    if (context.options["dry-run"]) {
      throw new HookwrightError("HW_USAGE", { detail: "--dry-run needs --project.", command: "maintain" });
    }
    const { runMaintain } = await import("./run.ts");
    return runMaintain(context);
  },
};
