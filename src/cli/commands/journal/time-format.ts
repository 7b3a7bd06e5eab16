import { printable } from "../../../config/printable.ts";

const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

/** `90s`, `15m`, `1h`, `2d`, `1w` before now, or a date with or without a time, in epoch milliseconds. */
export function parseTime(text: string, now: number): number | undefined {
  const [, count, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) return now - Number(count) * (UNITS[unit] ?? 0);
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return undefined;
  // `Date.parse` reads a date alone as UTC; a person means local time.
  const at = Date.parse(text.length === "2026-01-02".length ? `${text}T00:00` : text);
  return Number.isNaN(at) ? undefined : at;
}

/** Formats a recorded time for a person; text that is no time stays as it is. */
export function formatRecordedTime(text: string): string {
  const at = Date.parse(text);
  return Number.isNaN(at) ? printable(text) : formatTime(at);
}

/** Local time, to the second, in a form that `--since` accepts. */
export function formatTime(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":")}`;
}
