import path from "node:path";
import type { EventOf } from "../../core/event.ts";
import { effectsOfEvent } from "../../effects/effects-of-event.ts";
import { writtenPaths } from "../../effects/files/written-paths.ts";
import { shellOf } from "../../effects/shell-of-event.ts";
import { mayMatchPath } from "../../shell/expand/may-match.ts";
import { isPlain } from "../control-plane.ts";
import { printedFiles } from "../secrets/printed-files.ts";
import { readPath } from "./required-calls.ts";

type Call = EventOf<"tool.before"> | EventOf<"tool.after">;

/** Programs that a read-only line may use. */
const READERS = /^(?:cat|tac|head|tail|less|more|bat|batcat|nl|[ef]?grep|rg|sed|cd|ls|wc|echo|printf|true|:)$/;

/** Absolute paths of the files whose content the call shows to the model; those of a shell line may be patterns. */
function filesRead(event: Call, userHome: string): readonly string[] {
  const { kind, name, input } = event.tool;
  if (kind === "shell") return filesShown(event, userHome);
  if (name === "Grep" && typeof input.path === "string") return [path.resolve(event.cwd, input.path)];
  const file = readPath(event);
  return file === undefined ? [] : [file];
}

function filesShown(event: Call, userHome: string): readonly string[] {
  const shell = shellOf(event, userHome);
  const surely = new Set(shell.ran(true));
  const commands = shell.commands.filter((command) => surely.has(command));
  const written = new Set(writtenPaths(shell, event.cwd).map((one) => one.path));
  // Leaves out the number of `head -n 5`, and files that the line edits in place.
  return printedFiles({ ...shell, commands }, event.cwd).filter(
    (file) => !/^[+-]?\d+$/.test(path.basename(file)) && !written.has(file),
  );
}

/** Which of these files the call reads. */
export function filesReadAmong(files: readonly string[], event: Call, userHome: string): readonly string[] {
  if (files.length === 0) return files;
  const read = filesRead(event, userHome);
  return files.filter((file) => read.some((one) => one === file || mayMatchPath(one, file) === "it"));
}

/** Is the call read-only? */
export function onlyReads(event: Call, userHome: string): boolean {
  if (event.tool.kind !== "shell") return event.tool.kind === "read" || event.tool.name === "Grep";
  const shell = shellOf(event, userHome);
  return (
    shell.unreadable === undefined &&
    shell.commands.every((command) => READERS.test(command.program ?? "") && isPlain(command)) &&
    writtenPaths(shell, event.cwd).length === 0 &&
    effectsOfEvent(event, userHome).length === 0
  );
}

/** Does the call only read, and only files that fit? */
export function onlyReadsFiles(event: Call, userHome: string, isOne: (file: string) => boolean): boolean {
  if (!onlyReads(event, userHome)) return false;
  const read = filesRead(event, userHome);
  return read.length > 0 && read.every(isOne);
}
