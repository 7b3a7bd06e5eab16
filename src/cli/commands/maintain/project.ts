import { projectRoot } from "../../../core/actor.ts";
import { filesText, type Maintenance, maintainProject, shownFiles } from "../../../domain/setup/maintain.ts";
import { system } from "../../../system/system.ts";
import type { CommandContext } from "../../command.ts";
import { homeOf } from "../../installation/current-build.ts";
import { openState } from "../../state/open-state.ts";

/** Cleans the `.omc` of the current project. `now` is for tests. Fails if something that is old could not be removed. */
export function maintainThisProject({ options, env, cwd, out }: CommandContext, now: number = Date.now()): number {
  const dryRun = options["dry-run"] === true;
  const db = openState(homeOf(env).database);
  try {
    const done = maintainProject(projectRoot(cwd, system), db, { now, dryRun });
    out(options.json ? JSON.stringify({ dryRun, ...done }) : sentences(done, dryRun).join("\n"));
    return done.problems.length === 0 ? 0 : 1;
  } finally {
    db?.close();
  }
}

function sentences(done: Maintenance, dryRun: boolean): string[] {
  const { removed, board, problems } = done;
  const what = `${dryRun ? "Would remove" : "Removed"} ${filesText(removed.length)}:`;
  return [
    removed.length === 0 ? "Old files: none to remove." : what,
    ...shownFiles(done).map((file) => `  ${file}`),
    ...(board === "none" ? [] : [`Task board: ${board}.`]),
    ...problems,
  ];
}
