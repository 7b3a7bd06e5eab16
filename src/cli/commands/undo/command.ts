import type { CliCommand } from "../../command.ts";
import { processTerminal } from "../../terminal/confirm.ts";

export const undoCommand: CliCommand = {
  name: "undo",
  summary: "Restores what a command deleted or changed, from the snapshot that was made before it ran.",
  usage: "undo [--list | --last | ID] [--path PATH]… [--dry-run] [--yes] [--json]",
  details: [
    "Snapshots are made when the configuration says `safety: { onLoss: snapshot }`. Undo restores files with their",
    "permissions, symbolic links, the git index (what was staged), branches and stashes exactly. If that would overwrite",
    "newer work, it says so, asks first and makes a snapshot of the newer work, so that an undo can be undone.",
  ].join("\n"),
  allowPositionals: true,
  options: {
    list: { type: "boolean", description: "List the snapshots of this project (the default)." },
    last: { type: "boolean", description: "Restore the newest snapshot of this project." },
    path: {
      type: "string",
      multiple: true,
      value: "PATH",
      description: "Restore only this file or folder; may be given several times.",
    },
    "dry-run": { type: "boolean", description: "Show what would change, and change nothing." },
    yes: { type: "boolean", description: "Overwrite newer work without asking." },
    json: { type: "boolean", description: "Print the list, or what was restored, as JSON." },
  },
  changes: ({ args, options }) => (options.last === true || args.length > 0) && options["dry-run"] !== true,
  async run(context) {
    const { runUndo } = await import("./run.ts");
    return runUndo(context, processTerminal);
  },
};
