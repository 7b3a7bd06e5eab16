import type { Table } from "../../../core/store.ts";
import { fileReader } from "../../../domain/mode/files/file-reader.ts";
import { machineOf } from "../../../domain/mode/machines.ts";
import { shownStatus } from "../../../domain/mode/mode-run.ts";
import { ModeRuns } from "../../../domain/mode/mode-runs.ts";
import { hasParent } from "../../../domain/mode/stop-step.ts";

// A bundle of its own, because it has all modes and most sessions have none.

const LONGEST = 60;

/** The modes of a session as the line shows them, such as `ralph 7/100, 2 of 5 stories`. */
export function modesText(modes: Table, session: string, project: string, now: number): string {
  const reader = fileReader(project, now);
  const runs = new ModeRuns(modes).of(session);
  const shown = runs.filter((run) => !hasParent(run, runs));
  return shown
    .map((run) => {
      const status = shownStatus(run, now);
      const state = status === "active" ? "" : ` ${status}`;
      const progress = machineOf(run.mode).progress(run, reader);
      return [`${run.mode} ${run.round}/${run.limit}${state}`, run.phase, oneLine(progress)]
        .filter((part) => part !== "")
        .join(", ");
    })
    .join(" · ");
}

function oneLine(text: string): string {
  const plain = text.replace(/[\p{Cc}\s]+/gu, " ").trim();
  return plain.length > LONGEST ? `${plain.slice(0, LONGEST - 1)}…` : plain;
}
