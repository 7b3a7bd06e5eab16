import fs from "node:fs";
import { writeFailed } from "../../../agents/settings-file.ts";
import { isSwitchedOff, offFileAt } from "../../../engine/receive/kill-switch.ts";
import type { CliCommand, CommandContext } from "../../command.ts";
import { homeOf } from "../../installation/current-build.ts";
import { processTerminal, type Terminal } from "../../terminal/confirm.ts";
import { refusalUnlessPerson } from "../../terminal/person.ts";
import { switchedOffSince } from "../off/command.ts";

export const onCommand: CliCommand = {
  name: "on",
  summary: "Switches the policies on again after `hookwright off`.",
  usage: "on",
  details: "Only a person in a terminal can do this.",
  changes: () => true,
  run: (context) => runOn(context, processTerminal),
};

export function runOn(context: CommandContext, terminal: Terminal): number {
  const refusal = refusalUnlessPerson("on", context.env, terminal);
  if (refusal !== undefined) {
    context.err(refusal);
    return 1;
  }
  const { root } = homeOf(context.env);
  if (isSwitchedOff(root)) {
    const was = switchedOffSince(root);
    const file = offFileAt(root);
    try {
      fs.rmSync(file);
    } catch (error) {
      throw writeFailed(file, error);
    }
    context.out(`Hookwright is on again. It was off${was}.`);
  } else {
    context.out("Hookwright is on already; nothing was changed.");
  }
  if (context.env.HOOKWRIGHT_DISABLE === "1") {
    context.out("But HOOKWRIGHT_DISABLE=1 is set in this shell, so agents started from it are not guarded.");
  }
  return 0;
}
