import { chmodSync, statSync } from "node:fs";
import path from "node:path";
import { errorCode, type SettingsFile, writeFailed } from "../../agents/settings-file.ts";
import { HookwrightError } from "../../core/errors.ts";

const OTHERS_MAY_ENTER = 0o001;

/** Refuses a Node that other users cannot run: their hooks could not start, and every guarded call would be blocked. */
export function assertPublicNode(node: string): void {
  for (let part = node; path.dirname(part) !== part; part = path.dirname(part)) {
    if ((modeOf(part) & OTHERS_MAY_ENTER) === 0) throw new HookwrightError("HW_PRIVATE_NODE", { node, part });
  }
}

function modeOf(file: string): number {
  try {
    return statSync(file).mode;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return 0;
  }
}

/** Makes a new settings file readable for all users, because root's umask may prevent that. */
export function openToEverybody(file: SettingsFile, createdDirectory: string | null): void {
  if (file.bytes !== undefined) return;
  try {
    chmodSync(file.target, 0o644);
    if (createdDirectory === null) return;
    for (let at = path.dirname(file.target); at.startsWith(createdDirectory); at = path.dirname(at)) {
      chmodSync(at, 0o755);
    }
  } catch (error) {
    throw writeFailed(file.path, error);
  }
}
