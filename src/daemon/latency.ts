/** What a daemon does so that an event that comes after a pause is answered as fast as one in a crowd. */
import v8 from "node:v8";
import vm from "node:vm";

/** Up to this version of V8 code is optimised soon enough; later ones wait for 3,000 calls. */
const SOON_ENOUGH = 11;
/** With 3,000 calls a daemon with a few events a second would run slow code for most of its life. */
export const OPTIMISING_SOON: readonly string[] =
  Number.parseInt(process.versions.v8, 10) > SOON_ENOUGH ? ["--invocation-count-for-turbofan=300"] : [];

export function optimiseSoon(): void {
  for (const flag of OPTIMISING_SOON) v8.setFlagsFromString(flag);
}

/** Fewer than fill the space for new objects, whose collection would otherwise hold up an event now and then. */
const EVENTS_BEFORE_COLLECTING = 8;
const PAUSE_MS = 5;

/** To be called after every event: collects what events left behind once none has come for a moment. */
export function collectInPauses(): () => void {
  v8.setFlagsFromString("--expose-gc");
  const collect = vm.runInNewContext("gc") as (how: { readonly type: "minor" }) => void;
  v8.setFlagsFromString("--no-expose-gc");
  let events = 0;
  const timer = setTimeout(() => {
    if (events < EVENTS_BEFORE_COLLECTING) return;
    events = 0;
    collect({ type: "minor" });
  }, PAUSE_MS).unref();
  return () => {
    events++;
    timer.refresh();
  };
}
