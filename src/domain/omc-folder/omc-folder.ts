import path from "node:path";
import type { Json } from "../../core/event.ts";
import type { FileInfo } from "../../core/ports.ts";
import { missingIgnoreFile } from "./ignore-file.ts";

export const OMC = ".omc";

type Path = readonly [string, ...string[]];

/** How files below `.omc` are written: by a hook while it settles, or by a command. */
export interface OmcFiles {
  readonly project: string;
  info(file: string): FileInfo | undefined;
  mirror(parts: Path, value: Json | undefined): void;
  mirrorText(parts: Path, text: string): void;
}

/** Only such an id becomes a part of a path. */
const SAFE_SESSION = /^[A-Za-z0-9][A-Za-z0-9_-]{0,255}$/;

export function isSafeSession(session: string): boolean {
  return SAFE_SESSION.test(session);
}

/**
 * May files be written in this folder below `.omc`? A link in the place of it or of a folder above it could lead
 * anywhere, so nothing is written there.
 */
export function mayWriteIn(folder: string, { project, info }: Pick<OmcFiles, "project" | "info">): boolean {
  const parts = [OMC, ...folder.split("/").filter((part) => part !== "")];
  const folders = parts.map((_, at) => path.join(project, ...parts.slice(0, at + 1)));
  return folders.every((one) => (info(one)?.kind ?? "directory") === "directory");
}

/** Prepares a folder of `.omc` for files of ours, which git does not show; false where nothing may be written. */
export function beginWriting(folder: string, files: OmcFiles): boolean {
  if (!mayWriteIn(folder, files)) return false;
  const [top = ""] = folder.split("/");
  const missing = missingIgnoreFile(files.project, (file) => files.info(file) !== undefined, top);
  if (missing) files.mirrorText(missing.parts, missing.text);
  return true;
}
