import v8 from "node:v8";

/** Up to this version of V8 code is optimised soon enough; later ones wait for 3,000 calls. */
const SOON_ENOUGH = 11;
/**
 * With 3,000 calls a daemon with a few events a second would run slow code for most of its life. And between two events
 * nothing is left that has the form of either; forms that go at a collection take the code along that was built on them.
 * Such forms are retained but in the collections that V8 adds in quiet times to save memory, so it shall add none.
 */
export const OPTIMISING_SOON: readonly string[] =
  Number.parseInt(process.versions.v8, 10) > SOON_ENOUGH
    ? ["--invocation-count-for-turbofan=300", "--retain-maps-for-n-gc=100000", "--memory-reducer-gc-count=0"]
    : [];

export function optimiseSoon(): void {
  for (const flag of OPTIMISING_SOON) v8.setFlagsFromString(flag);
}
