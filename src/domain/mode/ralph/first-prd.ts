import path from "node:path";
import { OMC } from "../../omc-folder/omc-folder.ts";
import type { ModeFiles } from "../files/exports.ts";
import type { ModeRun } from "../mode-run.ts";
import { detailsOf } from "./details.ts";
import { firstPrd, OMC_PRD, ROOT_PRD } from "./prd.ts";

const PRD = path.basename(OMC_PRD);
/** Git sees nothing new, and what a person has in the folder stays visible. */
const IGNORED = `/${PRD}\n/progress.txt\n/.gitignore\n`;

/** Writes the PRD of a run that begins without one, unless somebody has written one meanwhile. */
export function writeFirstPrd(run: ModeRun, files: ModeFiles): void {
  const { project } = files;
  if (!detailsOf(run).prd_created) return;
  const folder = files.info(path.join(project, OMC));
  // A link in the place of the folder could lead anywhere.
  if (folder && folder.kind !== "directory") return;
  if ([ROOT_PRD, OMC_PRD].some((file) => files.info(path.join(project, file)) !== undefined)) return;
  if (folder && files.info(path.join(project, OMC, ".gitignore")) === undefined) {
    files.append([project, OMC, ".gitignore"], IGNORED, `/${PRD}`);
  }
  // Any JSON object has this marker, so a file that appears before this is written keeps its content.
  files.append([project, OMC, PRD], `${JSON.stringify(firstPrd(run.request, project), null, 2)}\n`, "{");
}
