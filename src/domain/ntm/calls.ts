import type { When } from "../../core/policy.ts";
import { shellOf } from "../../effects/shell-of-event.ts";
import type { Command } from "../../shell/command.ts";
import type { Shell } from "../../shell/shell.ts";

/** One call of `ntm` on a command line. */
export interface NtmCall {
  readonly command: Command;
  /** `status` for `--robot-status` directly after the program; undefined in any other form. */
  readonly robot: string | undefined;
  /** The value after `=` of the robot flag; empty without one. */
  readonly robotValue: string;
  /** The first word when it is not an option; undefined when there is none or it cannot be known. */
  readonly subcommand: string | undefined;
  /** The session that the subcommand names: its first word that is not an option. */
  readonly session: string | undefined;
}

/** Options of the subcommands that take the next word as their value. */
const VALUED = new Set(["-o", "--output", "--dir", "--format", "--msg", "--file", "--msg-file", "--lines", "--pane"]);
const HELP = new Set(["--help", "-h", "--version", "version", "help"]);

/** Does the command of this event use ntm at all? */
export const usesNtm: When = (event, { places }) =>
  shellOf(event, places.userHome).commands.some(({ program }) => program === "ntm");

export function ntmCalls(commands: readonly Command[]): NtmCall[] {
  return commands.filter((command) => command.program === "ntm").map(callOf);
}

function callOf(command: Command): NtmCall {
  const [first, ...rest] = command.args;
  const [, robot, robotValue = ""] = /^--robot-([a-z-]+)(?:=(.*))?$/s.exec(first ?? "") ?? [];
  const subcommand = first === undefined || first.startsWith("-") ? undefined : first;
  return { command, robot, robotValue, subcommand, session: subcommand ? firstOperand(rest) : undefined };
}

function firstOperand(args: readonly (string | undefined)[]): string | undefined {
  const left = [...args];
  let arg = left.shift();
  while (arg?.startsWith("-")) {
    if (VALUED.has(arg)) left.shift();
    arg = left.shift();
  }
  return arg;
}

export function isHelp({ command }: NtmCall): boolean {
  return HELP.has(command.args[0] ?? "");
}

/** Text given inline with `--msg`, in either form; a value that cannot be known has no length. */
export function inlineMessages(call: NtmCall): string[] {
  const { args } = call.command;
  return args.flatMap((arg, index) => {
    if (arg?.startsWith("--msg=")) return [arg.slice("--msg=".length)];
    return arg === "--msg" ? [args[index + 1] ?? ""] : [];
  });
}

/** Calls that certainly ran and succeeded when the whole line succeeded. */
export function succeededCalls(shell: Shell): NtmCall[] {
  return ntmCalls(shell.certain(true));
}

export function savedSessions(calls: readonly NtmCall[]): string[] {
  return sessionsOf(calls, "save");
}

export function killedSessions(calls: readonly NtmCall[]): string[] {
  return sessionsOf(calls, "kill");
}

/** Sessions that a robot spawn names. */
export function spawnedSessions(calls: readonly NtmCall[]): string[] {
  return calls.filter((call) => call.robot === "spawn" && call.robotValue !== "").map((call) => call.robotValue);
}

function sessionsOf(calls: readonly NtmCall[], subcommand: string): string[] {
  return calls.flatMap((call) => (call.subcommand === subcommand && call.session !== undefined ? [call.session] : []));
}
