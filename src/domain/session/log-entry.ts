/** `2026-01-02 03:04:05`, in the local time zone. */
export function localTime(ms: number): string {
  const date = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** A log entry with the time in its first heading; undefined when it has no heading. */
export function withTimestamp(entry: string, now: number): string | undefined {
  let isStamped = false;
  const lines = entry.split("\n").map((line) => {
    const [, title] = /^## (.*)$/.exec(line) ?? [];
    if (title === undefined || isStamped) return line;
    isStamped = true;
    return title.startsWith("[") ? line : `## [${localTime(now)}] ${title}`;
  });
  return isStamped ? lines.join("\n") : undefined;
}
