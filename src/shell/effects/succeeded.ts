import type { Command } from "../command.ts";
import type { Shell } from "../shell.ts";
import { lineIndex } from "./line-index.ts";

/** Further back nobody looks: long lines must stay cheap. */
const MAX_EARLIER = 50;

/** `a && b && c`: what must have run and succeeded before the last one is reached. */
export function succeededBefore(command: Command, shell: Shell): readonly Command[] {
  const { commands } = shell;
  const end = lineIndex(shell).positions.get(command) ?? 0;
  const found: Command[] = [];
  let isReached = true;
  for (let at = end; at >= 0 && end - at < MAX_EARLIER && isReached; at--) {
    const one = commands[at];
    if (!one) break;
    if (at < end && one.within.length === 0 && !one.negated && !one.background) found.push(one);
    // What a launcher starts is joined to nothing itself.
    isReached = one.joined === "&&" || one.joined === "" || one.via !== undefined;
  }
  return found;
}
