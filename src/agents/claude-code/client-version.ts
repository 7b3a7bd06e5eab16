import { spawnSync } from "node:child_process";
import type { ClaudeEvent } from "./events.ts";

const ASK_MS = 5_000;

/** Events and keys that older clients do not know: some stop at a warning, others ignore them without a word. */
const SINCE: Partial<Record<ClaudeEvent, string>> = {
  PreModelSwitch: "2.1.251",
  PostModelSwitch: "2.1.251",
  DirectoryAdded: "2.1.219",
};
const ON_FAILURE_SINCE = "2.1.295";

/** What the installed client says of itself; undefined when there is none on the PATH or it does not answer. */
export function installedVersion(env: NodeJS.ProcessEnv): string | undefined {
  const asked = spawnSync("claude", ["--version"], {
    env,
    encoding: "utf8",
    timeout: ASK_MS,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return /\d+\.\d+\.\d+/.exec(asked.stdout ?? "")?.[0];
}

/** An unknown version is taken for an old one: what it does not know must not be written into its settings. */
export function knowsEvent(event: ClaudeEvent, version: string | undefined): boolean {
  const since = SINCE[event];
  return since === undefined || (version !== undefined && !isOlder(version, since));
}

/** The one exception: an old client ignores the key, and for a new one it is what keeps a failed guard from passing. */
export function knowsOnFailure(version: string | undefined): boolean {
  return version === undefined || !isOlder(version, ON_FAILURE_SINCE);
}

function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split(".").map(Number));
  for (let i = 0; i < 3; i++) {
    const difference = (a?.[i] ?? 0) - (b?.[i] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
