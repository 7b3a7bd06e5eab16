import type { EventOf } from "../../core/event.ts";
import { writtenPaths } from "../../shell/effects/written-paths.ts";
import { shellOf } from "../../shell/of-event.ts";

/** Longer ones exist on no system we know. */
const LONGEST_PATH = 4096;
const REMOVERS = new Set(["rm", "rmdir", "unlink", "shred", "find"]);

/** Files that a call writes, which may be the first that anybody hears of them. */
export function newlyWritten(event: EventOf<"tool.before">, userHome: string): readonly string[] {
  const shell = event.tool.kind === "shell" ? writtenPaths(shellOf(event, userHome), event.cwd) : [];
  const made = shell.filter(({ by }) => !REMOVERS.has(by.program ?? "")).flatMap(({ path }) => path ?? []);
  return [...event.writes, ...made].filter((path) => path.length <= LONGEST_PATH);
}
