import path from "node:path";
import { isAtOrBelow } from "../../claims/patterns.ts";
import { mayCover, patternsMeet } from "../../claims/patterns-meet.ts";
import { isSharedFile } from "./shared-files.ts";
import type { Problem, Split, Subtask } from "./split.ts";

const LONGEST_PATH = 300;

/**
 * Gives shared files to the coordinator, and makes sure that no other file belongs to two subtasks. The paths have
 * passed `pathProblem`.
 */
export function dividedFiles(
  subtasks: readonly Subtask[],
  shared: readonly string[],
): Pick<Split, "subtasks" | "sharedFiles"> | Problem {
  const sharedFiles = new Set(shared.map(normalized));
  const given = [...sharedFiles];
  const divided = subtasks.map((subtask) => {
    const files = [...new Set(subtask.files.map(normalized))];
    const isShared = (file: string): boolean => isSharedFile(file) || given.some((one) => mayCover(one, file));
    for (const file of files) if (isShared(file)) sharedFiles.add(file);
    return { ...subtask, files: files.filter((file) => !isShared(file)) };
  });
  const problem = overlapOf(divided);
  return problem === undefined ? { subtasks: divided, sharedFiles: [...sharedFiles] } : { problem };
}

/** What is wrong with a path, to follow "it has"; undefined for a path inside the project. */
export function pathProblem(file: string): string | undefined {
  if (file.trim() === "") return "an empty path.";
  const shown = `\`${file.slice(0, LONGEST_PATH).replace(/\p{Cc}/gu, "?")}\``;
  if (file.length > LONGEST_PATH) return `a path of more than ${LONGEST_PATH} characters: ${shown}.`;
  if (/\p{Cc}/u.test(file)) return `a path with a control character: ${shown}.`;
  if (/^(?:\/|~(?:\/|$)|\\|[A-Za-z]:[\\/])/.test(file)) {
    return `the absolute path ${shown}. Write paths relative to the project.`;
  }
  if (file.startsWith("!")) return `the exclusion ${shown}. Name the files that belong to it instead.`;
  // `..` in braces is never resolved.
  if (/(?:^|[/{,])\.\.(?:[/},]|$)/.test(file.includes("{") ? file : path.posix.normalize(file))) {
    return `the path ${shown}, which leads out of the project.`;
  }
  return undefined;
}

function overlapOf(subtasks: readonly Subtask[]): string | undefined {
  for (const [at, one] of subtasks.entries()) {
    for (const other of subtasks.slice(at + 1)) {
      for (const file of one.files) {
        const met = other.files.find((candidate) => meets(file, candidate));
        if (met !== undefined) return `${overlap({ id: one.id, file }, { id: other.id, file: met })} ${ADVICE}`;
      }
    }
  }
  return undefined;
}

const ADVICE = "Give each file to one subtask only, or list it in `sharedFiles` for the coordinator.";

interface OwnedFile {
  readonly id: string;
  readonly file: string;
}

function overlap(one: OwnedFile, other: OwnedFile): string {
  if (one.file === other.file) return `Subtasks ${one.id} and ${other.id} both have \`${one.file}\`.`;
  const [outer, inner] = isAtOrBelow(other.file, one.file) ? [other, one] : [one, other];
  if (isAtOrBelow(outer.file, inner.file)) {
    return `\`${inner.file}\` of subtask ${inner.id} is in \`${outer.file}\`, which belongs to subtask ${outer.id}.`;
  }
  return `\`${one.file}\` of subtask ${one.id} and \`${other.file}\` of subtask ${other.id} can mean the same file.`;
}

/** Files such as `app/[id]/page.tsx` are compared as they are written, too. */
function meets(one: string, other: string): boolean {
  return isAtOrBelow(one, other) || isAtOrBelow(other, one) || patternsMeet(one, other);
}

function normalized(file: string): string {
  return path.posix.normalize(file).replace(/(.)\/+$/, "$1");
}
