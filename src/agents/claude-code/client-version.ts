import type { ClaudeEvent } from "./events.ts";

/** Events by the client version that introduced them. Older clients warn about them or ignore them silently. */
const SINCE: Partial<Record<ClaudeEvent, string>> = {
  PreModelSwitch: "2.1.251",
  PostModelSwitch: "2.1.251",
  DirectoryAdded: "2.1.219",
};
const ON_FAILURE_SINCE = "2.1.295";

/** An unknown version counts as old, because an unknown event must not be written into the settings. */
export function knowsEvent(event: ClaudeEvent, version: string | undefined): boolean {
  const since = SINCE[event];
  return since === undefined || (version !== undefined && !isOlder(version, since));
}

/** Here an unknown version counts as new: an old client ignores the key, and a new one needs it to fail closed. */
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
