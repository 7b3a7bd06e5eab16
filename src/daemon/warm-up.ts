import v8 from "node:v8";
import vm from "node:vm";
import { createEngine, type EngineOptions } from "../engine/engine.ts";
import { madeUpFrame, withoutTraces } from "../engine/sample-events.ts";
import { FRESH_MS } from "../system/glances.ts";
import { letTimePass } from "../system/ticks.ts";

/** Enough for V8 to optimise what decisions run through; five times as many cost five times the CPU and gained nothing measurable. */
export const WARM_UP_DECISIONS = 2_000;
/** Then with a database of its own again: what is written into memory would stay with the process. */
const PER_DATABASE = 1_000;
/**
 * What was only made up must not be what the process grows by. Once, and early: every later collection takes along
 * some of what V8 has built on it.
 */
const COLLECTED_AFTER = PER_DATABASE;
const AT_ONCE = 10;
/** Where one real event came, the next is probably near. */
const PAUSE_MS = 20;

/**
 * Decides made-up events on a database in memory right after the start, a few at a time so that real events never
 * wait: the first real one then meets compiled code.
 */
export async function warmUp(options: EngineOptions, realEvents: () => number): Promise<void> {
  let engine = createEngine(withoutTraces(options));
  let seen = realEvents();
  for (let count = 0; count < WARM_UP_DECISIONS; count++) {
    if (count % AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
    if (realEvents() !== seen) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    seen = realEvents();
    if (count % PER_DATABASE === PER_DATABASE - 1) {
      engine.close();
      if (count + 1 === COLLECTED_AFTER) collectGarbage();
      engine = createEngine(withoutTraces(options));
    }
    // Real events are so far apart that each looks at its files anew.
    letTimePass(FRESH_MS);
    await engine.decide(madeUpFrame(count, options));
  }
  engine.close();
}

function collectGarbage(): void {
  v8.setFlagsFromString("--expose-gc");
  const collect: unknown = vm.runInNewContext("gc");
  v8.setFlagsFromString("--no-expose-gc");
  if (typeof collect === "function") collect();
}
