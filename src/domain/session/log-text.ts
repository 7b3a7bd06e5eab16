import { localTime } from "./clock.ts";

/** A log entry with the time in its first heading; undefined when it has no heading. */
export function stamped(entry: string, now: number): string | undefined {
  let isStamped = false;
  const lines = entry.split("\n").map((line) => {
    const [, title] = /^## (.*)$/.exec(line) ?? [];
    if (title === undefined || isStamped) return line;
    isStamped = true;
    return title.startsWith("[") ? line : `## [${localTime(now)}] ${title}`;
  });
  return isStamped ? lines.join("\n") : undefined;
}
