import path from "node:path";
import type { FileInfo } from "../../core/ports.ts";

export const OMC_FOLDER = ".omc";
const NAME = "notepad.md";

export function notepadFile(project: string): string {
  return path.join(project, OMC_FOLDER, NAME);
}

/** The file as people call it. */
export const NOTEPAD = `${OMC_FOLDER}/${NAME}`;

/** Why the notepad cannot be used; empty when it can, or when there is none. A link could lead anywhere. */
export function unusablePlace(project: string, info: (file: string) => FileInfo | undefined): string {
  const folder = info(path.join(project, OMC_FOLDER))?.kind;
  if (folder !== undefined && folder !== "directory") return `${OMC_FOLDER} is no plain folder`;
  const file = info(notepadFile(project))?.kind;
  return file === undefined || file === "file" ? "" : `${NOTEPAD} is no plain file`;
}
