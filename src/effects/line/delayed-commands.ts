import type { Command } from "../../shell/command.ts";
import type { Shell } from "../../shell/shell.ts";
import { lineIndex } from "./line-index.ts";

/** Launchers that run a command repeatedly or at another time. */
const STARTERS = /^(?:watch|viddy|at|batch|entr|nodemon|watchexec)$/;
const LONG_SECONDS = 60;
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

interface Waiting {
  /** The position of the first long wait on the line. */
  readonly from: number;
  /** The line has an endless loop. */
  readonly isEndless: boolean;
}

const waitings = new WeakMap<readonly Command[], Waiting>();

/** Whether the command runs so late that the repository may hold other work by then. */
export function isDelayed(command: Command, shell: Shell): boolean {
  for (let by = command.via; by; by = by.via) if (STARTERS.test(by.program ?? "")) return true;
  const { from, isEndless } = waitingOf(shell);
  if (isEndless && command.within.includes("loop")) return true;
  return from < (lineIndex(shell).positions.get(command) ?? 0);
}

function waitingOf({ commands }: Shell): Waiting {
  const known = waitings.get(commands);
  if (known) return known;
  const from = commands.findIndex((one) => one.program === "sleep" && !one.background && seconds(one) >= LONG_SECONDS);
  const inLoop = commands.filter(({ within }) => within.includes("loop"));
  // `while true`, `until false`: in the body they stand behind `||`.
  const isEndless =
    inLoop.some(({ program, joined }) => joined === "" && /^(?:true|:|false)$/.test(program ?? "")) &&
    !inLoop.some(({ program }) => /^(?:break|exit|return)$/.test(program ?? ""));
  const waiting = { from: from < 0 ? Number.POSITIVE_INFINITY : from, isEndless };
  waitings.set(commands, waiting);
  return waiting;
}

function seconds({ args }: Command): number {
  return args.reduce((sum, arg) => {
    const [, count = "0", unit = "s"] = /^(\d+(?:\.\d+)?)([smhd])?$/.exec(arg ?? "") ?? [];
    return sum + Number(count) * (UNITS[unit] ?? 1);
  }, 0);
}
