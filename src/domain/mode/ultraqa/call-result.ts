import path from "node:path";
import type { EventOf } from "../../../core/event.ts";
import { isObject } from "../../../core/event.ts";
import { shellOf } from "../../../effects/shell-of-event.ts";
import type { Command } from "../../../shell/command.ts";
import { cannotRun } from "./failures.ts";
import type { Goal } from "./goal-names.ts";
import { extentOf } from "./goals.ts";
import { hasAll, isSame, type NamedCommand, programOf, readNamed, setsDecisive } from "./named-command.ts";
import { type FolderLook, isSameFolder, pathInside, pathInWorktree } from "./same-folder.ts";
import { surelyFailed } from "./surely-failed.ts";

export type EndedCall = EventOf<"tool.after"> | EventOf<"tool.failed">;

/** What has to succeed. */
export interface WantedGoal {
  readonly goal: Goal;
  /** Empty where no command is known: then any usual one for the goal counts that checks all of it. */
  readonly command: string;
  /** Where it has to run. */
  readonly folder: string;
}

/**
 * What an ended call says about the goal.
 * - met: its command has surely succeeded
 * - failed: it has surely failed
 * - cannot-run: there was nothing to run, because a program or task is missing
 * - unproven: its command ran, perhaps, and with what result is not certain
 */
export type CallResult =
  | { readonly kind: "met" | "unproven" }
  | { readonly kind: "failed" | "cannot-run"; readonly error: string };

/** Undefined for a call that has nothing to do with the goal. */
export function callResult(
  event: EndedCall,
  wanted: WantedGoal,
  look: FolderLook & { readonly userHome: string },
): CallResult | undefined {
  if (event.tool.kind !== "shell") return undefined;
  const shell = shellOf(event, look.userHome);
  const named = wanted.command === "" ? undefined : readNamed(wanted.command, wanted.folder, look.userHome);
  // Its own text on a line alone is the command, also where it hides a failure of its parts.
  const isWhole = named !== undefined && isItself(event, named, wanted, look);
  const isCheck = checkOf(wanted, named, event.cwd, look);
  if (!isWhole && !shell.commands.some(isCheck)) return undefined;
  if (isUnfinished(event)) return { kind: "unproven" };
  const isOk = event.name === "tool.after";
  if (isWhole) return isOk ? { kind: "met" } : failure(event.error, named);
  if (shell.commands.some(setsDecisive)) return { kind: "unproven" };
  const succeeded = shell.certain(isOk).filter((one) => !one.background);
  const isPart = (part: Command, one: Command): boolean => isSame(part, one) && isIn(part.cwd, one, event.cwd, look);
  const isMet = named ? hasAll(named.parts, succeeded, isPart) : succeeded.some(isCheck);
  if (isMet) return { kind: "met" };
  return !isOk && surelyFailed(shell, isCheck, event.error) ? failure(event.error, named) : { kind: "unproven" };
}

/** A failed call that surely ran tests, all of them or some. */
export function isFailedTest(event: EventOf<"tool.failed">, userHome: string): boolean {
  if (event.tool.kind !== "shell" || isUnfinished(event)) return false;
  return surelyFailed(shellOf(event, userHome), (one) => extentOf("tests", one) !== undefined, event.error);
}

function failure(error: string, named: NamedCommand | undefined): CallResult {
  return { kind: cannotRun(error, named ? programOf(named) : "") ? "cannot-run" : "failed", error };
}

function isItself(event: EndedCall, named: NamedCommand, { folder }: WantedGoal, look: FolderLook): boolean {
  const { command } = event.tool.input;
  return typeof command === "string" && command.trim() === named.text && isSameFolder(folder, event.cwd, look);
}

function checkOf(wanted: WantedGoal, named: NamedCommand | undefined, cwd: string, look: FolderLook) {
  if (named) {
    return (one: Command): boolean => named.parts.some((part) => isSame(part, one) && isIn(part.cwd, one, cwd, look));
  }
  return (one: Command): boolean => {
    if (one.cwd === undefined || extentOf(wanted.goal, one) !== "whole") return false;
    const folder = path.resolve(cwd, one.cwd);
    return pathInside(folder, wanted.folder) !== undefined || pathInWorktree(folder, look) !== undefined;
  };
}

/** Does the command run in this folder? */
function isIn(folder: string | undefined, { cwd }: Command, start: string, look: FolderLook): boolean {
  if (folder === undefined || cwd === undefined) return false;
  return isSameFolder(folder, path.resolve(start, cwd), look);
}

/** Exit codes of programs that a signal from outside has ended: interrupt, kill, broken pipe, terminate. */
const KILLED = /^Exit code (?:130|137|141|143)\b/;
const NOT_ENDED = /^(?:Command )?(?:was )?(?:interrupted|aborted)/i;
/** Not ended within the time that the call had: it did not succeed, whatever its exit code. */
const TOO_LATE = /^(?:Exit code \d+\s+)?(?:Command )?timed out\b/i;

/** It still runs in the background, or was ended from outside, so that its result is not known. */
function isUnfinished(event: EndedCall): boolean {
  if (event.tool.input.run_in_background === true) return true;
  if (event.name === "tool.failed") {
    if (TOO_LATE.test(event.error)) return false;
    return event.interrupted || KILLED.test(event.error) || NOT_ENDED.test(event.error);
  }
  if (!isObject(event.response)) return false;
  const { backgroundTaskId, interrupted, returnCodeInterpretation } = event.response;
  // With an interpretation the exit code was not 0, and the agent takes it for no error.
  const isHidden = typeof returnCodeInterpretation === "string" && returnCodeInterpretation !== "";
  return typeof backgroundTaskId === "string" || interrupted === true || isHidden;
}
