import fs from "node:fs";
import { isSwitchedOff, offFileAt } from "../../../engine/receive/kill-switch.ts";
import type { CliCommand, CommandContext } from "../../command.ts";
import { homeOf } from "../../installation/current-build.ts";
import { writePrivateFile } from "../../installation/private-file.ts";
import { processTerminal, type Terminal } from "../../terminal/confirm.ts";
import { confirmByTypedWord, refusalUnlessPerson } from "../../terminal/person.ts";
import { formatRecordedTime } from "../journal/time-format.ts";

export const offCommand: CliCommand = {
  name: "off",
  summary: "Switches every policy off, for every project and agent, until `hookwright on`.",
  usage: "off [--reason TEXT]",
  details: [
    "Hooks stay installed and are still called, but every event passes. Only a person in a terminal can do this, by",
    "typing a word.",
  ].join("\n"),
  options: {
    reason: {
      type: "string",
      value: "TEXT",
      description: "Why; shown to everybody who finds Hookwright switched off.",
    },
  },
  changes: () => true,
  run: (context) => runOff(context, processTerminal),
};

export async function runOff(context: CommandContext, terminal: Terminal): Promise<number> {
  const refusal = refusalUnlessPerson("off", context.env, terminal);
  if (refusal !== undefined) {
    context.err(refusal);
    return 1;
  }
  const home = homeOf(context.env);
  if (isSwitchedOff(home.root)) {
    context.out(`Hookwright is already off${switchedOffSince(home.root)}. \`hookwright on\` switches it on again.`);
    return 0;
  }
  const question = "No policy will check anything, in any project, until you run `hookwright on`.";
  if (!(await confirmByTypedWord("off", question, terminal))) {
    context.out("Nothing was changed: Hookwright is on.");
    return 1;
  }
  const { reason } = context.options;
  const state = { at: new Date().toISOString(), ...(typeof reason === "string" ? { reason } : {}) };
  writePrivateFile(offFileAt(home.root), `${JSON.stringify(state)}\n`);
  context.out(
    "Hookwright is off. Running sessions notice with their next event. `hookwright on` switches it on again.",
  );
  return 0;
}

/** ` since … (reason)`; empty when the file has no such data. */
export function switchedOffSince(homeRoot: string): string {
  let state: unknown;
  try {
    state = JSON.parse(fs.readFileSync(offFileAt(homeRoot), "utf8"));
  } catch (error) {
    if (error instanceof Error) return "";
    throw error;
  }
  if (typeof state !== "object" || state === null) return "";
  const at = "at" in state && typeof state.at === "string" ? ` since ${formatRecordedTime(state.at)}` : "";
  const reason = "reason" in state && typeof state.reason === "string" ? ` (${state.reason})` : "";
  return at + reason;
}
