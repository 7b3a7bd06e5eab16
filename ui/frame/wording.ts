const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const two = (value: number): string => String(value).padStart(2, "0");
/** Two digits are enough to compare with; more are kept where there are more before the point. */
const short = (value: number): number => (value < 10 ? Math.round(value * 10) / 10 : Math.round(value));

/** Hours, minutes and seconds; in front of them the day, unless it is today. */
export function clockTime(at: number): string {
  const date = new Date(at);
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  if (date.toDateString() === new Date().toDateString()) return time;
  return `${two(date.getMonth() + 1)}-${two(date.getDate())} ${time}`;
}

/** How long: 840 µs, 4.1 ms, 12 s, 3 min, 2 h 05, 4 d. */
export function duration(ms: number): string {
  if (ms <= 0) return "0";
  if (ms < 1) return `${Math.round(ms * 1_000)} µs`;
  if (ms < SECOND) return `${short(ms)} ms`;
  if (ms < MINUTE) return `${short(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ${two(Math.floor((ms % HOUR) / MINUTE))}`;
  return `${Math.floor(ms / DAY)} d`;
}

export function microseconds(value: number): string {
  return duration(value / 1_000);
}

/** 950, 12k, 3.1M */
export function compact(value: number): string {
  if (value < 1_000) return String(value);
  return value < 1_000_000 ? `${short(value / 1_000)}k` : `${short(value / 1_000_000)}M`;
}

export function whole(value: number): string {
  return value.toLocaleString("en-GB");
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${whole(count)} ${count === 1 ? one : many}`;
}

/** The folder's own name; the whole path goes into a title. */
export function lastPart(path: string): string {
  return path.split("/").findLast((part) => part !== "") ?? path;
}
