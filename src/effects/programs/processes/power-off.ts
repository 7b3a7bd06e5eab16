import type { Command } from "../../../shell/command.ts";
import type { Effect } from "../../effect.ts";
import { everything } from "./killing.ts";

/** Arguments without which a program of this name does not stop the machine. */
const ONLY_WITH: Readonly<Record<string, RegExp>> = {
  kexec: /^(?:-e|--exec)$/,
  "dbus-send": /(?:^|\.)(?:PowerOff|Reboot|Halt|KExec)(?:WithFlags)?$/,
  busctl: /(?:^|\.)(?:PowerOff|Reboot|Halt|KExec)(?:WithFlags)?$/,
  gdbus: /(?:^|\.)(?:PowerOff|Reboot|Halt|KExec)(?:WithFlags)?$/,
  loginctl: /^(?:poweroff|reboot|halt)$/,
};
/** Arguments with which shutdown does not. */
const CANCELS = /^(?:-c|--show|-k|[/-]a)$/;
const RUN_LEVEL = /^[016]$/;

export function stopsMachine(command: Command): Effect {
  return everything(command, "stops the machine");
}

export function powerOff(command: Command): readonly Effect[] {
  const { program = "", args } = command;
  if (program === "shutdown" && args.some((arg) => CANCELS.test(arg ?? ""))) return [];
  if (/^(?:tel)?init$/.test(program) && !RUN_LEVEL.test(args[0] ?? "")) return [];
  const needed = ONLY_WITH[program];
  return needed && !args.some((arg) => needed.test(arg ?? "")) ? [] : [stopsMachine(command)];
}
