import type { EventOf } from "../../core/event.ts";
import { type WrittenPath, writtenPaths } from "../../effects/files/written-paths.ts";
import { shellOf } from "../../effects/shell-of-event.ts";

/** A place that a call writes to, creates, changes or removes. */
export interface WriteTarget {
  /** Absolute. Of a `pattern` the folder in which its files are. */
  readonly path: string;
  /** What the shell matches against files, with the folder before it. */
  readonly pattern?: string;
  /** If it is a folder, everything in it is removed or moved as well. */
  readonly takesFolder?: true;
}

/** Git commands are exempt: they move content that an agent wrote before. */
const EXEMPT = "git";
const TAKE_FOLDERS: ReadonlySet<string> = new Set(["rm", "mv", "find"]);

/** Where an edit or a shell command writes, as far as that is known. */
export function writtenTargets(
  event: EventOf<"tool.before"> | EventOf<"tool.after">,
  userHome: string,
): readonly WriteTarget[] {
  if (event.tool.kind !== "shell") return event.writes.map((path) => ({ path }));
  return writtenPaths(shellOf(event, userHome), event.cwd)
    .filter(({ by }) => by.program !== EXEMPT)
    .flatMap(targetOf);
}

function targetOf({ path, inside, pattern, receives, by }: WrittenPath): readonly WriteTarget[] {
  const place = path ?? inside;
  if (place === undefined) return [];
  const takesFolder = path !== undefined && !receives && TAKE_FOLDERS.has(by.program ?? "");
  return [{ path: place, ...(pattern !== undefined && { pattern }), ...(takesFolder && { takesFolder }) }];
}
