import type { Command } from "../../shell/command.ts";
import type { Shell } from "../../shell/shell.ts";
import { lineIndex } from "./line-index.ts";

/** How many earlier commands are examined, so that long lines stay cheap. */
const MAX_EARLIER = 50;
const SHELLS = /^(?:ba|da|z|k)?sh$/;

interface Earlier {
  readonly command: Command;
  /** It must have run and succeeded. */
  readonly isSure: boolean;
}

/**
 * How the command examined last depends on the one before it.
 * - and: `a && b`
 * - end: the statement before, under `set -e`
 * - none: it proves nothing about it
 */
type Link = "and" | "end" | "none";

/** `a && b && c`, or `a; b; c` under `set -e`: what must have run and succeeded before the last one is reached. */
export function succeededBefore(command: Command, shell: Shell): readonly Command[] {
  return walkedBefore(command, shell).flatMap((one) => (one.isSure ? [one.command] : []));
}

/** The same with what stands in between, from the last one on. */
export function walkedBefore(command: Command, shell: Shell): readonly Earlier[] {
  const { commands } = shell;
  const { positions } = lineIndex(shell);
  const end = positions.get(command) ?? 0;
  const found: Earlier[] = [];
  const outer = startersOf(command);
  let link: Link | undefined = "none";
  for (let at = end; at >= 0 && end - at < MAX_EARLIER && link; ) {
    const one = commands[at];
    if (!one) break;
    if (at < end) found.push({ command: one, isSure: isSure(one, link, outer) });
    // A started command depends on its launcher, which has not succeeded yet.
    const starter = one.joined === "" && one.via && outer.has(one.via) ? positions.get(one.via) : undefined;
    const next: number = starter ?? at - 1;
    const isInside = starter !== undefined || commands[next]?.inner.includes(one) === true;
    link = isInside ? "none" : before(one, link, at === end, outer);
    at = next;
  }
  return found;
}

function before(one: Command, link: Link, isFirst: boolean, outer: ReadonlySet<Command>): Link | undefined {
  const { joined, via, strict } = one;
  // After `a && b; c` nothing is known of a: its failure would not have ended the shell.
  if (joined === "&&") return isFirst || link === "and" || outer.has(one) ? "and" : "none";
  // A launched command stands right after its launcher and has no connector of its own.
  if (joined === "" && via && !outer.has(via)) return link;
  if (joined === "||" || joined === "|" || joined === "|&") return strict ? "none" : undefined;
  const isOwnShell = via === undefined || (outer.has(via) && SHELLS.test(via.program ?? ""));
  return strict && isOwnShell ? "end" : undefined;
}

function isSure(one: Command, link: Link, outer: ReadonlySet<Command>): boolean {
  if (link === "none" || one.within.length > 0 || one.negated || one.background) return false;
  for (let at: Command | undefined = one; at && !outer.has(at); at = at.via)
    if (at.joined === "||" || (link === "end" && at.joined === "&&")) return false;
  return true;
}

function startersOf(command: Command): ReadonlySet<Command> {
  const found = new Set<Command>();
  for (let at = command.via; at; at = at.via) found.add(at);
  return found;
}
