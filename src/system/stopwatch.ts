/** Microseconds from an arbitrary start. The global `performance` would cost a cold hook a millisecond to set up. */
export function microseconds(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e6 + Math.round(nanoseconds / 1e3);
}
