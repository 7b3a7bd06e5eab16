import type { Command } from "../command.ts";
import { processTerminal } from "../confirm.ts";

export const undo: Command = {
  name: "undo",
  summary: "Brings back what a command lost, from the snapshot that was made before it ran.",
  usage: "undo [--list | --last | ID] [--path PATH]… [--dry-run] [--yes] [--json]",
  details: [
    "Snapshots are made with `safety: { onLoss: snapshot }`. Undoing restores files with their permissions, links, what",
    "was staged, branches and stashes, exactly. Where that would overwrite newer work it says so and asks first, and",
    "makes a snapshot of that work too, so an undo can be undone. With `--path` only those files come back.",
  ].join("\n"),
  allowPositionals: true,
  options: {
    list: { type: "boolean", description: "Show the snapshots of this project. So does no argument at all." },
    last: { type: "boolean", description: "Take the newest snapshot of this project." },
    path: { type: "string", multiple: true, value: "PATH", description: "Only this file or folder; may be repeated." },
    "dry-run": { type: "boolean", description: "Show what would change, and change nothing." },
    yes: { type: "boolean", description: "Overwrite newer work without asking." },
    json: { type: "boolean", description: "Print the list, or what was done, as JSON." },
  },
  changes: ({ args, options }) => (options.last === true || args.length > 0) && options["dry-run"] !== true,
  async run(context) {
    const { runUndo } = await import("../undo/run.ts");
    return runUndo(context, processTerminal);
  },
};
