import path from "node:path";
import { fingerprint } from "../../../core/text/fingerprint.ts";
import { OMC } from "../../omc-folder/omc-folder.ts";
import type { ModeReader } from "../machine.ts";

export const SPEC = `${OMC}/autopilot/spec.md`;
export const PLAN = `${OMC}/plans/autopilot-impl.md`;

/** The fingerprint of the plan as it is now; empty without a plan, and for one without any text. */
export function planPrint(reader: Pick<ModeReader, "project" | "text">): string {
  const file = path.join(reader.project, PLAN);
  return reader.text(file, "autopilot-plan", (text) => (text.trim() === "" ? "" : fingerprint(text))) ?? "";
}

/** Why the plan does not end the phase of planning; undefined when it does. */
export function planProblem(now: string, atStart: string): string | undefined {
  if (now === "") return `${PLAN} is missing or empty`;
  return now === atStart ? `${PLAN} is the same as before the start, and so is not the plan of this run` : undefined;
}
