import type { AnyEvent } from "../../core/event.ts";
import { shellOf } from "../of-event.ts";
import type { Effect } from "./effect.ts";
import { effectsOf } from "./effects.ts";

const read = new WeakMap<AnyEvent, readonly Effect[]>();

/** What the command line of a shell call would do, worked out once however many policies ask. */
export function effectsOfEvent(event: AnyEvent, userHome: string): readonly Effect[] {
  let effects = read.get(event);
  if (!effects) {
    effects = effectsOf(shellOf(event, userHome), { cwd: event.cwd, userHome });
    read.set(event, effects);
  }
  return effects;
}
