import path from "node:path";
import type { ModeMachine, ModeReader } from "../machine.ts";
import { detailsOf, firstDetails, ULTRAQA_FIELDS, type UltraqaDetails, withDetails } from "./details.ts";
import { CUSTOM_GOAL, type Goal } from "./goal-names.ts";
import { plainRequest, wishedGoal } from "./parse-goal.ts";
import { findCheck } from "./project-check.ts";
import { pathInside } from "./same-folder.ts";
import { commandText, cycleText, endText, guideText, holdText } from "./texts.ts";

/** Checks and corrects until one command has certainly succeeded. What its calls resulted in is recorded as they end. */
export const ultraqa: ModeMachine = {
  mode: "ultraqa",
  fields: ULTRAQA_FIELDS,
  begin(start, reader) {
    const { goal, command } = wishedGoal(start);
    const folder = start.folder ?? reader.project;
    const check = command === "" ? checkOf(goal, folder, reader) : { command, folder };
    const wanted = {
      goal_type: goal,
      goal_pattern: check?.command ?? "",
      goal_folder: shownFolder(check?.folder ?? folder, reader),
    };
    return firstDetails(wanted, start.limit);
  },
  until: (run) => `${commandText(detailsOf(run))} has certainly succeeded`,
  guide: (run) => guideText(detailsOf(run), plainRequest(run.request)),
  step(run, _stop, reader) {
    const details = withCheck(detailsOf(run), reader);
    switch (details.exit_reason) {
      case "":
        return { kind: "hold", run: withDetails(run, details), text: holdText(details, plainRequest(run.request)) };
      case "max_cycles":
        return { kind: "pause", run: withDetails(run, { ...details, is_paused: true }), text: endText(details) };
      default:
        return { kind: "end", outcome: details.exit_reason, run: withDetails(run, details), text: endText(details) };
    }
  },
  progress: (run) => cycleText(detailsOf(run)),
};

/** The folder in which the command has to run. */
export function folderOf({ goal_folder }: UltraqaDetails, project: string): string {
  return path.resolve(project, goal_folder);
}

/** A project may get the files that define its checks while the mode is on. */
function withCheck(details: UltraqaDetails, reader: ModeReader): UltraqaDetails {
  if (details.goal_pattern !== "") return details;
  const check = checkOf(details.goal_type, folderOf(details, reader.project), reader);
  if (!check) return details;
  return { ...details, goal_pattern: check.command, goal_folder: shownFolder(check.folder, reader) };
}

function checkOf(goal: Goal, folder: string, reader: ModeReader) {
  return goal === CUSTOM_GOAL ? undefined : findCheck(goal, folder, reader.project, reader);
}

function shownFolder(folder: string, { project }: ModeReader): string {
  return pathInside(folder, project) ?? folder;
}
