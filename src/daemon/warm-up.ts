import { createEngine, type EngineOptions } from "../engine/engine.ts";
import { sampleFrame, withoutTraces } from "../engine/sample-events.ts";

/** With half as many, events that come alone miss their budget; these cost about 48 starts of Node, of 60 that are allowed. */
const DECISIONS = 1_600;
const AT_ONCE = 10;
/** After a real event the next one is probably near, so the warm-up waits. */
const PAUSE_MS = 20;

/**
 * Decides sample events on a database in memory right after the start of the daemon, a few at a time so that real events
 * never wait: the first real one then runs compiled code.
 */
export async function warmUp(options: EngineOptions, realEvents: () => number): Promise<void> {
  const engine = createEngine(withoutTraces(options));
  let seen = realEvents();
  for (let count = 0; count < DECISIONS; count++) {
    if (count % AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
    if (realEvents() !== seen) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    seen = realEvents();
    await engine.decide(sampleFrame(count, options));
  }
  engine.close();
}
