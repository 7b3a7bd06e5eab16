let ahead = 0;

/** Milliseconds by a clock that nobody sets, for how long ago something was seen. */
export function ticks(): number {
  return performance.now() + ahead;
}

/** For who plays through quickly what lies apart in real life. */
export function letTimePass(ms: number): void {
  ahead += ms;
}
