/** What a patch in the form of `apply_patch` does to one file. */
export interface PatchedFile {
  readonly kind: "add" | "update" | "delete";
  /** As the patch names it, relative or absolute. */
  readonly path: string;
  readonly movedTo: string | undefined;
  /** The lines that the patch removes or keeps; empty for an added file, whose old text it does not show. */
  readonly before: string;
  /** The lines that it adds or keeps. */
  readonly after: string;
}

const HEADER = /^\*\*\* (Add|Update|Delete) File: (.+?)\s*$/s;
const MOVE = /^\*\*\* Move to: (.+?)\s*$/s;
const KINDS = { Add: "add", Update: "update", Delete: "delete" } as const;

/**
 * The files of a patch, read as Codex reads it: lines around it and blanks around a header do not matter, but in the hunks of an
 * update only a line that begins with `***` is a header, because a context line may look like one.
 */
export function readPatch(text: string): readonly PatchedFile[] {
  const files: { kind: PatchedFile["kind"]; path: string; movedTo: string | undefined; lines: string[] }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const file = files.at(-1);
    const [, kind, path] = HEADER.exec(file?.kind === "update" ? line : line.trim()) ?? [];
    if (kind !== undefined && path !== undefined) {
      files.push({ kind: KINDS[kind as keyof typeof KINDS], path, movedTo: undefined, lines: [] });
      continue;
    }
    const moved = MOVE.exec(line)?.[1];
    if (file && moved !== undefined) file.movedTo = moved;
    else if (/^[-+ ]|^$/.test(line)) file?.lines.push(line);
  }
  return files.map(({ lines, ...file }) => ({ ...file, before: without("+", lines), after: without("-", lines) }));
}

function without(sign: "+" | "-", lines: readonly string[]): string {
  const kept = lines.filter((line) => !line.startsWith(sign)).map((line) => line.slice(1));
  return kept.join("\n").trimEnd();
}
