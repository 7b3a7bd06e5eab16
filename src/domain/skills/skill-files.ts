import path from "node:path";
import type { FileInfo } from "../../core/ports.ts";
import { below } from "../claims/file-names.ts";
import type { SkillFolder } from "./places.ts";

/** How skills are read: by a policy, whose reads are facts, or by a command. */
export interface SkillReader {
  list(folder: string): readonly string[] | undefined;
  realPath(file: string): string;
  info(file: string): FileInfo | undefined;
  /** What `digest` makes of the text; undefined for a file that cannot be read or is too large. */
  text<T>(file: string, about: string, digest: (text: string) => T, most: number): T | undefined;
}

export interface SkillFile {
  /** Where it was found; a link if the file is one. */
  readonly file: string;
  /** Without links. */
  readonly real: string;
  /** As messages show it. */
  readonly shown: string;
  readonly folder: SkillFolder;
}

export const LARGEST_SKILL = 64 * 1024;
const DEEPEST = 10;
/** In each folder, so that a huge one cannot hide the others. */
const MOST_FILES = 100;
const MOST_FOLDERS = 200;

/** The Markdown files of these folders, folder by folder. Links that lead out of their folder are not followed. */
export function skillFiles(folders: readonly SkillFolder[], reader: SkillReader): SkillFile[] {
  const found = new Map<string, SkillFile>();
  const visited = new Set<string>();
  for (const folder of folders) {
    const root = reader.realPath(folder.path);
    let [files, visits] = [0, 0];
    const walk = (place: string, depth: number): void => {
      const real = reader.realPath(place);
      const isOutside = below(root, real) === undefined;
      if (isOutside || depth > DEEPEST || visited.has(real) || visits >= MOST_FOLDERS) return;
      const names = reader.list(real);
      if (!names) return;
      visited.add(real);
      visits++;
      for (const name of [...names].sort()) {
        if (name.startsWith(".")) continue;
        const file = path.join(place, name);
        if (!name.endsWith(".md")) walk(file, depth + 1);
        else if (files < MOST_FILES) {
          const realFile = reader.realPath(file);
          if (below(root, realFile) === undefined || found.has(realFile)) continue;
          const shown = path.join(folder.shown, path.relative(folder.path, file));
          found.set(realFile, { file, real: realFile, shown, folder });
          files++;
        }
      }
    };
    walk(folder.path, 1);
  }
  return [...found.values()];
}
