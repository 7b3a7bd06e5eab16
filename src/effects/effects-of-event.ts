import type { AnyEvent } from "../core/event.ts";
import type { Shell } from "../shell/shell.ts";
import type { Effect } from "./effect.ts";
import { effectsOf } from "./effects.ts";
import { shellOf } from "./shell-of-event.ts";

interface Known {
  readonly cwd: string;
  readonly userHome: string;
  readonly effects: readonly Effect[];
}
const read = new WeakMap<Shell, Known>();

/** What the command line of a shell call would do, worked out once however many policies ask. */
export function effectsOfEvent(event: AnyEvent, userHome: string): readonly Effect[] {
  const shell = shellOf(event, userHome);
  const { cwd } = event;
  const known = read.get(shell);
  if (known?.cwd === cwd && known.userHome === userHome) return known.effects;
  const effects = effectsOf(shell, { cwd, userHome });
  read.set(shell, { cwd, userHome, effects });
  return effects;
}
