import { signal } from "@preact/signals";

/** The time of the server's clock, once a second: a phone may have another one. */
export const clock = signal(Date.now());
let ahead = 0;

export function noteServerTime(at: number): void {
  ahead = at - Date.now();
}

export function startClock(): void {
  setInterval(() => {
    if (!document.hidden) clock.value = Date.now() + ahead;
  }, 1_000);
}
